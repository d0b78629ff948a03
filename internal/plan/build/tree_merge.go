package build

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/information"
	"tunic/internal/plan/shape"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// merge has the server join two parts, if it can decide a condition that both are in:
// an equality of plain columns, or of tokens of one domain. The part is the first one
// then, and what else there is to decide of its rows is decided here.
func (s *scope) merge(left, right recipe.From, conditions []ast.Expr) (merged bool, rest []ast.Expr) {
	l, r := s.tree.fetchedOf(left), s.tree.fetchedOf(right)
	if l == nil || r == nil || l == r {
		return false, conditions
	}
	both := &recipe.Join{Left: left, Right: right}
	var on, local ast.Expr
	for _, c := range conditions {
		if !s.within(c, both) || len(s.ownSources(c)) < 2 || s.readsOutside(c) {
			rest = append(rest, c)
			continue
		}
		if stored := s.storedEquality(c); stored != nil {
			on = shape.And(on, stored)
		} else {
			local = shape.And(local, c)
		}
	}
	if on == nil {
		return false, conditions
	}
	if !l.chosen() && !r.chosen() && l.lock == ast.NoLock && r.lock == ast.NoLock { // apart, rows that meet none would be locked
		if s.tree.joinsWhole = true; s.tree.apart {
			return false, conditions
		}
	}
	l.from = &ast.JoinTableExpr{LeftExpr: l.entry(), RightExpr: r.entry(), Join: ast.NormalJoinType, Condition: &ast.JoinCondition{On: on}}
	l.leaves = append(l.leaves, r.leaves...)
	l.source.Where = shape.And(shape.And(l.source.Where, r.source.Where), local)
	l.source.Keys = append(l.source.Keys, r.source.Keys...)
	for _, of := range s.sources {
		if of.made == r.source {
			of.made = l.source
		}
	}
	s.tree.forget(r)
	return true, rest
}

// entry is what is fetched in FROM.
func (f *fetched) entry() ast.TableExpr {
	if f.from != nil {
		return f.from
	}
	return f.leaves[0].entry()
}

// fetchedOf are the fetched rows that a part of FROM is, nil if it is anything else.
func (t *treeBuilder) fetchedOf(part recipe.From) *fetched {
	for _, f := range t.fetched {
		if part == recipe.From(f.source) {
			return f
		}
	}
	return nil
}

func (t *treeBuilder) forget(gone *fetched) {
	for i, f := range t.fetched {
		if f == gone {
			t.fetched = append(t.fetched[:i:i], t.fetched[i+1:]...)
			return
		}
	}
}

// storedEquality is the stored form of an equality of two columns of different tables;
// nil if the server cannot decide it.
func (s *scope) storedEquality(c ast.Expr) ast.Expr {
	n, ok := c.(*ast.ComparisonExpr)
	if !ok || n.Operator != ast.EqualOp || n.Modifier != ast.Missing {
		return nil
	}
	l, left := s.leafColumn(n.Left)
	r, right := s.leafColumn(n.Right)
	if l == nil || r == nil {
		return nil
	}
	p := storedEqual(l, left, r, right)
	if p == nil {
		return nil
	}
	return &ast.ComparisonExpr{Operator: ast.EqualOp, Left: p.of, Right: p.by}
}

// storedPair are two stored columns that the server can compare.
type storedPair struct{ of, by ast.Expr }

// storedEqual are the stored columns of an equality of columns of two leaves; nil if the server cannot decide it.
func storedEqual(l *leaf, a *ast.ColName, k *leaf, b *ast.ColName) *storedPair {
	left, leftToken := l.equality(a)
	right, rightToken := k.equality(b)
	switch {
	case left == nil || right == nil || left.Protected() != right.Protected():
		return nil
	case !left.Protected():
		if !quiet(&left.Type, &right.Type) {
			return nil
		}
		return &storedPair{ast.Clone(a), ast.Clone(b)}
	case leftToken == nil || rightToken == nil || !sameTokens(left, right):
		return nil
	}
	return &storedPair{leftToken, rightToken}
}

// leafColumn is the leaf of this block that an expression is a column of; nil of any other.
func (s *scope) leafColumn(e ast.Expr) (*leaf, *ast.ColName) {
	n, ok := e.(*ast.ColName)
	if !ok {
		return nil, nil
	}
	of := s.owns(n)
	if of == nil {
		return nil, nil
	}
	return of.leaf, n
}

// equality is the column of a leaf with a name, and its token where it is protected and has an
// equality layer.
func (l *leaf) equality(n *ast.ColName) (*catalog.Column, ast.Expr) {
	i := l.table.Column(n.Name.String())
	if i < 0 {
		return nil, nil
	}
	c := &l.table.Columns[i]
	if information.IsTold(l.table) && information.Worded(c.Name) {
		return nil, nil
	}
	layer := columns.Ready(c.Layer(policy.Equality))
	if !c.Protected() || layer == nil {
		return c, nil
	}
	token := shape.Column(layer.Stored)
	shape.Qualify(token, l.unique)
	return c, token
}
