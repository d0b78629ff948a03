package eval

import (
	"tunic/internal/eval/arithmetic"
	"tunic/internal/eval/choice"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/operand"
	"tunic/internal/eval/pattern"
	"tunic/internal/eval/predicate"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// compile compiles an expression of any kind. What has no case is refused.
func compile(c *compilation.Compilation, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.ColName:
		return operand.Column(c, e)
	case *ast.Default:
		return operand.Default(c, e)
	case *ast.Argument:
		return operand.Bind(c, e)
	case *ast.IntroducerExpr: // the bind's source knows what stands before it
		if a, ok := e.Expr.(*ast.Argument); ok {
			return operand.Bind(c, a)
		}
		return nil, refusal.Of("a string with a character set before it")
	case *ast.Literal:
		return operand.Literal(c, e)
	case *ast.NullVal:
		return operand.Constant(c, value.NullSource(), -1)
	case ast.BoolVal:
		return operand.Constant(c, value.BoolSource(bool(e)), -1)
	case *ast.AndExpr, *ast.OrExpr, *ast.XorExpr, *ast.NotExpr, *ast.IsExpr:
		return predicate.Logic(c, e)
	case *ast.ComparisonExpr:
		if e.Operator == ast.RegexpOp || e.Operator == ast.NotRegexpOp {
			return pattern.Regexp(c, e)
		}
		return predicate.Comparison(c, e)
	case *ast.BetweenExpr:
		return predicate.Between(c, e)
	case *ast.BinaryExpr:
		return arithmetic.Binary(c, e)
	case *ast.UnaryExpr:
		if e.Operator == ast.BangOp {
			return predicate.Not(c, e.Expr)
		}
		return arithmetic.Unary(c, e)
	case *ast.CaseExpr:
		return choice.Case(c, e)
	}
	return grammar(c, e)
}
