package predicate

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// comparisonOps are the operators that a comparator answers.
var comparisonOps = map[ast.ComparisonExprOperator]func(int) bool{
	ast.EqualOp:        Equal,
	ast.NotEqualOp:     func(d int) bool { return d != 0 },
	ast.LessThanOp:     func(d int) bool { return d < 0 },
	ast.LessEqualOp:    func(d int) bool { return d <= 0 },
	ast.GreaterThanOp:  func(d int) bool { return d > 0 },
	ast.GreaterEqualOp: func(d int) bool { return d >= 0 },
}

// Equal is what = makes of a comparison.
func Equal(d int) bool { return d == 0 }

// Comparison compiles = < > <= >= <> <=>, IN and LIKE.
func Comparison(c *compilation.Compilation, e *ast.ComparisonExpr) (*program.Node, error) {
	if e.Modifier != ast.Missing {
		return nil, refusal.Of("ANY and ALL")
	}
	switch e.Operator {
	case ast.InOp, ast.NotInOp:
		return inList(c, e)
	case ast.LikeOp, ast.NotLikeOp:
		return like(c, e)
	default:
	}
	args, err := c.All([]ast.Expr{e.Left, e.Right})
	if err != nil {
		return nil, err
	}
	k, err := ComparisonOf(c, "=", args[0], args[1])
	if err != nil {
		return nil, err
	}
	if e.Operator == ast.EqualOp || e.Operator == ast.NullSafeEqualOp {
		refuseFiner(c, &k, args[0], args[1])
	}
	RoundSides(c, &k, args[0], args[1])
	Tolerant(c, &k, args[0], args[1])
	weighOnce(c, &k, args[0], args[1])
	if k.By == class.Bytes {
		c.TakeBytes(args)
	}
	if e.Operator == ast.NullSafeEqualOp {
		return program.NotNullable(program.Derive(class.BoolShape, k.NullSafe(), args...)), nil
	}
	op, ok := comparisonOps[e.Operator]
	if !ok {
		return nil, refusal.Of("this operator")
	}
	return program.Derive(class.BoolShape, k.Evaluator(op), args...), nil
}

// Between compiles a BETWEEN b AND c.
func Between(c *compilation.Compilation, e *ast.BetweenExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Left, e.From, e.To})
	if err != nil {
		return nil, err
	}
	for _, bound := range args[1:] {
		if args[0].Class == class.Text && bound.Constant && !bound.Literal && bound.Class.IsExact() && c.Session.IsMariaDB() {
			return nil, refusal.Of("BETWEEN of text and computed constants") // compared as decimals
		}
	}
	args[0].Ev = c.PerRow(args[0], args[0].Ev)
	low, err := ComparisonOf(c, "BETWEEN", args[0], args[1])
	if err != nil {
		return nil, err
	}
	high, err := ComparisonOf(c, "BETWEEN", args[0], args[2])
	if err != nil {
		return nil, err
	}
	if !c.Session.IsMariaDB() {
		Tolerant(c, &low, args[0], args[1])
		Tolerant(c, &high, args[0], args[2])
	}
	if low.By != high.By && low.By != class.Null && high.By != class.Null || low.Collation != high.Collation {
		return nil, sqlerr.ExpressionRefused("BETWEEN", "bounds of two types")
	}
	above := low.Evaluator(comparisonOps[ast.GreaterEqualOp])
	below := high.Evaluator(comparisonOps[ast.LessEqualOp])
	ev := comparison.And(above, below)
	if !e.IsBetween {
		inner := ev
		ev = func(r *program.Run) *program.Datum {
			x := inner(r)
			if x.Null {
				return program.NullDatum
			}
			return program.BoolDatum(x.N == 0)
		}
	}
	return program.Derive(class.BoolShape, ev, args...), nil
}
