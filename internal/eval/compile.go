package eval

import (
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// compile compiles an expression of any kind. What has no case is refused.
func compile(c *compilation.Compilation, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.ColName:
		return Column(c, e)
	case *ast.Default:
		return Default(c, e)
	case *ast.Argument:
		return Bind(c, e)
	case *ast.IntroducerExpr: // the bind's source knows what stands before it
		if a, ok := e.Expr.(*ast.Argument); ok {
			return Bind(c, a)
		}
		return nil, refusal.Of("a string with a character set before it")
	case *ast.Literal:
		return Literal(c, e)
	case *ast.NullVal:
		return Constant(c, value.NullSource(), -1)
	case ast.BoolVal:
		return Constant(c, value.BoolSource(bool(e)), -1)
	case *ast.AndExpr, *ast.OrExpr, *ast.XorExpr, *ast.NotExpr, *ast.IsExpr:
		return Logic(c, e)
	case *ast.ComparisonExpr:
		if e.Operator == ast.RegexpOp || e.Operator == ast.NotRegexpOp {
			return Regexp(c, e)
		}
		return Comparison(c, e)
	case *ast.BetweenExpr:
		return Between(c, e)
	case *ast.BinaryExpr:
		return Binary(c, e)
	case *ast.UnaryExpr:
		if e.Operator == ast.BangOp {
			return Not(c, e.Expr)
		}
		return Unary(c, e)
	case *ast.CaseExpr:
		return Case(c, e)
	}
	return grammar(c, e)
}
