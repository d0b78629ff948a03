package build

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/functions"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// update plans an UPDATE of one table: as one stored statement where the server
// finds the rows, has the new values and can count what changes; otherwise as a
// read of the rows FOR UPDATE that are then written back one by one.
func (b *Builder) update(n *ast.Update) *ending {
	if end := b.over(n.TableExprs...); end != nil {
		return end
	}
	if end := b.known(n.Exprs, n.OrderBy); end != nil {
		return end
	}
	b.Run.Ignore = bool(n.Ignore)
	set, end := b.assignments(n.Exprs)
	if end != nil {
		return end
	}
	if end := b.readGuards(); end != nil {
		return end
	}
	if set, end = b.hold(set); end != nil {
		return end
	}
	cascades, end := b.cascade(b.changing(set))
	if end != nil {
		return end
	}
	if b.judged || shape.WritesByQuery(n) || len(cascades) > 0 || len(b.spelled(b.changing(set))) > 0 {
		return b.readToWrite(set, n.Where, n.OrderBy, n.Limit)
	}
	if end := b.known(n.Where); end != nil {
		return end
	}
	where, exact, end := b.whereOf(n.Where)
	if end != nil {
		return end
	}
	order, sorts, end := b.rowsInOrder(n.OrderBy, n.Limit)
	if end != nil {
		return end
	}
	if !exact || !sorts || !b.scope.Constants(set) || len(b.scope.Stamps(set)) > 0 || !setsFamilies(b.scope, set) {
		return b.readToWrite(set, n.Where, n.OrderBy, n.Limit)
	}
	if n.OrderBy == nil && n.Limit == nil && !b.Run.Ignore {
		b.lockOneRow(n.Where)
	}
	b.Run.Alone = b.Run.Locks && b.alone(set)
	stored := ast.Clone(n)
	stored.Exprs = b.storedAssignments(set)
	stored.Where = shape.Where(where)
	stored.OrderBy = order
	b.Run.Does = &recipe.Change{}
	if b.Run.Remote, end = b.store(stored); end != nil || b.countsChanges(set) {
		return end
	}
	careful := *b
	careful.Run = &recipe.Run{Kind: b.Run.Kind, Table: b.Run.Table, Ignore: b.Run.Ignore, Variables: b.Run.Variables, Told: b.Run.Told}
	if end := careful.readToWrite(set, n.Where, n.OrderBy, n.Limit); end != nil {
		return end
	}
	careful.Run.Rewrite().Outright = b.outright(set, n.Where)
	b.Run.Alternatives[recipe.CountsChanged] = careful.Run
	return nil
}

// outright reports whether an UPDATE of values may write the row that it finds, one at
// most, whether it changes or not. A column that takes the time of a change has to
// know.
func (b *Builder) outright(set []recipe.Assignment, where *ast.Where) bool {
	for i := range b.scope.Table.Columns {
		if b.scope.At(i).OnUpdateNow {
			return false
		}
	}
	for _, a := range set {
		if !b.scope.At(a.Column).Protected() {
			return false
		}
	}
	key := b.scope.Table.RowKey()
	return key != nil && !b.Run.Ignore && fixesKey(b.scope, key, where)
}

// known reports a name in a statement that is no column of its table.
func (b *Builder) known(roots ...ast.Node) *ending {
	return walk(func(n ast.Node) (bool, *ending) {
		if name, ok := n.(*ast.ColName); ok {
			if _, ok := b.scope.Column(name); !ok {
				return false, unknown()
			}
		}
		return true, nil
	}, roots...)
}

// defaultless reports DEFAULT(c) of a column that has none, as part of what another is set
// to: servers find that before they look for rows.
func (b *Builder) defaultless(own int, to ast.Expr) *ending {
	return walk(func(n ast.Node) (bool, *ending) {
		if d, ok := n.(*ast.Default); ok && d.ColName != "" {
			i := b.scope.Table.Column(d.ColName)
			if i < 0 || i != own && b.scope.At(i).Protected() && b.scope.At(i).Type.NotNull && b.scope.At(i).Default.Kind == catalog.NoDefault {
				return false, unknown()
			}
		}
		return true, nil
	}, to)
}

