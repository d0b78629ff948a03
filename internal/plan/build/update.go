package build

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/functions"
	"tunic/internal/plan/shape"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// update plans an UPDATE of one table: as one stored statement where the server
// finds the rows, has the new values and can count what changes; otherwise as a
// read of the rows FOR UPDATE that are then written back one by one.
func (b *Builder) update(n *ast.Update) error {
	if err := b.over(n.TableExprs...); err != nil {
		return err
	}
	if err := b.known(n.Exprs, n.OrderBy); err != nil {
		return err
	}
	b.Run.Ignore = bool(n.Ignore)
	set, err := b.assignments(n.Exprs)
	if err != nil {
		return err
	}
	if err := b.readGuards(); err != nil {
		return err
	}
	if set, err = b.hold(set); err != nil {
		return err
	}
	cascades, err := b.cascade(b.changing(set))
	if err != nil {
		return err
	}
	if b.judged || shape.WritesByQuery(n) || len(cascades) > 0 || len(b.spelled(b.changing(set))) > 0 {
		return b.readToWrite(set, n.Where, n.OrderBy, n.Limit)
	}
	if err := b.known(n.Where); err != nil {
		return err
	}
	where, exact, err := b.whereOf(n.Where)
	if err != nil {
		return err
	}
	order, sorts, err := b.rowsInOrder(n.OrderBy, n.Limit)
	if err != nil {
		return err
	}
	if !exact || !sorts || !b.constants(set) || len(b.stamps(set)) > 0 {
		return b.readToWrite(set, n.Where, n.OrderBy, n.Limit)
	}
	stored := ast.Clone(n)
	stored.Exprs = b.storedAssignments(set)
	stored.Where = shape.Where(where)
	stored.OrderBy = order
	if b.Run.Remote, err = b.store(stored); err != nil || b.countsChanges(set) {
		return err
	}
	careful := *b
	careful.Run = &recipe.Run{Kind: b.Run.Kind, Table: b.Run.Table, Ignore: b.Run.Ignore, Variables: b.Run.Variables, Told: b.Run.Told}
	if err := careful.readToWrite(set, n.Where, n.OrderBy, n.Limit); err != nil {
		return err
	}
	careful.Run.Write.Outright = b.outright(set, n.Where)
	b.Run.Alternatives[recipe.CountsChanged] = careful.Run
	return nil
}

// outright reports whether an UPDATE of values may write the row that it finds, one at
// most, whether it changes or not. A column that takes the time of a change has to
// know.
func (b *Builder) outright(set []recipe.Assignment, where *ast.Where) bool {
	for i := range b.scope.Table.Columns {
		if b.column(i).OnUpdateNow {
			return false
		}
	}
	for _, a := range set {
		if !b.column(a.Column).Protected() {
			return false
		}
	}
	key := b.scope.Table.RowKey()
	return key != nil && !b.Run.Ignore && b.fixesKey(key, where)
}

// fixesKey reports whether a WHERE lets one row pass at most, by its key.
func (b *Builder) fixesKey(key *catalog.Key, where *ast.Where) bool {
	if where == nil {
		return false
	}
	fixed := b.fixed(where.Expr)
	for _, p := range key.Parts {
		if !fixed[b.scope.Table.Column(p.Column)] {
			return false
		}
	}
	return true
}

// fixed are the columns that a condition lets have one value only.
func (b *Builder) fixed(e ast.Expr) map[int]bool {
	switch n := e.(type) {
	case *ast.AndExpr:
		all := b.fixed(n.Left)
		for i := range b.fixed(n.Right) {
			all[i] = true
		}
		return all
	case *ast.ComparisonExpr:
		name, ok := n.Left.(*ast.ColName)
		_, _, value := operand(n.Right)
		if !ok || !value || n.Operator != ast.EqualOp {
			break
		}
		if i, known := b.scope.Column(name); known {
			return map[int]bool{i: true}
		}
	}
	return map[int]bool{}
}

// known reports a name in a statement that is no column of its table.
func (b *Builder) known(roots ...ast.Node) error {
	return ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if _, ok := b.scope.Column(name); !ok {
				return false, errUnknown
			}
		}
		return true, nil
	}, roots...)
}

// defaultless reports DEFAULT(c) of a column that has none, as part of what another is set
// to: servers find that before they look for rows.
func (b *Builder) defaultless(own int, to ast.Expr) error {
	return ast.Walk(func(n ast.Node) (bool, error) {
		if d, ok := n.(*ast.Default); ok && d.ColName != "" {
			i := b.scope.Table.Column(d.ColName)
			if i < 0 || i != own && b.column(i).Protected() && b.column(i).Type.NotNull && b.column(i).Default.Kind == catalog.NoDefault {
				return false, errUnknown
			}
		}
		return true, nil
	}, to)
}

