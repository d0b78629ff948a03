package build

import (
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// operand reads an expression that is one value: a literal, a parameter, a
// constant of the statement's form, with a minus sign or not. arg is its bind
// variable, nil if it has none.
func operand(e ast.Expr) (o recipe.Operand, arg *ast.Argument, ok bool) {
	switch n := e.(type) {
	case *ast.Argument:
		if p, ok := sql.PlaceOf(n); ok {
			return recipe.Operand{Kind: recipe.FromPlace, Place: p}, n, true
		}
		if p, ok := sql.ParamOf(n); ok {
			return recipe.Operand{Kind: recipe.FromParam, Param: p}, n, true
		}
	case *ast.IntroducerExpr: // the literal knows what stands before it
		if a, ok := n.Expr.(*ast.Argument); ok {
			if p, ok := sql.PlaceOf(a); ok {
				return recipe.Operand{Kind: recipe.FromPlace, Place: p}, a, true
			}
		}
	case *ast.NullVal, ast.BoolVal, *ast.Literal:
		return recipe.Operand{Kind: recipe.FromForm, Literal: e}, nil, true
	case *ast.UnaryExpr:
		if n.Operator != ast.UMinusOp {
			return o, nil, false
		}
		o, arg, ok = operand(n.Expr)
		o.Negative = !o.Negative
		return o, arg, ok && o.Kind != recipe.FromParam
	}
	return o, nil, false
}
