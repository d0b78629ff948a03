package change

import (
	"slices"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Upsert is an ON DUPLICATE KEY UPDATE made ready.
type Upsert struct {
	st         *binding.Statement
	Rows       []UpsertRow
	Deprecated int
	// NewColumns are the columns of the new row that expressions refer to, which
	// follow those that are read; newTypes are their types.
	NewColumns []int
	newTypes   []*value.Type
	// Numbers says that the server may have a number of AUTO_INCREMENT for a row.
	Numbers bool
	// NumberAt is where that number is in the rows that are read, -1 if it is not.
	NumberAt int
}

// UpsertRow is one row of the text.
type UpsertRow struct {
	st  *binding.Statement
	row int
	// Insert and Lenient are those of recipe.UpsertRow.
	Insert, Lenient *sql.Printed

	Finds []Find
	Sure  int // the one of them by which a row is found that is there
	Write *Write
	// Numbering is where its number of AUTO_INCREMENT comes from: from Number, of NumberGiven. Renumber
	// is the one that an update gives it, nil if that is not known.
	Numbering recipe.Numbering
	Number    binding.Operand
	Renumber  *binding.Operand
	// Nulls is where the plain columns of recipe.UpsertRow.Nulls are in the rows that are read.
	Nulls []int
}

// Find is the read of a row that is there already.
type Find struct {
	Key    string
	Remote *sql.Printed
	Slots  []FindSlot
}

// FindSlot is a slot of such a read: the token of what the new row has for a
// protected column, or what the client has written for a plain one.
type FindSlot struct {
	recipe.Slot
	Operand int // -1 for a plain column
}

// ReadyUpsert makes the ON DUPLICATE KEY UPDATE of the statement ready; nil if it has none.
func (o *Of) ReadyUpsert() (*Upsert, error) {
	st := o.Statement
	if st.Run.Upsert() == nil {
		return nil, nil //nolint:nilnil // it has none
	}
	u := &Upsert{st: st, Deprecated: st.Run.Upsert().Deprecated, NumberAt: -1}
	for i := range st.Run.Table.Columns {
		if st.Run.Table.Columns[i].AutoIncrement {
			u.Numbers, u.NumberAt = true, st.FetchedAt(i)
		}
	}
	for r := range st.Run.Upsert().Rows {
		of := &st.Run.Upsert().Rows[r]
		w, err := o.Ready(of.Write)
		if err != nil {
			return nil, err
		}
		w.upsert = u
		row := UpsertRow{st: st, row: r, Insert: of.Insert, Lenient: of.Lenient, Write: w, Sure: of.Sure}
		if err := row.number(of); err != nil {
			return nil, err
		}
		for _, i := range of.Nulls {
			row.Nulls = append(row.Nulls, st.FetchedAt(i))
		}
		for _, f := range of.Finds {
			row.Finds = append(row.Finds, findOf(st, r, f))
		}
		noteRowOf(st, r, of.Insert)
		u.Rows = append(u.Rows, row)
		u.refer(st, w)
	}
	return u, nil
}

// number makes the values for the column that is AUTO_INCREMENT ready.
func (r *UpsertRow) number(of *recipe.UpsertRow) error {
	r.Numbering = of.Numbering
	if r.Numbering == recipe.NotNumbered {
		return nil
	}
	at := slices.IndexFunc(r.st.Run.Table.Columns, func(c catalog.Column) bool { return c.AutoIncrement })
	r.Number = binding.Operand{Of: of.Number, Column: r.st.Columns[at], Use: recipe.Assign}
	if of.Renumber != nil {
		r.Renumber = &binding.Operand{Of: *of.Renumber, Column: r.st.Columns[at], Use: recipe.Assign}
		if err := r.Renumber.TakeConstant(); err != nil {
			return err
		}
	}
	if r.Numbering != recipe.NumberGiven {
		return nil
	}
	return r.Number.TakeConstant()
}

// noteRowOf notes which group a row stands for that may have no slot of its own: it has
// what the client has written for plain columns.
func noteRowOf(st *binding.Statement, row int, insert *sql.Printed) {
	st.NoteRow(row, recipe.Operand{Kind: recipe.FromForm})
	_, _ = insert.Fill(nil, func(int) int { return 1 }, func(dst []byte, h sql.Hole, _ int) ([]byte, error) {
		if h.Kind == sql.HolePlace {
			st.NoteRow(row, recipe.Operand{Kind: recipe.FromPlace, Place: h.Place})
		}
		return append(dst, '1'), nil
	})
}

// findOf makes a read ready.
func findOf(st *binding.Statement, row int, f recipe.Find) Find {
	made := Find{Key: f.Key, Remote: f.Remote}
	for _, s := range f.Slots {
		slot := FindSlot{Slot: s, Operand: -1}
		if s.Of.Kind == recipe.FromNew {
			slot.Operand = st.AssignedIn(row, s.Column)
		}
		made.Slots = append(made.Slots, slot)
	}
	return made
}

// refer notes the columns of the new row that expressions refer to.
func (u *Upsert) refer(st *binding.Statement, w *Write) {
	for name := range w.newNames(u) {
		column := st.Run.Table.Column(name.Name.String())
		if u.newIndex(name) < 0 {
			u.NewColumns = append(u.NewColumns, column)
			u.newTypes = append(u.newTypes, &st.Columns[column].Type)
		}
	}
}

// newIndex is the number of a column of the new row, -1 if it is not among them.
func (u *Upsert) newIndex(name *ast.ColName) int {
	column := u.st.Run.Table.Column(name.Name.String())
	for i, known := range u.NewColumns {
		if known == column {
			return i
		}
	}
	return -1
}

// newNames are the names of columns of the new row in the expressions, and which of
// those that follow a row they are.
func (w *Write) newNames(u *Upsert) map[*ast.ColName]int {
	names := map[*ast.ColName]int{}
	for i := range w.Settings {
		s := &w.Settings[i]
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			if name, ok := n.(*ast.ColName); ok && name.Qualifier.Name.String() == recipe.NewRow {
				names[name] = u.newIndex(name)
			}
			return true, nil
		}, s.expr)
	}
	return names
}

// Value is what a row has for a column, nil for NULL.
func (r *UpsertRow) Value(b *binding.Binder, c *catalog.Column, element int) ([]byte, error) {
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
