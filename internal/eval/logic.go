package eval

import (
	"tunic/internal/sql/ast"

	"tunic/internal/eval/class"
)

// logic compiles what computes with truths. NULL is neither true nor false.
func (c *compiler) logic(e ast.Expr) (*node, error) {
	switch e := e.(type) {
	case *ast.AndExpr:
		return c.twoTruths(e.Left, e.Right, evalAnd)
	case *ast.OrExpr:
		return c.twoTruths(e.Left, e.Right, evalOr)
	case *ast.XorExpr:
		return c.twoTruths(e.Left, e.Right, evalXor)
	case *ast.NotExpr:
		return c.not(e.Expr)
	case *ast.IsExpr:
		return c.is(e)
	}
	return nil, refuse("this operator")
}

func (c *compiler) twoTruths(left, right ast.Expr, op func(a, b evaluator) evaluator) (*node, error) {
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
	return derive(class.BoolShape, op(a, b), args...), nil
}

// evalAnd stops at the first false. What that is a datum of is never NULL, so it
// is good beside the second.
func evalAnd(a, b evaluator) evaluator {
	return func(r *Run) *datum {
		x := a(r)
		if !x.null && x.n == 0 {
			return falseDatum
		}
		unknown := x.null
		y := b(r)
		switch {
		case !y.null && y.n == 0:
			return falseDatum
		case unknown || y.null:
			return nullDatum
		}
		return trueDatum
	}
}

func evalOr(a, b evaluator) evaluator {
	return func(r *Run) *datum {
		x := a(r)
		if !x.null && x.n != 0 {
			return trueDatum
		}
		unknown := x.null
		y := b(r)
		switch {
		case !y.null && y.n != 0:
			return trueDatum
		case unknown || y.null:
			return nullDatum
		}
		return falseDatum
	}
}

func evalXor(a, b evaluator) evaluator {
	return func(r *Run) *datum {
		x := a(r)
		if x.null {
			return nullDatum
		}
		first := x.n != 0
		y := b(r)
		if y.null {
			return nullDatum
		}
		return boolDatum(first != (y.n != 0))
	}
}

func (c *compiler) not(e ast.Expr) (*node, error) {
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
	return derive(class.BoolShape, func(r *Run) *datum {
		x := ev(r)
		if x.null {
			return nullDatum
		}
		return boolDatum(x.n == 0)
	}, n), nil
}

// is compiles IS NULL, IS TRUE, IS FALSE and their negations.
func (c *compiler) is(e *ast.IsExpr) (*node, error) {
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
	return notNullable(derive(class.BoolShape, func(r *Run) *datum {
		x := ev(r)
		return boolDatum((!x.null && (x.n != 0) == wanted) != negated)
	}, n)), nil
}

// compileIsNull compiles ISNULL, which is IS NULL under another name.
func compileIsNull(c *compiler, _ string, args []*node) (*node, error) {
	return c.isNull(args[0], true)
}

func (c *compiler) isNull(n *node, wanted bool) (*node, error) {
	if err := c.allow("IS NULL", n); err != nil {
		return nil, err
	}
	ev := n.ev
	if wanted || c.denied > 0 {
		ev = c.withoutZeroDate(n)
	}
	return notNullable(derive(class.BoolShape, evalIsNull(ev, wanted), n)), nil
}

func evalIsNull(ev evaluator, wanted bool) evaluator {
	return func(r *Run) *datum { return boolDatum(ev(r).null == wanted) }
}
