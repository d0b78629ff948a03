package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// query plans a SELECT over one table: as one stored statement whose rows only have
// to be opened, where that is the answer; else as one that fetches the columns
// that are needed of the rows that can qualify, and steps that finish them.
func (b *Builder) query(n *ast.Select) *ending {
	plain := *n
	plain.GroupBy = nil // what there may be in it is followed
	if end := followed(&plain); end != nil {
		return end
	}
	if end := b.over(n.From...); end != nil {
		return end
	}
	n, end := ownWindows(n)
	if end != nil {
		return end
	}
	b.scope.Windows = true
	b.asQuery().Counts = n.SQLCalcFoundRows
	items, end := b.items(n.SelectExprs.Exprs)
	if end != nil {
		return end
	}
	if b.Run.Answer.Describe, end = b.described(); end != nil {
		return end
	}
	b.Run.Answer.Stars = b.scope.StarsOf(n.SelectExprs.Exprs)
	twin.FindDigits(&b.Run.Answer, n, items)
	b.Run.Answer.Keys = twin.KeysOf(n)
	where, exact, end := b.whereOf(n.Where)
	if end != nil {
		return end
	}
	b.Run.Key, b.Run.Locks = b.rowOfQuery(n, items)
	if b.Into {
		b.asQuery().Derived = b.scope.Derived(items)
	}
	if exact && !b.Into && (!rolledUp(n) || !b.scope.AnyProtected(n)) {
		done, end := b.remoteQuery(n, items, where)
		if end != nil || done {
			return end
		}
	}
	if whole := withoutAnyValue(n); whole != n {
		if end := ofFilled(n, b.scope.Table); end != nil {
			return end
		}
		n = whole
		if items, end = b.items(n.SelectExprs.Exprs); end != nil {
			return end
		}
	}
	return b.localQuery(n, items, where, exact)
}

// asQuery is what a Run of a query does, as far as it is planned.
func (b *Builder) asQuery() *recipe.Query {
	q, ok := b.Run.Does.(*recipe.Query)
	if !ok {
		q = &recipe.Query{}
		b.Run.Does = q
	}
	return q
}

// followed refuses the clauses of a SELECT that are not followed. Every field of
// the node is one that is looked at here or in the plan.
func followed(n *ast.Select) *ending {
	for _, c := range []struct {
		there bool
		what  string
	}{
		{n.With != nil, "WITH"},
		{n.Into != nil, "SELECT … INTO"},
		{n.GroupBy != nil && n.GroupBy.WithRollup, "WITH ROLLUP"},
	} {
		if c.there {
			return beyond(c.what)
		}
	}
	return nil
}

// items are the columns of the answer, with * resolved.
func (b *Builder) items(exprs []ast.SelectExpr) ([]recipe.Item, *ending) {
	var items []recipe.Item
	for _, e := range exprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			if !b.scope.Star(e) {
				return nil, unknown()
			}
			for i := range b.scope.Table.Columns {
				if c := b.scope.At(i); !c.Invisible {
					items = append(items, recipe.Item{Expr: shape.Column(c.Name), Column: i})
				}
			}
		case *ast.AliasedExpr:
			items = append(items, recipe.Item{Expr: e.Expr, As: e.As, Column: b.columnOf(e.Expr)})
		default:
			return nil, beyond("what is selected")
		}
	}
	return items, nil
}

// columnOf is the column that an expression is, -1 if it is something else.
func (b *Builder) columnOf(e ast.Expr) int {
	n, ok := e.(*ast.ColName)
	switch {
	case !ok:
		return -1
	case b.block != nil:
		return b.block.number(n)
	}
	if i, ok := b.scope.Column(n); ok {
		return i
	}
	return -1
}

// whereOf is what the server decides of a WHERE; exact says that it is all. The
// rest is left in b.rest.
func (b *Builder) whereOf(w *ast.Where) (remote ast.Expr, exact bool, end *ending) {
	b.rest = nil
	if w == nil {
		return nil, true, nil
	}
	remote, b.rest, end = b.conditions().condition(w.Expr)
	return remote, b.rest == nil, end
}

