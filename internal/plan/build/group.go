package build

import (
	"slices"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// keyOf is the stored form of a key that rows are grouped by: what is plain as it
// is, and the token of a protected column whose equal tokens are the same value.
// Those of text are not: which of A and a stands for both is the first row's to
// say. false if the server cannot group by it.
func (b *Builder) keyOf(e ast.Expr) (ast.Expr, bool) {
	if i := b.scope.Protected(e); i >= 0 {
		l := b.scope.Distinguishes(i)
		if l == nil || b.otherwisePut(i) {
			return nil, false
		}
		return shape.Column(l.Stored), true
	}
	use, err := b.scope.UseOf(e)
	return ast.Clone(e), err == nil && use != resolve.Protected
}

// otherwisePut reports whether this is the run for sessions that put values of a column together otherwise
// than by its tokens.
func (b *Builder) otherwisePut(i int) bool {
	return b.withoutTokens && (b.scope.IsDate(i) || b.scope.IsMoment(i))
}

// markDates says which columns of an answer are dates that the server has grouped by,
// and whether there are dates that it has grouped or counted by and does not return. So it does of
// moments, returned or not.
func (b *Builder) markDates(items []recipe.Item, fetch []recipe.Fetch, g *groups) {
	q := b.asQuery()
	for _, k := range g.by {
		i := b.scope.Protected(k)
		q.Moments = q.Moments || i >= 0 && b.scope.IsMoment(i)
		if i < 0 || !b.scope.IsDate(i) {
			continue
		}
		shown := slices.IndexFunc(fetch, func(f recipe.Fetch) bool { return f.Opened && f.Column == i })
		if shown < 0 {
			q.HiddenDates = true
			continue
		}
		fetch[shown].Key = true
	}
	for _, it := range items {
		n, ok := it.Expr.(*ast.Count)
		if !ok || !n.Distinct || shape.IsWindowed(n) {
			continue
		}
		i := b.scope.Protected(n.Args[0])
		q.HiddenDates = q.HiddenDates || i >= 0 && b.scope.IsDate(i)
		q.Moments = q.Moments || i >= 0 && b.scope.IsMoment(i)
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
		protected = protected || b.scope.Protected(e) >= 0
		keys = append(keys, key)
	}
	switch {
	case !g.known:
		return !b.scope.AnyProtected(n)
	case protected:
		stored.Distinct, stored.GroupBy = false, &ast.GroupBy{Exprs: keys}
	case n.GroupBy != nil:
		stored.GroupBy = &ast.GroupBy{Exprs: keys, WithRollup: rolledUp(n)}
	}
	return true
}
