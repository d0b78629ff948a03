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
func (d *conditions) around(e ast.Expr) (ast.Expr, *ending) {
	if d.withoutTokens {
		return nil, nil //nolint:nilnil // nothing is narrowed
	}
	switch n := e.(type) {
	case *ast.OrExpr:
		return d.aroundEither(n)
	case *ast.ComparisonExpr:
		return d.aroundComparison(n), nil
	case *ast.BetweenExpr:
		return d.aroundBetween(n), nil
	}
	return nil, nil //nolint:nilnil // as above
}

// aroundEither is what is around both sides: with one of them alone rows would be missing.
func (d *conditions) aroundEither(n *ast.OrExpr) (ast.Expr, *ending) {
	left, end := d.narrowing(n.Left)
	if end != nil || left == nil {
		return nil, end
	}
	right, end := d.narrowing(n.Right)
	if end != nil || right == nil {
		return nil, end
	}
	return &ast.OrExpr{Left: left, Right: right}, nil
}

// narrowing is all that the server can decide of a condition, nil if that is nothing.
func (d *conditions) narrowing(e ast.Expr) (ast.Expr, *ending) {
	remote, _, end := d.condition(e)
	return remote, end
}

// wide are the comparisons of tokens that are around a comparison of values.
var wide = map[ast.ComparisonExprOperator]ast.ComparisonExprOperator{
	ast.EqualOp: ast.EqualOp, ast.NullSafeEqualOp: ast.NullSafeEqualOp,
	ast.LessThanOp: ast.LessEqualOp, ast.LessEqualOp: ast.LessEqualOp,
	ast.GreaterThanOp: ast.GreaterEqualOp, ast.GreaterEqualOp: ast.GreaterEqualOp,
}

func (d *conditions) aroundComparison(n *ast.ComparisonExpr) ast.Expr {
	if n.Modifier != ast.Missing || n.Escape != nil {
		return nil
	}
	if n.Operator == ast.InOp {
		return d.aroundList(n)
	}
	c, ok := d.comparand(n)
	if !ok {
		return nil
	}
	as, widens := wide[c.op]
	layer := d.scope.LayerAround(c.column)
	if layer == nil || !widens {
		return nil
	}
	use := recipe.Around
	if c.op == ast.EqualOp || c.op == ast.NullSafeEqualOp {
		use = recipe.Equal
	}
	return &ast.ComparisonExpr{Operator: as, Left: shape.Column(layer.Stored), Right: d.token(c.column, layer, use, c.to)}
}

func (d *conditions) aroundBetween(n *ast.BetweenExpr) ast.Expr {
	i := d.scope.Protected(n.Left)
	layer := d.scope.LayerAround(i)
	if layer == nil || !n.IsBetween {
		return nil
	}
	if stored, ok := d.betweenTokens(n, i, layer, recipe.Around, recipe.Around); ok {
		return stored
	}
	return nil
}

// aroundList is around IN.
func (d *conditions) aroundList(n *ast.ComparisonExpr) ast.Expr {
	i := d.scope.Protected(n.Left)
	list, ok := n.Right.(ast.ValTuple)
	layer := d.scope.LayerAround(i)
	if layer == nil || !ok {
		return nil
	}
	tokens, ok := d.tokens(i, layer, list)
	if !ok {
		return nil
	}
	return &ast.ComparisonExpr{Operator: ast.InOp, Left: shape.Column(layer.Stored), Right: tokens}
}
