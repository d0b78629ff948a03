package arithmetic

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// bitOperation computes on 64 bits without a sign.
func bitOperation(c *compilation.Compilation, name string, a, b *program.Node) *program.Node {
	left, right, slot, op := coercion.Integer(c, a, name), coercion.Integer(c, b, name), c.Slot(), number.BitOperators[name]
	return program.Derive(class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, func(r *program.Run) *program.Datum {
		p := left(r)
		if p.Null {
			return program.NullDatum // here, and here alone, the servers stop at the first
		}
		q := right(r)
		if q.Null {
			return program.NullDatum
		}
		return r.Slots[slot].SetUint(op(p.N, q.N))
	}, a, b)
}

// Unary compiles -x, +x and ~x.
func Unary(c *compilation.Compilation, e *ast.UnaryExpr) (*program.Node, error) {
	n, err := c.Compile(e.Expr)
	if err != nil {
		return nil, err
	}
	switch e.Operator {
	case ast.UPlusOp:
		return n, c.Allow("unary +", n)
	case ast.UMinusOp:
		return negation(c, n)
	case ast.TildaOp:
		return inversion(c, n)
	default:
		return nil, refusal.Of("this operator")
	}
}

func inversion(c *compilation.Compilation, n *program.Node) (*program.Node, error) {
	if err := c.Allow("~", n); err != nil {
		return nil, err
	}
	if !n.Class.IsInteger() && n.Class != class.Null {
		return nil, refusal.Of("~ of other than integers")
	}
	ev, slot := coercion.Integer(c, n, "~"), c.Slot()
	return program.Derive(class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, func(r *program.Run) *program.Datum {
		x := ev(r)
		if x.Null {
			return program.NullDatum
		}
		return r.Slots[slot].SetUint(^x.N)
	}, n), nil
}

// negation compiles -x. That of an unsigned integer is a signed one.
func negation(c *compilation.Compilation, n *program.Node) (*program.Node, error) {
	if err := c.Allow("unary -", n); err != nil {
		return nil, err
	}
	if n.Class == class.Hex || n.Constant && !n.Literal {
		return nil, refusal.Of("unary - of a constant expression")
	}
	s := class.Shape{Coercible: class.CoercibleNumber, Digits: n.Digits, Scale: n.Scale, Uneven: n.NumberOnly || n.Uneven}
	slot := c.Slot()
	switch k := c.NumberClass(n); k {
	case class.Null:
		return arithmeticOfNull(c, "-", n, n, class.Double, k), nil
	case class.Decimal:
		s.Class = class.Decimal
		rounds := !c.Session.IsMariaDB()
		s.Digits, _ = n.Exact()
		s.Digits += n.Scale
		return program.Derive(s, c.Convert(&program.Node{Ev: coercion.Decimal(c, n, "-")}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = in.D
			if rounds && in.D.Decimals() > n.Scale {
				out.D.Round(n.Scale)
			}
			out.D.Negate()
			return out
		}), n), nil
	case class.Double:
		if s.Class = class.Double; n.IsFree() {
			s.Scale = class.ScaleFree
		}
		return program.Derive(s, c.Convert(&program.Node{Ev: coercion.Real(c, n, "-")}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetDouble(-in.Double())
		}), n), nil
	default:
		s.Class, s.Scale = class.Int, 0
		return program.Derive(s, c.Convert(&program.Node{Ev: coercion.Integer(c, n, "-")}, func(r *program.Run, in, _ *program.Datum) *program.Datum {
			v := number.SignedOf(in.N, k == class.Uint)
			if n.Constant && v.N > math.MaxInt64 {
				return r.Refuse("-")
			}
			return r.PutInteger(slot, v.Negated(), number.OK, false)
		}), n), nil
	}
}