// assignments are the columns of a SET, which are noted, and what they are set to.
func (b *Builder) assignments(exprs ast.UpdateExprs) ([]recipe.Assignment, *ending) {
	set := make([]recipe.Assignment, 0, len(exprs))
	for _, e := range exprs {
		i, ok := b.scope.Column(e.Name)
		if !ok {
			return nil, unknown()
		}
		if _, end := refusing(b.scope.UseOf(e.Expr)); end != nil {
			return nil, end
		}
		if end := b.defaultless(i, e.Expr); end != nil {
			return nil, end
		}
		a := recipe.Assignment{Column: i, To: e.Expr}
		a.Of, _, a.Given = b.assigned(i, e.Expr)
		a.Given = a.Given && !functions.Draws(e.Expr) // it is another one in each row
		set = append(set, a)
	}
	b.writes(set)
	return set, nil
}

// storedAssignments are the assignments of all forms. A column with tokens keeps
// its sealed form if the token stays, so that the server counts a row that does not
// change as one; since it assigns from left to right, the sealed form goes first.
func (b *Builder) storedAssignments(set []recipe.Assignment) ast.UpdateExprs {
	given, first := make([]givenValue, len(set)), len(b.Run.Slots)
	for n, a := range set {
		given[n].column = a.Column
		given[n].of, given[n].arg, _ = b.assigned(a.Column, a.To)
	}
	r := b.records()
	all := r.set(given)
	if len(all) > 0 {
		b.Run.Slots[first].First = setInOrder(b.scope, given)
	}
	for n, a := range set {
		c, g := b.scope.At(a.Column), &given[n]
		if !c.Protected() {
			all = append(all, &ast.UpdateExpr{Name: shape.Column(c.Stored()), Expr: ast.Clone(a.To)})
			continue
		}
		if c.Family == "" {
			var sealed ast.Expr = b.slot(recipe.Slot{Column: a.Column, Form: recipe.Sealed, Of: g.of}, g.arg)
			if same := r.sameToken(g); same != nil {
				sealed = call("if", same, shape.Column(c.Stored()), sealed)
			}
			all = append(all, &ast.UpdateExpr{Name: shape.Column(c.Stored()), Expr: sealed})
		}
		for _, l := range c.Layers {
			token := b.slot(recipe.Slot{Column: a.Column, Form: recipe.FormOf(&l), Layer: l.Capability, Of: g.of}, g.arg)
			all = append(all, &ast.UpdateExpr{Name: shape.Column(l.Stored), Expr: token})
		}
	}
	return all
}

// countsChanges reports whether the stored statement changes a row exactly where
// the logical one does.
func (b *Builder) countsChanges(set []recipe.Assignment) bool {
	for _, a := range set {
		if c := b.scope.At(a.Column); c.Protected() && (b.scope.Distinguishes(a.Column) == nil || c.Backfills()) {
			return false // a row that gets what it lacked has not changed
		}
	}
	return true
}

// rowsInOrder is the stored ORDER BY of an UPDATE or DELETE. Without a LIMIT the
// order decides only which of several errors comes first.
func (b *Builder) rowsInOrder(by ast.OrderBy, limit *ast.Limit) (ast.OrderBy, bool, *ending) {
	return b.remoteOrder(&ast.Select{OrderBy: by, SelectExprs: &ast.SelectExprs{}, Limit: limit})
}

// remove plans a DELETE of one table.
func (b *Builder) remove(n *ast.Delete) *ending {
	if len(n.Partitions) > 0 {
		return beyond("PARTITION")
	}
	b.Run.Ignore = bool(n.Ignore)
	if end := b.over(n.TableExprs...); end != nil {
		return end
	}
	cascades, end := b.cascade(nil)
	if end != nil {
		return end
	}
	if shape.WritesByQuery(n) || len(cascades) > 0 {
		return b.readToDelete(n)
	}
	if end := b.known(n); end != nil {
		return end
	}
	where, exact, end := b.whereOf(n.Where)
	if end != nil {
		return end
	}
	order, sorts, end := b.rowsInOrder(n.OrderBy, n.Limit)
	if end != nil {
		return end
	}
	if !exact || !sorts {
		return b.readToDelete(n)
	}
	stored := ast.Clone(n)
	stored.Where = shape.Where(where)
	stored.OrderBy = order
	b.Run.Does = &recipe.Change{}
	if b.Run.Remote, end = b.store(stored); end != nil {
		return end
	}
	return b.returning(stored)
}
