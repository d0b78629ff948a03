package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/check"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// newRows are the rows of an INSERT.
type newRows struct {
	named, left []int // columns that they have values for, and defaults
	updated     []int // that the statement sets of a row that is there already
	cells       ast.Values
}

// cell is what a row has for a column; false if it has nothing.
func (n *newRows) cell(row, column int) (ast.Expr, bool) {
	for at, i := range n.named {
		if i == column {
			return n.cells[row][at], true
		}
	}
	return nil, false
}

// defaulted reports whether rows have a default of tunic's for a column.
func (n *newRows) defaulted(column int) bool {
	for _, i := range n.left {
		if i == column {
			return true
		}
	}
	return false
}

// upsert plans ON DUPLICATE KEY UPDATE. The server cannot compute what the row that
// is there becomes, nor tell whether it changes.
func (b *Builder) upsert(n, stored *ast.Insert, rows *newRows) *ending {
	key := b.scope.Table.RowKey()
	switch {
	case key == nil:
		return beyond("ON DUPLICATE KEY UPDATE, on a table without a primary key (add one),")
	case b.Run.Ignore:
		return beyond("IGNORE with ON DUPLICATE KEY UPDATE")
	}
	if end := transactional(b.scope.Table); end != nil {
		return end
	}
	u := &recipe.Upsert{}
	set, end := b.upsertSet(n, rows.named, u)
	if end != nil {
		return end
	}
	for _, a := range set {
		rows.updated = append(rows.updated, a.Column)
	}
	if set, end = b.hold(set); end != nil {
		return end
	}
	if end := b.unreferred(b.changing(set), "ON DUPLICATE KEY UPDATE"); end != nil {
		return end
	}
	returned, end := b.returned()
	if end != nil {
		return end
	}
	inserting := b.Run.Slots
	defer func() { b.Run.Slots = inserting }()
	values, ok := stored.Rows.(ast.Values)
	if !ok {
		return unknown()
	}
	for r := range values {
		row, end := b.upsertRow(r, key, set, rows, returned)
		if end != nil {
			return end
		}
		one := ast.Clone(stored)
		one.Rows = ast.Values{ast.Clone(values[r])}
		if row.Insert, end = b.store(one); end != nil {
			return end
		}
		if row.Lenient, end = b.lenient(stored, r, rows.named); end != nil {
			return end
		}
		u.Rows = append(u.Rows, row)
	}
	b.without(u, n, rows.named)
	b.inserts().Upsert = u
	return b.returnsUpserted(u, set, returned)
}

// without notes the columns that the rows have no value for.
func (b *Builder) without(u *recipe.Upsert, n *ast.Insert, named []int) {
	for i := range b.scope.Table.Columns {
		switch {
		case b.scope.At(i).Shadows != "", slices.Contains(named, i):
		case b.Modes&sql.MariaDB != 0 && !b.addsRows() && b.updates(n.OnDup, i):
			u.Updated = append(u.Updated, i)
		default:
			u.Without = append(u.Without, i)
		}
	}
}

// lenient is the INSERT of a row that may have NULL for a plain column that is NOT NULL, as the row of a query can
// be: without DEFAULT, which a column that is left out has too. It is sent behind Insert, which names the fence.
func (b *Builder) lenient(stored *ast.Insert, r int, named []int) (*sql.Printed, *ending) {
	full := slices.ContainsFunc(named, func(i int) bool {
		c := b.scope.At(i)
		return !c.Protected() && c.Type.NotNull && !c.AutoIncrement
	})
	values, ok := stored.Rows.(ast.Values)
	if !ok || !full || b.addsRows() {
		return nil, nil //nolint:nilnil // it needs none
	}
	one, row := ast.Clone(stored), ast.ValTuple{}
	one.Columns = nil
	for at, cell := range values[r] {
		if _, ok := cell.(*ast.Default); !ok {
			one.Columns, row = append(one.Columns, stored.Columns[at]), append(row, ast.Clone(cell))
		}
	}
	one.Rows = ast.Values{row}
	if end := refused(check.Statement(one, b.scope.Table)); end != nil {
		return nil, end
	}
	return b.print(b.guarded(one))
}

// updatesPlain reports whether ON DUPLICATE KEY UPDATE is about plain columns alone, with
// nothing that tunic would have to write beside them: the server does that by itself, and
// knows what it takes for a change. What cannot be planned is not.
func (b *Builder) updatesPlain(n *ast.Insert, named []int) bool {
	if len(n.OnDup) == 0 || b.laws != nil || b.Run.Ignore || b.Tree.Returning() != nil {
		return false
	}
	set, end := b.upsertSet(n, named, &recipe.Upsert{})
	if end != nil || len(b.scope.Stamps(set)) > 0 || b.unreferred(b.changing(set), "") != nil {
		return false
	}
	return !slices.ContainsFunc(set, func(a recipe.Assignment) bool {
		return a.Local || b.scope.At(a.Column).Protected() || b.computableOfNew(a) != nil || ast.HasQuery(a.To)
	})
}

