package predicate

import (
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"

	"tunic/internal/eval/class"
)

// Logic compiles what computes with truths. NULL is neither true nor false.
func Logic(c *compilation.Compilation, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.AndExpr:
		return twoTruths(c, e.Left, e.Right, comparison.And)
	case *ast.OrExpr:
		return twoTruths(c, e.Left, e.Right, comparison.Or)
	case *ast.XorExpr:
		return twoTruths(c, e.Left, e.Right, comparison.Xor)
	case *ast.NotExpr:
		return Not(c, e.Expr)
	case *ast.IsExpr:
		return is(c, e)
	}
	return nil, refusal.Of("this operator")
}

func twoTruths(c *compilation.Compilation, left, right ast.Expr, op func(a, b program.Evaluator) program.Evaluator) (*program.Node, error) {
	args, err := c.All([]ast.Expr{left, right})
	if err != nil {
		return nil, err
	}
	a, err := coercion.Truth(c, args[0])
	if err != nil {
		return nil, err
	}
	b, err := coercion.Truth(c, args[1])
	if err != nil {
		return nil, err
	}
	return program.Derive(class.BoolShape, op(a, b), args...), nil
}

// Not compiles NOT.
func Not(c *compilation.Compilation, e ast.Expr) (*program.Node, error) {
	n, err := c.Deny(e)
	if err != nil {
		return nil, err
	}
	ev, err := coercion.Truth(c, n)
	if err != nil {
		return nil, err
	}
	return program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
		x := ev(r)
		if x.Null {
			return program.NullDatum
		}
		return program.BoolDatum(x.N == 0)
	}, n), nil
}

// is compiles IS NULL, IS TRUE, IS FALSE and their negations.
func is(c *compilation.Compilation, e *ast.IsExpr) (*program.Node, error) {
	n, err := c.Compile(e.Left)
	if err != nil {
		return nil, err
	}
	if e.Right == ast.IsNullOp || e.Right == ast.IsNotNullOp {
		return IsNull(c, n, e.Right == ast.IsNullOp)
	}
	ev, err := coercion.Truth(c, n)
	if err != nil {
		return nil, err
	}
	wanted := e.Right == ast.IsTrueOp || e.Right == ast.IsNotTrueOp
	negated := e.Right == ast.IsNotTrueOp || e.Right == ast.IsNotFalseOp
	return program.NotNullable(program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
		x := ev(r)
		return program.BoolDatum((!x.Null && (x.N != 0) == wanted) != negated)
	}, n)), nil
}
