package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
)

// roundedClass is what a class is rounded as. MariaDB rounds labels to integers without
// a sign.
func (c *compiler) roundedClass(n *node) class.Class {
	if class.IsLabel(n.Class) && c.session.isMariaDB() {
		return class.Uint
	}
	return c.numberClass(n)
}

// compileAbs makes ABS.
func compileAbs(c *compiler, name string, args []*node) (*node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	k := c.numberClass(n)
	s := class.NumberShape(&n.Shape, k)
	switch k {
	case class.Null:
		return nil, refuse(name)
	case class.Decimal:
		return derive(s, c.convert(&node{ev: c.decimal(n, name)}, func(_ *Run, in, out *datum) *datum {
			out.d = in.d
			out.d.Abs()
			return out
		}), n), nil
	case class.Double:
		return derive(s, c.convert(&node{ev: c.real(n, name)}, func(_ *Run, in, out *datum) *datum {
			return out.setDouble(math.Abs(in.double()))
		}), n), nil
	case class.Uint:
		return derive(s, c.integer(n, name), n), nil
	default:
		return derive(s, c.convert(&node{ev: c.integer(n, name)}, func(r *Run, in, out *datum) *datum {
			if int64(in.n) == math.MinInt64 {
				return r.overflow("BIGINT")
			}
			return out.setUint(decimal.Magnitude(int64(in.n)))
		}), n), nil
	}
}

// compileWhole makes FLOOR and CEILING.
func compileWhole(up bool) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		n := args[0]
		if err := c.allow(name, n); err != nil {
			return nil, err
		}
		switch k := c.roundedClass(n); k {
		case class.Null:
			return nil, refuse(name)
		case class.Decimal:
			return c.wholeOfDecimal(n, name, up), nil
		case class.Double:
			return derive(c.rules().RoundedDouble(0), c.convert(&node{ev: c.real(n, name)}, func(_ *Run, in, out *datum) *datum {
				if up {
					return out.setDouble(math.Ceil(in.double()))
				}
				return out.setDouble(math.Floor(in.double()))
			}), n), nil
		default:
			return derive(class.NumberShape(&n.Shape, k), c.integer(n, name), n), nil
		}
	}
}

// wholeDigitsOfInteger is how many digits before the point fit into an integer
// for the servers: more make a DECIMAL.
const wholeDigitsOfInteger = 18

// wholeDigitsSure is below what the precision of a result may be counted
// otherwise.
const wholeDigitsSure = 15

func (c *compiler) wholeOfDecimal(n *node, name string, up bool) *node {
	whole, _ := n.Exact()
	s := class.Shape{Class: class.Decimal, Digits: min(whole+1, decimal.DigitsMax), Coercible: class.CoercibleNumber}
	round := c.convert(&node{ev: c.decimal(n, name)}, func(_ *Run, in, out *datum) *datum {
		out.d = in.d
		out.d.Whole(up)
		return out
	})
	if n.column == nil && !n.literal && whole >= wholeDigitsSure {
		c.refusal = refuse(name + " of a computed DECIMAL")
	}
	if whole > wholeDigitsOfInteger {
		return derive(s, round, n)
	}
	s.Class = class.Int
	return derive(s, c.integer(&node{ev: round, Shape: class.Shape{Class: class.Decimal}}, name), n)
}

// compileRound makes ROUND and TRUNCATE. The number of digits has to be a
// constant, because it decides the type.
func compileRound(truncate bool) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		digits := 0
		if len(args) > 1 {
			d := args[1]
			if d.example == nil || d.Class != class.Int {
				return nil, refuse(name + " to digits that vary")
			}
			c.pin(d)
			digits = int(max(min(int64(d.example.Number), decimal.ScaleMaxMariaDB), -decimal.ScaleMaxMariaDB))
		}
		return c.round(args[0], name, digits, truncate)
	}
}

func (c *compiler) round(n *node, name string, digits int, truncate bool) (*node, error) {
	switch k := c.roundedClass(n); k {
	case class.Null:
		return nil, refuse(name)
	case class.Double:
		return derive(c.rules().RoundedDouble(digits), c.convert(&node{ev: c.real(n, name)}, func(_ *Run, in, out *datum) *datum {
			return out.setDouble(number.RoundDouble(in.double(), digits, truncate))
		}), n), nil
	case class.Decimal:
		whole, scale := n.Exact()
		s := class.Shape{Class: class.Decimal, Scale: min(max(digits, 0), c.rules().ScaleMax()), Coercible: class.CoercibleNumber}
		if !c.session.isMariaDB() {
			s.Scale = min(s.Scale, scale) // MySQL adds no zeros
		}
		s.Digits = min(whole+1+s.Scale, decimal.DigitsMax)
		return derive(s, c.convert(&node{ev: c.decimal(n, name)}, func(_ *Run, in, out *datum) *datum {
			out.d = in.d
			out.d.RoundAt(digits, s.Scale, truncate)
			return out
		}), n), nil
	default:
		if digits < 0 {
			return nil, refuse(name + " of integers to negative digits")
		}
		return derive(class.NumberShape(&n.Shape, k), c.integer(n, name), n), nil
	}
}

// compileMod makes MOD(a, b), which is a % b.
func compileMod(c *compiler, _ string, args []*node) (*node, error) {
	return c.arithmetic("MOD", args[0], args[1])
}

// compileSign makes SIGN.
func compileSign(c *compiler, name string, args []*node) (*node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	ev, slot := c.real(n, name), c.slot()
	s := class.Shape{Class: class.Int, Digits: 1, Coercible: class.CoercibleNumber}
	return derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		sign := int64(0)
		if f := d.double(); f != 0 {
			sign = int64(math.Copysign(1, f))
		}
		return r.slots[slot].setInt(sign)
	}, n), nil
}

// compileSqrt makes SQRT, NULL of a negative number.
func compileSqrt(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args[0]); err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
	return castable(derive(s, c.convert(&node{ev: c.real(args[0], name)}, func(_ *Run, in, out *datum) *datum {
		f := math.Sqrt(in.double())
		if math.IsNaN(f) {
			return nullDatum
		}
		return out.setDouble(f)
	}), args[0])), nil
}