// upsertSet are the assignments, whose names of the new row are made NewRow's.
func (b *Builder) upsertSet(n *ast.Insert, named []int, u *recipe.Upsert) ([]recipe.Assignment, *ending) {
	alias, end := b.newRow(n, named)
	if end != nil {
		return nil, end
	}
	set := make([]recipe.Assignment, 0, len(n.OnDup))
	setPlain := map[int]bool{}
	for _, e := range n.OnDup {
		i, ok := b.scope.Column(e.Name)
		if !ok {
			return nil, unknown()
		}
		if _, end := refusing(b.scope.UseOf(e.Expr)); end != nil {
			return nil, end
		}
		to, end := b.ofNewRow(e.Expr, alias, u)
		if end != nil {
			return nil, end
		}
		a := recipe.Assignment{Column: i, To: to}
		if name, ok := to.(*ast.ColName); ok && ofNew(name) && b.scope.Table.Column(name.Name.String()) == i {
			a.Of, a.Given = recipe.Operand{Kind: recipe.FromNew}, true
		} else {
			a.Of, _, a.Given = b.assigned(i, to)
		}
		if b.scope.At(i).Protected() && b.scope.Reads(to, setPlain) {
			return nil, beyond("a protected column computed from a plain one that the statement has set before,")
		}
		setPlain[i] = setPlain[i] || !b.scope.At(i).Protected()
		set = append(set, a)
	}
	return set, nil
}

// ofNewRow is an expression with VALUES(c), and c of the alias of the new row, made
// columns of NewRow.
func (b *Builder) ofNewRow(e ast.Expr, alias *newRow, u *recipe.Upsert) (ast.Expr, *ending) {
	var failed *ending
	replace := func(c *ast.Cursor) bool {
		var name *ast.ColName
		switch n := c.Node().(type) {
		case *ast.ValuesFuncExpr:
			name = n.Name
			u.Deprecated++
		case *ast.FuncExpr:
			if name = b.ofValue(n); name == nil {
				return true
			}
		case *ast.ColName:
			of, end := b.newColumn(alias, n)
			if end != nil {
				failed = end
			}
			if of == nil {
				return true
			}
			name = of
		default:
			return true
		}
		if b.scope.Table.Column(name.Name.String()) < 0 {
			failed = unknown()
		}
		c.Replace(&ast.ColName{Name: name.Name, Qualifier: ast.TableName{Name: ast.Name(recipe.NewRow)}})
		return false
	}
	to, ok := ast.Rewrite(ast.Clone(e), replace, nil).(ast.Expr)
	if !ok && failed == nil {
		failed = beyond("an expression")
	}
	return to, failed
}

// ofValue is the column of VALUE(c), as which MariaDB has VALUES(c) too; nil for another
// function.
func (b *Builder) ofValue(n *ast.FuncExpr) *ast.ColName {
	if b.Modes&sql.MariaDB == 0 || !n.Qualifier.IsEmpty() || !n.Name.EqualString("value") || len(n.Exprs) != 1 {
		return nil
	}
	name, _ := n.Exprs[0].(*ast.ColName)
	return name
}

// ofNew reports whether a name is a column of NewRow.
func ofNew(n *ast.ColName) bool { return n.Qualifier.Name.String() == recipe.NewRow }

// upsertRow plans one row that is there already.
func (b *Builder) upsertRow(r int, key *catalog.Key, set []recipe.Assignment, rows *newRows, returned []recipe.Item) (recipe.UpsertRow, *ending) {
	row := recipe.UpsertRow{Write: &recipe.Write{Stamps: b.scope.Stamps(set), Spelled: b.spelled(b.changing(set))}}
	if end := b.computeUpsertBesideStamps(row.Write, set); end != nil {
		return row, end
	}
	b.heldWrite(row.Write)
	for _, a := range set {
		if end := b.computableOfNew(a); end != nil {
			return row, end
		}
	}
	row.Write.Compute(b.scope.Table, set)
	b.Run.ResetFetch()
	read := &ast.Select{
		SelectExprs: &ast.SelectExprs{}, From: ast.TableExprs{ast.Clone(b.table)}, Lock: ast.ForUpdateLock,
	}
	items := append(b.writtenItems(key, row.Write), returned...)
	for _, a := range set {
		if c := b.scope.At(a.Column); !c.Protected() && !a.Local && !c.Type.NotNull && (c.Default.Kind == catalog.DefaultServer || c.Default.Kind == catalog.DefaultNow) {
			items = append(items, recipe.Item{Expr: shape.Column(c.Name), Column: -1})
			row.Nulls = append(row.Nulls, a.Column)
		}
	}
	for i := range b.scope.Table.Columns {
		if c := b.scope.At(i); c.AutoIncrement {
			items = append(items, recipe.Item{Expr: shape.Column(c.Name), Column: -1})
			numberUpsert(&row, r, i, set, rows)
		}
	}
	if end := b.fetch(read, items); end != nil {
		return row, end
	}
	for i := range b.scope.Table.Keys {
		if k := &b.scope.Table.Keys[i]; k.Distinct() {
			if end := b.find(r, k, read, &row, rows); end != nil {
				return row, end
			}
		}
	}
	return row, b.writeBackIn(r, key, &row, set, rows)
}

