package eval

import (
	"strings"

	"tunic/internal/eval/aggregate"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/grouping"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// Compile compiles an expression. The error is a refusal of package sqlerr, an
// error of the server's own that it would give when preparing the statement, or
// what scope returned.
func Compile(e ast.Expr, scope Scope, session program.Session) (*program.Expression, error) {
	return coercion.Expression(compilation.New(scope, session, compile), e)
}

// CompileAggregate compiles an aggregate function. Its errors are those of
// Compile.
//
// Sums of DOUBLE depend on the order of the rows in their last digits, here as on
// the server; so does GROUP_CONCAT where its ORDER BY does not say which value is
// first.
func CompileAggregate(e ast.AggrFunc, scope Scope, session program.Session) (*aggregate.Aggregate, error) {
	return grouping.Aggregate(compilation.New(scope, session, compile), e)
}

// CompileWindowed compiles an aggregate function that has an OVER, which is not
// looked at: whoever adds rows decides which are in the frame. Its errors are those
// of Compile. Variances are refused: MySQL computes those of windows another way than
// those of groups, with other last digits, and MariaDB rounds them.
func CompileWindowed(e ast.AggrFunc, scope Scope, session program.Session) (*aggregate.Aggregate, error) {
	switch e.(type) {
	case *ast.CountStar, *ast.Count, *ast.Sum, *ast.Avg, *ast.Min, *ast.Max, *ast.BitAnd, *ast.BitOr, *ast.BitXor:
		return grouping.Function(compilation.New(scope, session, compile), e)
	}
	return nil, refusal.Of(strings.ToUpper(e.AggrName()) + " OVER")
}