// remoteQuery plans the query as one whose rows are only opened. It is not, where
// the server would have to compute, compare or sort what it cannot read.
func (b *Builder) remoteQuery(n *ast.Select, items []recipe.Item, where ast.Expr) (bool, *ending) {
	exprs := make([]ast.SelectExpr, 0, len(items))
	made := recipe.Run{Cells: make([]recipe.Cell, 0, len(items)), Fetch: make([]recipe.Fetch, 0, len(items))}
	g := groupsOf(n, items)
	if b.tellsVariable(n) {
		return false, nil
	}
	if n.Distinct && windowed(items, nil) != nil {
		return false, nil // DISTINCT is behind windows, and GROUP BY, which stands for it, before
	}
	for _, it := range items {
		e, opened, ok, end := b.remoteItem(it, &g)
		if end != nil || !ok {
			return false, end
		}
		of, f := itemCell(b.scope.Table, it, opened), recipe.Fetch{Column: it.Column, Group: g.any}
		if !g.any && made.ShareCell(of, f) { // of groups the server may count positions
			continue
		}
		exprs = append(exprs, e)
		made.AddFetch(of, f)
	}
	order, ok, end := b.remoteOrder(n)
	if end != nil || !ok {
		return false, end
	}
	for _, c := range b.keyCells(made.Cells) {
		exprs = append(exprs, &ast.AliasedExpr{Expr: shape.Column(b.scope.At(c.Column).Stored())})
		made.AddCell(c)
	}
	if !g.any {
		for _, c := range b.rowTokens(made.Cells) {
			exprs = append(exprs, &ast.AliasedExpr{Expr: b.tokenColumn(c)})
			made.AddCell(c)
		}
	}
	stored := ast.Clone(n)
	stored.SelectExprs = &ast.SelectExprs{Exprs: exprs}
	stored.Where = shape.Where(where)
	stored.OrderBy = order
	if g.any && (!b.storedGroups(n, stored, &g) || b.sortsByProtected(n)) {
		return false, nil
	}
	b.markDates(items, made.Fetch, &g)
	b.Run.Cells, b.Run.Fetch = made.Cells, made.Fetch
	b.Run.Remote, end = b.store(stored)
	return end == nil, end
}

// remoteItem is what the server selects for a column of the answer, and whether it
// is a sealed form; false if it cannot.
func (b *Builder) remoteItem(it recipe.Item, g *groups) (e *ast.AliasedExpr, opened, ok bool, end *ending) {
	use, end := refusing(b.scope.UseOf(it.Expr))
	switch {
	case end != nil || b.conditions().tells(it.Expr, use) || b.secret && shape.ReadsVariable(it.Expr):
		return nil, false, false, end
	case use != resolve.Protected:
		return &ast.AliasedExpr{Expr: ast.Clone(it.Expr), As: it.As}, false, true, nil // GROUP BY may name the alias
	}
	if counted := b.counts(it.Expr); counted != nil {
		return &ast.AliasedExpr{Expr: counted}, false, true, nil
	}
	i := b.scope.Protected(it.Expr)
	if i < 0 {
		return nil, false, false, nil
	}
	if !g.any {
		return &ast.AliasedExpr{Expr: shape.Column(b.scope.At(i).Stored())}, true, true, nil
	}
	one := b.scope.Representative(it.Expr, g.by)
	return &ast.AliasedExpr{Expr: one}, true, one != nil, nil
}

// sortsByProtected reports whether an ORDER BY is by what the groups do not have: a
// token other than their key's.
func (b *Builder) sortsByProtected(n *ast.Select) bool {
	for _, o := range n.OrderBy {
		e := o.Expr
		if aliased := aliasedBy(e, n); aliased != nil {
			e = aliased
		}
		if use, err := b.scope.UseOf(e); err != nil || use == resolve.Protected {
			return true
		}
	}
	return false
}

// counts is the stored form of a COUNT over a protected column, nil if it is
// something else. NULL is NULL in every form, and equal tokens are equal values.
func (b *Builder) counts(e ast.Expr) ast.Expr {
	n, ok := e.(*ast.Count)
	if !ok || len(n.Args) != 1 || shape.IsWindowed(n) {
		return nil
	}
	i := b.scope.Protected(n.Args[0])
	switch {
	case i < 0:
		return nil
	case !n.Distinct:
		null := b.scope.NullIndicator(i)
		if null == nil {
			return nil
		}
		return &ast.Count{Args: []ast.Expr{null}}
	}
	l := b.scope.LayerFor(i, recipe.Equal)
	if l == nil || b.otherwisePut(i) {
		return nil
	}
	return &ast.Count{Args: []ast.Expr{shape.Column(l.Stored)}, Distinct: true}
}

func aggregates(items []recipe.Item) bool {
	for _, it := range items {
		if shape.HasAggregate(it.Expr) {
			return true
		}
	}
	return false
}
