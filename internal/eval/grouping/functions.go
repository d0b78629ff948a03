package grouping

import (
	"strings"

	"tunic/internal/eval/aggregate"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// Aggregate compiles an aggregate function that has no OVER.
func Aggregate(c *compilation.Compilation, e ast.AggrFunc) (*aggregate.Aggregate, error) {
	if w, ok := e.(ast.WindowFunc); ok && w.GetOverClause() != nil {
		return nil, refusal.Of(strings.ToUpper(e.AggrName()) + " OVER")
	}
	return Function(c, e)
}

// Function compiles an aggregate function, whatever OVER it has.
func Function(c *compilation.Compilation, e ast.AggrFunc) (*aggregate.Aggregate, error) {
	switch e := e.(type) {
	case *ast.CountStar:
		return aggregateOf(c, &aggregate.Aggregate{Name: "COUNT"})
	case *ast.Count:
		return aggregateOf(c, &aggregate.Aggregate{Name: "COUNT", Distinct: e.Distinct}, e.Args...)
	case *ast.Sum:
		return aggregateOf(c, &aggregate.Aggregate{Name: "SUM", Distinct: e.Distinct}, e.Arg)
	case *ast.Avg:
		return aggregateOf(c, &aggregate.Aggregate{Name: "AVG", Distinct: e.Distinct}, e.Arg)
	case *ast.Min:
		return aggregateOf(c, &aggregate.Aggregate{Name: "MIN"}, e.Arg)
	case *ast.Max:
		return aggregateOf(c, &aggregate.Aggregate{Name: "MAX"}, e.Arg)
	case *ast.BitAnd:
		return aggregateOf(c, &aggregate.Aggregate{Name: "BIT_AND"}, e.Arg)
	case *ast.BitOr:
		return aggregateOf(c, &aggregate.Aggregate{Name: "BIT_OR"}, e.Arg)
	case *ast.BitXor:
		return aggregateOf(c, &aggregate.Aggregate{Name: "BIT_XOR"}, e.Arg)
	case *ast.Std, *ast.StdDev, *ast.StdPop:
		return aggregateOf(c, &aggregate.Aggregate{Name: "STDDEV_POP"}, e.GetArg())
	case *ast.StdSamp:
		return aggregateOf(c, &aggregate.Aggregate{Name: "STDDEV_SAMP"}, e.Arg)
	case *ast.VarPop, *ast.Variance:
		return aggregateOf(c, &aggregate.Aggregate{Name: "VAR_POP"}, e.GetArg())
	case *ast.VarSamp:
		return aggregateOf(c, &aggregate.Aggregate{Name: "VAR_SAMP"}, e.Arg)
	case *ast.GroupConcatExpr:
		return groupConcat(c, e)
	case *ast.JSONArrayAgg:
		return jsonArrayAgg(c, e)
	case *ast.JSONObjectAgg:
		return jsonObjectAgg(c, e)
	default:
		return nil, refusal.Of("this aggregate")
	}
}
