package build

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// bound is a value that a column is compared with.
type bound struct {
	of  recipe.Operand
	arg *ast.Argument
}

// boundOf is an expression that is one value; false for any other.
func boundOf(e ast.Expr) (bound, bool) {
	o, arg, ok := operand(e)
	return bound{o, arg}, ok
}

// token is the slot of the token that a value has in a column's layer.
func (d *conditions) token(i int, l *catalog.Layer, use recipe.SlotUse, to bound) *ast.Argument {
	return d.slot(recipe.Slot{Column: i, Form: recipe.Token, Layer: l.Capability, Of: to.of, Use: use}, to.arg)
}

// tokens are the slots of a list's values; none are added where one of it is not a value.
func (d *conditions) tokens(i int, l *catalog.Layer, list ast.ValTuple) (ast.ValTuple, bool) {
	bounds := make([]bound, 0, len(list))
	for _, item := range list {
		to, ok := boundOf(item)
		if !ok {
			return nil, false
		}
		bounds = append(bounds, to)
	}
	tokens := make(ast.ValTuple, 0, len(list))
	for _, to := range bounds {
		tokens = append(tokens, d.token(i, l, recipe.Equal, to))
	}
	return tokens, true
}

// betweenTokens is BETWEEN over a layer, its bounds used as low and high; false where one of
// them is not a value.
func (d *conditions) betweenTokens(n *ast.BetweenExpr, i int, l *catalog.Layer, low, high recipe.SlotUse) (*ast.BetweenExpr, bool) {
	from, okFrom := boundOf(n.From)
	to, okTo := boundOf(n.To)
	if !okFrom || !okTo {
		return nil, false
	}
	return &ast.BetweenExpr{
		IsBetween: n.IsBetween,
		Left:      shape.Column(l.Stored),
		From:      d.token(i, l, low, from),
		To:        d.token(i, l, high, to),
	}, true
}

// comparand is a comparison of a protected column with a value, the column on the left.
type comparand struct {
	column int
	op     ast.ComparisonExprOperator
	to     bound
}

// swapped is what a comparison becomes when its sides change places.
var swapped = map[ast.ComparisonExprOperator]ast.ComparisonExprOperator{
	ast.EqualOp: ast.EqualOp, ast.NotEqualOp: ast.NotEqualOp, ast.NullSafeEqualOp: ast.NullSafeEqualOp,
	ast.LessThanOp: ast.GreaterThanOp, ast.GreaterThanOp: ast.LessThanOp,
	ast.LessEqualOp: ast.GreaterEqualOp, ast.GreaterEqualOp: ast.LessEqualOp,
}

// comparand reads a comparison; false if it is of anything else than a protected column and a
// value.
func (d *conditions) comparand(n *ast.ComparisonExpr) (comparand, bool) {
	column, to, op := n.Left, n.Right, n.Operator
	if d.scope.Protected(column) < 0 {
		turned, turns := swapped[op]
		if !turns {
			return comparand{}, false
		}
		column, to, op = to, column, turned
	}
	i := d.scope.Protected(column)
	value, ok := boundOf(to)
	return comparand{i, op, value}, ok && i >= 0
}
