package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/number"
	"tunic/internal/sql/ast"
)

func isBitOperator(name string) bool {
	switch name {
	case "&", "|", "^", "<<", ">>":
		return true
	}
	return false
}

// bitOperation computes on 64 bits without a sign.
func (c *compiler) bitOperation(name string, a, b *node) *node {
	left, right, slot, op := c.integer(a, name), c.integer(b, name), c.slot(), number.BitOperators[name]
	return derive(class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, func(r *Run) *datum {
		p := left(r)
		if p.null {
			return nullDatum // here, and here alone, the servers stop at the first
		}
		q := right(r)
		if q.null {
			return nullDatum
		}
		return r.slots[slot].setUint(op(p.n, q.n))
	}, a, b)
}

// unary compiles -x, +x, ~x and !x.
func (c *compiler) unary(e *ast.UnaryExpr) (*node, error) {
	if e.Operator == ast.BangOp {
		return c.not(e.Expr)
	}
	n, err := c.compile(e.Expr)
	if err != nil {
		return nil, err
	}
	switch e.Operator {
	case ast.UPlusOp:
		return n, c.allow("unary +", n)
	case ast.UMinusOp:
		return c.negation(n)
	case ast.TildaOp:
		return c.inversion(n)
	default:
		return nil, refuse("this operator")
	}
}

func (c *compiler) inversion(n *node) (*node, error) {
	if err := c.allow("~", n); err != nil {
		return nil, err
	}
	if !n.Class.IsInteger() && n.Class != class.Null {
		return nil, refuse("~ of other than integers")
	}
	ev, slot := c.integer(n, "~"), c.slot()
	return derive(class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, func(r *Run) *datum {
		x := ev(r)
		if x.null {
			return nullDatum
		}
		return r.slots[slot].setUint(^x.n)
	}, n), nil
}

// negation compiles -x. That of an unsigned integer is a signed one.
func (c *compiler) negation(n *node) (*node, error) {
	if err := c.allow("unary -", n); err != nil {
		return nil, err
	}
	if n.Class == class.Hex || n.constant && !n.literal {
		return nil, refuse("unary - of a constant expression")
	}
	s := class.Shape{Coercible: class.CoercibleNumber, Digits: n.Digits, Scale: n.Scale, Uneven: n.NumberOnly || n.Uneven}
	slot := c.slot()
	switch k := c.numberClass(n); k {
	case class.Null:
		return c.arithmeticOfNull("-", n, n, class.Double, k), nil
	case class.Decimal:
		s.Class = class.Decimal
		rounds := !c.session.isMariaDB()
		s.Digits, _ = n.Exact()
		s.Digits += n.Scale
		return derive(s, c.convert(&node{ev: c.decimal(n, "-")}, func(_ *Run, in, out *datum) *datum {
			out.d = in.d
			if rounds && in.d.Decimals() > n.Scale {
				out.d.Round(n.Scale)
			}
			out.d.Negate()
			return out
		}), n), nil
	case class.Double:
		if s.Class = class.Double; n.IsFree() {
			s.Scale = class.ScaleFree
		}
		return derive(s, c.convert(&node{ev: c.real(n, "-")}, func(_ *Run, in, out *datum) *datum {
			return out.setDouble(-in.double())
		}), n), nil
	default:
		s.Class, s.Scale = class.Int, 0
		return derive(s, c.convert(&node{ev: c.integer(n, "-")}, func(r *Run, in, _ *datum) *datum {
			v := number.SignedOf(in.n, k == class.Uint)
			if n.constant && v.N > math.MaxInt64 {
				return r.refuse("-")
			}
			return r.putInteger(slot, v.Negated(), number.OK, false)
		}), n), nil
	}
}
