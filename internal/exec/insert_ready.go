package exec

import (
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// upserting is an ON DUPLICATE KEY UPDATE made ready.
type upserting struct {
	st         *Statement
	rows       []upsertingRow
	deprecated int
	// newColumns are the columns of the new row that expressions refer to, which
	// follow those that are read; newTypes are their types.
	newColumns []int
	newTypes   []*value.Type
	// numbers says that the server may have a number of AUTO_INCREMENT for a row.
	numbers bool
	// numberAt is where that number is in the rows that are read, -1 if it is not.
	numberAt int
}

// upsertingRow is one row of the text.
type upsertingRow struct {
	st     *Statement
	row    int
	insert *sql.Printed
	finds  []finding
	sure   int // the one of them by which a row is found that is there
	write  *writing
	// numbered says that its number of AUTO_INCREMENT is the server's.
	numbered bool
	// nulls is where the plain columns of recipe.UpsertRow.Nulls are in the rows that are read.
	nulls []int
}

// finding is the read of a row that is there already.
type finding struct {
	key    string
	remote *sql.Printed
	slots  []findSlot
}

// findSlot is a slot of such a read: the token of what the new row has for a
// protected column, or what the client has written for a plain one.
type findSlot struct {
	recipe.Slot
	operand int // -1 for a plain column
}

// takeUpsert makes the Statement of an upsert ready.
func (st *Statement) takeUpsert() error {
	if st.Run.Upsert == nil {
		return nil
	}
	u := &upserting{st: st, deprecated: st.Run.Upsert.Deprecated}
	u.numberAt = -1
	for i := range st.Run.Table.Columns {
		if st.Run.Table.Columns[i].AutoIncrement {
			u.numbers, u.numberAt = true, st.FetchedAt(i)
		}
	}
	for r := range st.Run.Upsert.Rows {
		of := &st.Run.Upsert.Rows[r]
		w, err := st.writingOf(of.Write, st)
		if err != nil {
			return err
		}
		row := upsertingRow{st: st, row: r, insert: of.Insert, write: w, numbered: of.Numbered, sure: of.Sure}
		for _, i := range of.Nulls {
			row.nulls = append(row.nulls, st.FetchedAt(i))
		}
		for _, f := range of.Finds {
			row.finds = append(row.finds, st.findingOf(r, f))
		}
		st.noteRowOf(r, of.Insert)
		u.rows = append(u.rows, row)
		u.refer(st, w)
	}
	st.upsert = u
	return nil
}

// noteRowOf notes which group a row stands for that may have no slot of its own: it has
// what the client has written for plain columns.
func (st *Statement) noteRowOf(row int, insert *sql.Printed) {
	st.NoteRow(row, recipe.Operand{Kind: recipe.FromForm})
	_, _ = insert.Fill(nil, func(int) int { return 1 }, func(dst []byte, h sql.Hole, _ int) ([]byte, error) {
		if h.Kind == sql.HolePlace {
			st.NoteRow(row, recipe.Operand{Kind: recipe.FromPlace, Place: h.Place})
		}
		return append(dst, '1'), nil
	})
}

// findingOf makes a read ready.
func (st *Statement) findingOf(row int, f recipe.Find) finding {
	made := finding{key: f.Key, remote: f.Remote}
	for _, s := range f.Slots {
		slot := findSlot{Slot: s, operand: -1}
		if s.Of.Kind == recipe.FromNew {
			slot.operand = st.AssignedIn(row, s.Column)
		}
		made.slots = append(made.slots, slot)
	}
	return made
}

// refer notes the columns of the new row that expressions refer to.
func (u *upserting) refer(st *Statement, w *writing) {
	for name := range w.newNames(u) {
		column := st.Run.Table.Column(name.Name.String())
		if u.newIndex(name) < 0 {
			u.newColumns = append(u.newColumns, column)
			u.newTypes = append(u.newTypes, &st.Columns[column].Type)
		}
	}
}

// newIndex is the number of a column of the new row, -1 if it is not among them.
func (u *upserting) newIndex(name *ast.ColName) int {
	column := u.st.Run.Table.Column(name.Name.String())
	for i, known := range u.newColumns {
		if known == column {
			return i
		}
	}
	return -1
}

// newNames are the names of columns of the new row in the expressions, and which of
// those that follow a row they are.
func (w *writing) newNames(u *upserting) map[*ast.ColName]int {
	names := map[*ast.ColName]int{}
	for i := range w.set {
		s := &w.set[i]
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			if name, ok := n.(*ast.ColName); ok && name.Qualifier.Name.String() == recipe.NewRow {
				names[name] = u.newIndex(name)
			}
			return true, nil
		}, s.expr)
	}
	return names
}

// value is what a row has for a column, nil for NULL.
func (r *upsertingRow) value(b *binding.Binder, c *catalog.Column, element int) ([]byte, error) {
	n := r.st.AssignedIn(r.row, r.st.Run.Table.Column(c.Name))
	if n < 0 {
		return nil, nil // its default is NULL, or it would have an operand
	}
	v, err := b.Quietly(n, element)
	if err != nil {
		return nil, err
	}
	return v.Value(), nil
}

// columnsOfRemote is how many columns the stored statement returns.
func (st *Statement) columnsOfRemote() int {
	if st.upsert != nil || st.Adds() || st.Run.Fails != nil {
		return 0 // what is fetched is of the rows that are there already
	}
	return st.fetched()
}

// writings are all second halves of the statement.
func (st *Statement) writings() []*writing {
	var all []*writing
	if st.write != nil {
		all = append(all, st.write)
	}
	for _, t := range st.targets {
		all = append(all, t.writing)
	}
	if st.upsert != nil {
		for i := range st.upsert.rows {
			all = append(all, st.upsert.rows[i].write)
		}
	}
	return all
}
