package build

import (
	"slices"
	"strconv"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// Where the server joins tables whose rows it does not choose, it sends a row of the one with each that it meets of the other. Where
// tunic chooses rows of one of them, by what the server cannot decide, the rows of each table can come once instead:
//
//	SELECT … FROM part, lineitem WHERE p_partkey = l_partkey AND p_name LIKE '%green%' GROUP BY …
//
//	remote   select … from part join lineitem on p_partkey$eq = l_partkey$eq
//	or       select … from part union all select … from lineitem
//	local    of lineitem only the rows that meet a part of such a name
//
// Which of them is less is known when the server has joined them once: see recipe.Apart.

// fetchApart plans the statement once more so that the server does not join such tables, if it does. The client is to get nothing
// before all rows are there: what turns out to be too much is begun again.
func (b *Builder) fetchApart() {
	if tree := b.Run.Tree; tree == nil || !b.joinsWhole || b.apart || tree.NamesTwice || tree.Skipped != nil || !endsAtOnce(tree.Root) {
		return
	}
	other := *b
	other.apart, other.Run, other.scope = true, b.fresh(), nil
	if other.build(b.Tree.Root()) != nil || other.Run.Tree == nil || other.Run.Tree.NamesTwice {
		return
	}
	if chooses(other.Run.Tree) {
		b.Run.Alternatives[recipe.Apart] = other.Run
	}
}

// limitApart has the server stop where it is certain that there are too many rows: the client waits for what comes in vain.
func (t *treeBuilder) limitApart(n *ast.Select) {
	if t.apart && n.Limit == nil {
		n.Limit = &ast.Limit{Rowcount: &ast.Literal{Type: ast.IntVal, Val: strconv.Itoa(recipe.ApartMost + 1)}}
	}
}

// chooses reports whether rows that come apart are of no use: those that are held to others, or those that a subquery leaves out.
func chooses(tree *recipe.Tree) bool {
	b, ok := tree.Root.(*recipe.Block)
	attaches := ok && slices.ContainsFunc(b.Steps, func(s recipe.Step) bool { _, is := s.(*recipe.Attach); return is })
	return attaches || slices.ContainsFunc(tree.Leaves, func(l recipe.Leaf) bool { return len(l.Meets) > 0 })
}

// endsAtOnce reports whether no row of a relation is known before all that it is made of is.
func endsAtOnce(r recipe.Relation) bool {
	b, ok := r.(*recipe.Block)
	return ok && slices.ContainsFunc(b.Steps, func(s recipe.Step) bool {
		switch s.(type) {
		case *recipe.Group, *recipe.Sort:
			return true
		}
		return false
	})
}

// chooseApart has tunic choose rows that come apart by what conditions of several tables say of each of them:
//
//	(a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)  implies  a.x = 1 OR a.x = 3
//
// What such a condition warns of is a refusal, and the server joins the rows.
func (s *scope) chooseApart(parts []recipe.From, conditions []ast.Expr) {
	for _, p := range parts {
		source, ok := p.(*recipe.Source)
		if !ok || !s.tree.apart {
			continue
		}
		for _, c := range conditions {
			if _, or := c.(*ast.OrExpr); or {
				source.Where = shape.And(source.Where, s.saidOf(source, c))
			}
		}
	}
}

// saidOf is what an OR says of a source alone, which each of its parts does; nil for nothing.
func (s *scope) saidOf(of *recipe.Source, e ast.Expr) ast.Expr {
	if or, ok := e.(*ast.OrExpr); ok {
		left, right := s.saidOf(of, or.Left), s.saidOf(of, or.Right)
		if left == nil || right == nil {
			return nil
		}
		return &ast.OrExpr{Left: left, Right: right}
	}
	var all ast.Expr
	for _, c := range ast.Conjuncts(e, nil) {
		if _, or := c.(*ast.OrExpr); !or && s.only(c, of) {
			all = shape.And(all, ast.Clone(c))
		}
	}
	return all
}
