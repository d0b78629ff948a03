package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// around is a condition that the server can decide and that holds wherever e does; nil if
// there is none. It is for what predicate is not: an order layer that does not tell all values
// apart, because it has a grain or has only the beginning of a string, still says where they
// are. Of a value v its tokens T have v < w ⇒ T(v) ≤ T(w), so that each bound is taken with
// those that share its token, and e is left to be decided over the rows that come back.
func (b *Builder) around(e ast.Expr) (ast.Expr, *ending) {
	if b.withoutTokens {
		return nil, nil //nolint:nilnil // nothing is narrowed
	}
	switch n := e.(type) {
	case *ast.OrExpr:
		return b.aroundEither(n)
	case *ast.ComparisonExpr:
		return b.aroundComparison(n), nil
	case *ast.BetweenExpr:
		return b.aroundBetween(n), nil
	}
	return nil, nil //nolint:nilnil // as above
}

// aroundEither is what is around both sides: with one of them alone rows would be missing.
func (b *Builder) aroundEither(n *ast.OrExpr) (ast.Expr, *ending) {
	left, end := b.narrowing(n.Left)
	if end != nil || left == nil {
		return nil, end
	}
	right, end := b.narrowing(n.Right)
	if end != nil || right == nil {
		return nil, end
	}
	return &ast.OrExpr{Left: left, Right: right}, nil
}

// narrowing is all that the server can decide of a condition, nil if that is nothing.
func (b *Builder) narrowing(e ast.Expr) (ast.Expr, *ending) {
	remote, _, end := b.condition(e)
	return remote, end
}

// wide are the comparisons of tokens that are around a comparison of values.
var wide = map[ast.ComparisonExprOperator]ast.ComparisonExprOperator{
	ast.EqualOp: ast.EqualOp, ast.NullSafeEqualOp: ast.NullSafeEqualOp,
	ast.LessThanOp: ast.LessEqualOp, ast.LessEqualOp: ast.LessEqualOp,
	ast.GreaterThanOp: ast.GreaterEqualOp, ast.GreaterEqualOp: ast.GreaterEqualOp,
}

func (b *Builder) aroundComparison(n *ast.ComparisonExpr) ast.Expr {
	if n.Modifier != ast.Missing || n.Escape != nil {
		return nil
	}
	if n.Operator == ast.InOp {
		return b.aroundList(n)
	}
	c, ok := b.comparand(n)
	if !ok {
		return nil
	}
	as, widens := wide[c.op]
	layer := b.scope.LayerAround(c.column)
	if layer == nil || !widens {
		return nil
	}
	use := recipe.Around
	if c.op == ast.EqualOp || c.op == ast.NullSafeEqualOp {
		use = recipe.Equal
	}
	return &ast.ComparisonExpr{Operator: as, Left: shape.Column(layer.Stored), Right: b.token(c.column, layer, use, c.to)}
}

func (b *Builder) aroundBetween(n *ast.BetweenExpr) ast.Expr {
	i := b.scope.Protected(n.Left)
	layer := b.scope.LayerAround(i)
	if layer == nil || !n.IsBetween {
		return nil
	}
	if stored, ok := b.betweenTokens(n, i, layer, recipe.Around, recipe.Around); ok {
		return stored
	}
	return nil
}

// aroundList is around IN.
func (b *Builder) aroundList(n *ast.ComparisonExpr) ast.Expr {
	i := b.scope.Protected(n.Left)
	list, ok := n.Right.(ast.ValTuple)
	layer := b.scope.LayerAround(i)
	if layer == nil || !ok {
		return nil
	}
	tokens, ok := b.tokens(i, layer, list)
	if !ok {
		return nil
	}
	return &ast.ComparisonExpr{Operator: ast.InOp, Left: shape.Column(layer.Stored), Right: tokens}
}
