package local

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// isQuiet reports whether a condition never warns of a row, and no error of a server comes of it: it compares columns with each other, or with
// constants, that are compared as what they are. False where in doubt.
func (c *compiler) isQuiet(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.AndExpr:
		return c.isQuiet(e.Left) && c.isQuiet(e.Right)
	case *ast.OrExpr:
		return c.isQuiet(e.Left) && c.isQuiet(e.Right)
	case *ast.NotExpr:
		return c.isQuiet(e.Expr)
	case *ast.BetweenExpr:
		return c.comparesQuietly(e.Left, e.From) && c.comparesQuietly(e.Left, e.To)
	case *ast.ComparisonExpr:
		return quietly(e.Operator) && c.comparesQuietly(e.Left, e.Right)
	}
	return false
}

// quietly reports whether an operator never warns where it compares like with like.
func quietly(operator ast.ComparisonExprOperator) bool {
	switch operator {
	case ast.EqualOp, ast.NullSafeEqualOp, ast.NotEqualOp, ast.LessThanOp, ast.LessEqualOp, ast.GreaterThanOp, ast.GreaterEqualOp,
		ast.InOp, ast.NotInOp, ast.LikeOp, ast.NotLikeOp:
		return true
	default:
		return false
	}
}

// comparesQuietly is isQuiet of a comparison.
func (c *compiler) comparesQuietly(a, b ast.Expr) bool {
	left := c.quietSide(a)
	if left == nil {
		return false
	}
	sides := []ast.Expr{b}
	switch b := b.(type) {
	case ast.ValTuple:
		sides = b
	case *ast.Argument:
		if n := c.query.Inputs.list(OperandOf(b).Place); n >= 0 {
			return !slices.ContainsFunc(c.scope.in.Lists[n], func(item value.Source) bool { return !listsAlike(left.Type(), item.Form) })
		}
	}
	for _, e := range sides {
		right := c.quietSide(e)
		if right == nil || !comparesAlike(left, right) && !comparesAlike(right, left) {
			return false
		}
	}
	return true
}

// quietSide is a column or a constant, nil for anything else.
func (c *compiler) quietSide(e ast.Expr) *eval.Expression {
	if _, isList := e.(ast.ValTuple); isList {
		return nil
	}
	x, err := eval.Compile(e, c.scope, c.program.session)
	if err != nil {
		return nil
	}
	if _, isColumn := x.Column(); !isColumn && !x.Constant() {
		return nil
	}
	return x
}

// listsAlike reports whether a value of a type is compared with an item of a list of IN as what both are.
func listsAlike(t *value.Type, item value.Form) bool {
	switch item {
	case value.FormNull:
		return true
	case value.FormInt, value.FormUint, value.FormDecimal:
		return isNumber(t)
	case value.FormString:
		return t.Kind.IsText()
	default:
		return false
	}
}
