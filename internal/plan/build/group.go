package build

import (
	"slices"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// keyOf is the stored form of a key that rows are grouped by: what is plain as it
// is, and the token of a protected column whose equal tokens are the same value.
// Those of text are not: which of A and a stands for both is the first row's to
// say. false if the server cannot group by it.
func (b *Builder) keyOf(e ast.Expr) (ast.Expr, bool) {
	if i := b.protectedColumn(e); i >= 0 {
		l := b.distinguishes(i)
		if l == nil || b.otherwisePut(i) {
			return nil, false
		}
		return shape.Column(l.Stored), true
	}
	use, err := b.scope.UseOf(e)
	return ast.Clone(e), err == nil && use != resolve.Protected
}

// representative is the stored form of a selected column that rows are grouped by:
// any of the sealed forms of the group, which all open to one value. nil if rows
// are not grouped by it.
func (b *Builder) representative(e ast.Expr, by []ast.Expr) ast.Expr {
	i := b.protectedColumn(e)
	if i < 0 || b.distinguishes(i) == nil {
		return nil
	}
	for _, k := range by {
		if b.protectedColumn(k) == i {
			return &ast.Min{Arg: shape.Column(b.column(i).Name)}
		}
	}
	return nil
}

// isDate reports whether a column's dates may be without a month or day.
func (b *Builder) isDate(i int) bool {
	k := b.column(i).Type.Kind
	return k == value.Date || k == value.DateTime
}

// isMoment reports whether a column's values are moments, which clocks of two zones show differently.
func (b *Builder) isMoment(i int) bool { return b.column(i).Type.Kind == value.Timestamp }

// otherwisePut reports whether this is the run for sessions that put values of a column together otherwise
// than by its tokens.
func (b *Builder) otherwisePut(i int) bool { return b.withoutTokens && (b.isDate(i) || b.isMoment(i)) }

// markDates says which columns of an answer are dates that the server has grouped by,
// and whether there are dates that it has grouped or counted by and does not return. So it does of
// moments, returned or not.
func (b *Builder) markDates(items []recipe.Item, fetch []recipe.Fetch, g *groups) {
	for _, k := range g.by {
		i := b.protectedColumn(k)
		b.Run.Moments = b.Run.Moments || i >= 0 && b.isMoment(i)
		if i < 0 || !b.isDate(i) {
			continue
		}
		shown := slices.IndexFunc(fetch, func(f recipe.Fetch) bool { return f.Opened && f.Column == i })
		if shown < 0 {
			b.Run.HiddenDates = true
			continue
		}
		fetch[shown].Key = true
	}
	for _, it := range items {
		n, ok := it.Expr.(*ast.Count)
		if !ok || !n.Distinct || shape.IsWindowed(n) {
			continue
		}
		i := b.protectedColumn(n.Args[0])
		b.Run.HiddenDates = b.Run.HiddenDates || i >= 0 && b.isDate(i)
		b.Run.Moments = b.Run.Moments || i >= 0 && b.isMoment(i)
	}
}

// groups are what the rows of a query's answer stand for.
type groups struct {
	any   bool       // a row stands for several of the table
	by    []ast.Expr // the keys that they are grouped by
	known bool       // by is all of them
}

// groupsOf reads a query's groups. DISTINCT groups by all that is selected. Nothing
// is known of a query that does both.
func groupsOf(n *ast.Select, items []recipe.Item) groups {
	explicit := n.GroupBy != nil || n.Having != nil || aggregates(items)
	g := groups{any: n.Distinct || explicit, known: !n.Distinct || !explicit}
	switch {
	case !g.known:
	case n.Distinct:
		for _, it := range items {
			g.by = append(g.by, it.Expr)
		}
	case n.GroupBy != nil:
		g.by = n.GroupBy.Exprs
	}
	return g
}

// storedGroups rewrites the GROUP BY of a stored query; false if the server cannot
// group as the client asks.
func (b *Builder) storedGroups(n, stored *ast.Select, g *groups) bool {
	if n.Having != nil {
		if use, err := b.scope.UseOf(n.Having.Expr); err != nil || use == resolve.Protected {
			return false
		}
	}
	protected := false
	keys := make([]ast.Expr, 0, len(g.by))
	for _, e := range g.by {
		if use, err := b.scope.UseOf(e); err == nil && use == resolve.Constant && n.GroupBy == nil {
			continue // of DISTINCT, where a number is no position
		}
		key, ok := b.keyOf(e)
		if !ok {
			return false
		}
		protected = protected || b.protectedColumn(e) >= 0
		keys = append(keys, key)
	}
	switch {
	case !g.known:
		return !b.anyProtected(n)
	case protected:
		stored.Distinct, stored.GroupBy = false, &ast.GroupBy{Exprs: keys}
	case n.GroupBy != nil:
		stored.GroupBy = &ast.GroupBy{Exprs: keys, WithRollup: rolledUp(n)}
	}
	return true
}

// anyProtected reports whether a query has anything to do with a protected column.
func (b *Builder) anyProtected(n *ast.Select) (found bool) {
	_ = ast.Walk(func(node ast.Node) (bool, error) {
		if name, ok := node.(*ast.ColName); ok {
			i, known := b.scope.Column(name)
			found = found || !known || b.column(i).Protected()
		}
		return !found, nil
	}, n)
	return found
}
