package eval

import (
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"

	"tunic/internal/eval/class"
)

// logic compiles what computes with truths. NULL is neither true nor false.
func (c *compiler) logic(e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.AndExpr:
		return c.twoTruths(e.Left, e.Right, comparison.And)
	case *ast.OrExpr:
		return c.twoTruths(e.Left, e.Right, comparison.Or)
	case *ast.XorExpr:
		return c.twoTruths(e.Left, e.Right, comparison.Xor)
	case *ast.NotExpr:
		return c.not(e.Expr)
	case *ast.IsExpr:
		return c.is(e)
	}
	return nil, refuse("this operator")
}

func (c *compiler) twoTruths(left, right ast.Expr, op func(a, b program.Evaluator) program.Evaluator) (*program.Node, error) {
	args, err := c.all([]ast.Expr{left, right})
	if err != nil {
		return nil, err
	}
	a, err := c.truth(args[0])
	if err != nil {
		return nil, err
	}
	b, err := c.truth(args[1])
	if err != nil {
		return nil, err
	}
	return program.Derive(class.BoolShape, op(a, b), args...), nil
}

func (c *compiler) not(e ast.Expr) (*program.Node, error) {
	c.denied++
	n, err := c.compile(e)
	c.denied--
	if err != nil {
		return nil, err
	}
	ev, err := c.truth(n)
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
func (c *compiler) is(e *ast.IsExpr) (*program.Node, error) {
	n, err := c.compile(e.Left)
	if err != nil {
		return nil, err
	}
	if e.Right == ast.IsNullOp || e.Right == ast.IsNotNullOp {
		return c.isNull(n, e.Right == ast.IsNullOp)
	}
	ev, err := c.truth(n)
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

// compileIsNull compiles ISNULL, which is IS NULL under another name.
func compileIsNull(c *compiler, _ string, args []*program.Node) (*program.Node, error) {
	return c.isNull(args[0], true)
}

func (c *compiler) isNull(n *program.Node, wanted bool) (*program.Node, error) {
	if err := c.allow("IS NULL", n); err != nil {
		return nil, err
	}
	ev := n.Ev
	if wanted || c.denied > 0 {
		ev = c.withoutZeroDate(n)
	}
	return program.NotNullable(program.Derive(class.BoolShape, comparison.IsNull(ev, wanted), n)), nil
}