// numberUpsert notes where the number of a row comes from, and what an update makes of it.
func numberUpsert(row *recipe.UpsertRow, r, column int, set []recipe.Assignment, rows *newRows) {
	cell, there := rows.cell(r, column)
	given, _, known := operand(cell)
	_, byDefault := cell.(*ast.Default)
	switch {
	case !there, byDefault:
		row.Numbering = recipe.ServerNumbers
	case known:
		row.Numbering, row.Number = recipe.NumberGiven, given
	default:
		row.Numbering = recipe.NumberComputed
	}
	for _, a := range set {
		if a.Column != column {
			continue
		}
		row.Renumber = nil
		if o, _, ok := operand(a.To); ok {
			row.Renumber = &o
		} else if a.Of.Kind == recipe.FromNew && a.Given && known {
			row.Renumber = &given
		}
	}
}

// computeUpsertBesideStamps is computeBesideStamps for an upsert. What a new row has for a plain column the server
// alone is sent.
func (b *Builder) computeUpsertBesideStamps(w *recipe.Write, set []recipe.Assignment) *ending {
	if len(w.Stamps) == 0 {
		return nil
	}
	for _, a := range set {
		if !b.scope.At(a.Column).Protected() && !a.Local && readsNew(a.To) {
			return beyond("a plain column that is set to one of the new row where a protected one is ON UPDATE CURRENT_TIMESTAMP,")
		}
	}
	return b.computeBesideStamps(w, set)
}

// readsNew reports whether an expression reads the row that was to be inserted.
func readsNew(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			found = found || ofNew(name)
		}
		return !found, nil
	}, e)
	return found
}

// computableOfNew is computable for an assignment that may have the new row in it. A
// protected column is computed; a plain one is the server's to compute, and what it
// has of the new row is written out.
func (b *Builder) computableOfNew(a recipe.Assignment) *ending {
	protected := b.scope.At(a.Column).Protected()
	return walk(func(n ast.Node) (bool, *ending) {
		name, ok := n.(*ast.ColName)
		if !ok {
			return true, nil
		}
		of := b.scope.At(b.scope.Table.Column(name.Name.String()))
		switch {
		case !protected && of.Protected():
			return false, beyond("a plain column that is set to a value computed from a protected one,")
		case protected && ofNew(name) && !of.Protected():
			return false, beyond("a protected column computed from a plain one of the new row,")
		}
		return true, nil
	}, a.To)
}

// find plans how the row is read that has the key of a new one, if its values say
// which that is.
func (b *Builder) find(r int, k *catalog.Key, read *ast.Select, row *recipe.UpsertRow, rows *newRows) *ending {
	b.Run.Slots = nil
	var where ast.Expr
	for _, p := range k.Parts {
		i := b.scope.Table.Column(p.Column)
		c := b.scope.At(i)
		name, s := c.Stored(), recipe.Slot{Column: i, Form: recipe.Value, Use: recipe.Equal}
		cell, there := rows.cell(r, i)
		switch {
		case c.Protected():
			l := columns.Filled(c.Layer(p.Layer))
			if l == nil || !there && !rows.defaulted(i) {
				return nil
			}
			s.Form, s.Layer, s.Of, name = recipe.Token, l.Capability, recipe.Operand{Kind: recipe.FromNew}, l.Stored
		default:
			o, _, ok := operand(cell)
			if !there || !ok || p.Prefix > 0 || !c.Type.Kind.Locates() {
				return nil
			}
			s.Of = o
		}
		where = shape.And(where, &ast.ComparisonExpr{Operator: ast.EqualOp, Left: shape.Column(name), Right: b.slot(s, nil)})
	}
	stored := ast.Clone(read)
	stored.Where = shape.Where(where)
	remote, end := b.store(stored)
	if end != nil {
		return end
	}
	row.Finds = append(row.Finds, recipe.Find{Key: k.Name, Remote: remote, Slots: b.Run.Slots})
	return nil
}

// writeBackIn plans the second half for one row. What plain columns have of the new
// row are values that the client has written there.
func (b *Builder) writeBackIn(r int, key *catalog.Key, row *recipe.UpsertRow, set []recipe.Assignment, rows *newRows) *ending {
	w := row.Write
	b.given = rows.updated
	defer func() { b.given = rows.named }()
	return b.writeBack(key, w, set, func(a recipe.Assignment) (ast.Expr, *ending) {
		var failed *ending
		to, ok := ast.Rewrite(ast.Clone(a.To), func(c *ast.Cursor) bool {
			name, ok := c.Node().(*ast.ColName)
			if !ok || !ofNew(name) {
				return true
			}
			i := b.scope.Table.Column(name.Name.String())
			cell, there := rows.cell(r, i)
			o, _, given := operand(cell)
			if !there || !given {
				failed = beyond("a plain column of the new row that has no value there")
				return false
			}
			c.Replace(b.slot(recipe.Slot{Column: i, Form: recipe.Value, Of: o, Use: recipe.Assign}, nil))
			return false
		}, nil).(ast.Expr)
		if !ok && failed == nil {
			failed = beyond("an expression")
		}
		return to, failed
	})
}