// assignments are the columns of a SET and what they are set to.
func (b *Builder) assignments(exprs ast.UpdateExprs) ([]recipe.Assignment, error) {
	set := make([]recipe.Assignment, 0, len(exprs))
	for _, e := range exprs {
		i, ok := b.scope.Column(e.Name)
		if !ok {
			return nil, errUnknown
		}
		if _, err := b.scope.UseOf(e.Expr); err != nil {
			return nil, err
		}
		if err := b.defaultless(i, e.Expr); err != nil {
			return nil, err
		}
		a := recipe.Assignment{Column: i, To: e.Expr}
		a.Of, _, a.Given = b.assigned(i, e.Expr)
		a.Given = a.Given && !functions.Draws(e.Expr) // it is another one in each row
		set = append(set, a)
	}
	return set, nil
}

// constants reports whether protected columns are set to values and plain ones to
// what the server can compute.
func (b *Builder) constants(set []recipe.Assignment) bool {
	for _, a := range set {
		if !b.column(a.Column).Protected() {
			if use, _ := b.scope.UseOf(a.To); use == resolve.Protected {
				return false
			}
			continue
		}
		if !a.Given {
			return false
		}
	}
	return true
}

// storedAssignments are the assignments of all forms. A column with tokens keeps
// its sealed form if the token stays, so that the server counts a row that does not
// change as one; since it assigns from left to right, the sealed form goes first.
func (b *Builder) storedAssignments(set []recipe.Assignment) ast.UpdateExprs {
	var all ast.UpdateExprs
	for _, a := range set {
		c := b.column(a.Column)
		if !c.Protected() {
			all = append(all, &ast.UpdateExpr{Name: shape.Column(c.Name), Expr: ast.Clone(a.To)})
			continue
		}
		o, arg, _ := b.assigned(a.Column, a.To)
		var sealed ast.Expr = b.slot(recipe.Slot{Column: a.Column, Form: recipe.Sealed, Of: o}, arg)
		if l := b.distinguishes(a.Column); l != nil {
			same := &ast.ComparisonExpr{
				Operator: ast.NullSafeEqualOp, Left: shape.Column(l.Stored),
				Right: b.slot(recipe.Slot{Column: a.Column, Form: recipe.Token, Layer: l.Capability, Of: o}, arg),
			}
			sealed = call("if", same, shape.Column(c.Name), sealed)
		}
		all = append(all, &ast.UpdateExpr{Name: shape.Column(c.Name), Expr: sealed})
		for _, l := range c.Layers {
			token := b.slot(recipe.Slot{Column: a.Column, Form: recipe.FormOf(&l), Layer: l.Capability, Of: o}, arg)
			all = append(all, &ast.UpdateExpr{Name: shape.Column(l.Stored), Expr: token})
		}
	}
	return all
}

// call is a call of a function of the server's.
func call(name string, args ...ast.Expr) ast.Expr {
	return &ast.FuncExpr{Name: ast.Identifier(name), Exprs: args}
}

// distinguishes is an equality layer whose tokens are equal only where the values
// are the same, nil if the column has none. Those of text are equal for A and a,
// those of a DOUBLE for 0 and -0.
func (b *Builder) distinguishes(i int) *catalog.Layer {
	switch k := b.column(i).Type.Kind; {
	case k.IsInteger(), k.IsTemporal(), k.IsBytes(),
		k == value.Decimal, k == value.Year, k == value.Bit, k == value.Enum, k == value.Set:
		return filledLayer(b.column(i).Layer(policy.Equality))
	}
	return nil
}

// countsChanges reports whether the stored statement changes a row exactly where
// the logical one does.
func (b *Builder) countsChanges(set []recipe.Assignment) bool {
	for _, a := range set {
		if c := b.column(a.Column); c.Protected() && (b.distinguishes(a.Column) == nil || c.Backfills()) {
			return false // a row that gets what it lacked has not changed
		}
	}
	return true
}

// rowsInOrder is the stored ORDER BY of an UPDATE or DELETE. Without a LIMIT the
// order decides only which of several errors comes first.
func (b *Builder) rowsInOrder(by ast.OrderBy, limit *ast.Limit) (ast.OrderBy, bool, error) {
	return b.remoteOrder(&ast.Select{OrderBy: by, SelectExprs: &ast.SelectExprs{}, Limit: limit})
}

// remove plans a DELETE of one table.
func (b *Builder) remove(n *ast.Delete) error {
	if len(n.Partitions) > 0 {
		return &resolve.Beyond{What: "PARTITION"}
	}
	b.Run.Ignore = bool(n.Ignore)
	if err := b.over(n.TableExprs...); err != nil {
		return err
	}
	cascades, err := b.cascade(nil)
	if err != nil {
		return err
	}
	if shape.WritesByQuery(n) || len(cascades) > 0 {
		return b.readToDelete(n)
	}
	if err := b.known(n); err != nil {
		return err
	}
	where, exact, err := b.whereOf(n.Where)
	if err != nil {
		return err
	}
	order, sorts, err := b.rowsInOrder(n.OrderBy, n.Limit)
	if err != nil {
		return err
	}
	if !exact || !sorts {
		return b.readToDelete(n)
	}
	stored := ast.Clone(n)
	stored.Where = shape.Where(where)
	stored.OrderBy = order
	if b.Run.Remote, err = b.store(stored); err != nil {
		return err
	}
	return b.returning(stored)
}
