package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
)

// roundedClass is what a class is rounded as. MariaDB rounds labels to integers without
// a sign.
func (c *compiler) roundedClass(n *program.Node) class.Class {
	if class.IsLabel(n.Class) && c.session.IsMariaDB() {
		return class.Uint
	}
	return c.numberClass(n)
}

// compileAbs makes ABS.
func compileAbs(c *compiler, name string, args []*program.Node) (*program.Node, error) {
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
		return program.Derive(s, c.convert(&program.Node{Ev: c.decimal(n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = in.D
			out.D.Abs()
			return out
		}), n), nil
	case class.Double:
		return program.Derive(s, c.convert(&program.Node{Ev: c.real(n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetDouble(math.Abs(in.Double()))
		}), n), nil
	case class.Uint:
		return program.Derive(s, c.integer(n, name), n), nil
	default:
		return program.Derive(s, c.convert(&program.Node{Ev: c.integer(n, name)}, func(r *program.Run, in, out *program.Datum) *program.Datum {
			if int64(in.N) == math.MinInt64 {
				return r.Overflow("BIGINT")
			}
			return out.SetUint(decimal.Magnitude(int64(in.N)))
		}), n), nil
	}
}

// compileWhole makes FLOOR and CEILING.
func compileWhole(up bool) func(*compiler, string, []*program.Node) (*program.Node, error) {
	return func(c *compiler, name string, args []*program.Node) (*program.Node, error) {
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
			return program.Derive(c.rules().RoundedDouble(0), c.convert(&program.Node{Ev: c.real(n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
				if up {
					return out.SetDouble(math.Ceil(in.Double()))
				}
				return out.SetDouble(math.Floor(in.Double()))
			}), n), nil
		default:
			return program.Derive(class.NumberShape(&n.Shape, k), c.integer(n, name), n), nil
		}
	}
}

// wholeDigitsOfInteger is how many digits before the point fit into an integer
// for the servers: more make a DECIMAL.
const wholeDigitsOfInteger = 18

// wholeDigitsSure is below what the precision of a result may be counted
// otherwise.
const wholeDigitsSure = 15

func (c *compiler) wholeOfDecimal(n *program.Node, name string, up bool) *program.Node {
	whole, _ := n.Exact()
	s := class.Shape{Class: class.Decimal, Digits: min(whole+1, decimal.DigitsMax), Coercible: class.CoercibleNumber}
	round := c.convert(&program.Node{Ev: c.decimal(n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		out.D = in.D
		out.D.Whole(up)
		return out
	})
	if n.Column == nil && !n.Literal && whole >= wholeDigitsSure {
		c.refusal = refuse(name + " of a computed DECIMAL")
	}
	if whole > wholeDigitsOfInteger {
		return program.Derive(s, round, n)
	}
	s.Class = class.Int
	return program.Derive(s, c.integer(&program.Node{Ev: round, Shape: class.Shape{Class: class.Decimal}}, name), n)
}

// compileRound makes ROUND and TRUNCATE. The number of digits has to be a
// constant, because it decides the type.
func compileRound(truncate bool) func(*compiler, string, []*program.Node) (*program.Node, error) {
	return func(c *compiler, name string, args []*program.Node) (*program.Node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		digits := 0
		if len(args) > 1 {
			d := args[1]
			if d.Example == nil || d.Class != class.Int {
				return nil, refuse(name + " to digits that vary")
			}
			c.pin(d)
			digits = int(max(min(int64(d.Example.Number), decimal.ScaleMaxMariaDB), -decimal.ScaleMaxMariaDB))
		}
		return c.round(args[0], name, digits, truncate)
	}
}

func (c *compiler) round(n *program.Node, name string, digits int, truncate bool) (*program.Node, error) {
	switch k := c.roundedClass(n); k {
	case class.Null:
		return nil, refuse(name)
	case class.Double:
		return program.Derive(c.rules().RoundedDouble(digits), c.convert(&program.Node{Ev: c.real(n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetDouble(number.RoundDouble(in.Double(), digits, truncate))
		}), n), nil
	case class.Decimal:
		whole, scale := n.Exact()
		s := class.Shape{Class: class.Decimal, Scale: min(max(digits, 0), c.rules().ScaleMax()), Coercible: class.CoercibleNumber}
		if !c.session.IsMariaDB() {
			s.Scale = min(s.Scale, scale) // MySQL adds no zeros
		}
		s.Digits = min(whole+1+s.Scale, decimal.DigitsMax)
		return program.Derive(s, c.convert(&program.Node{Ev: c.decimal(n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = in.D
			out.D.RoundAt(digits, s.Scale, truncate)
			return out
		}), n), nil
	default:
		if digits < 0 {
			return nil, refuse(name + " of integers to negative digits")
		}
		return program.Derive(class.NumberShape(&n.Shape, k), c.integer(n, name), n), nil
	}
}

// compileMod makes MOD(a, b), which is a % b.
func compileMod(c *compiler, _ string, args []*program.Node) (*program.Node, error) {
	return c.arithmetic("MOD", args[0], args[1])
}

// compileSign makes SIGN.
func compileSign(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	ev, slot := c.real(n, name), c.slot()
	s := class.Shape{Class: class.Int, Digits: 1, Coercible: class.CoercibleNumber}
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		sign := int64(0)
		if f := d.Double(); f != 0 {
			sign = int64(math.Copysign(1, f))
		}
		return r.Slots[slot].SetInt(sign)
	}, n), nil
}

// compileSqrt makes SQRT, NULL of a negative number.
func compileSqrt(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	if err := c.allow(name, args[0]); err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
	return program.Castable(program.Derive(s, c.convert(&program.Node{Ev: c.real(args[0], name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		f := math.Sqrt(in.Double())
		if math.IsNaN(f) {
			return program.NullDatum
		}
		return out.SetDouble(f)
	}), args[0])), nil
}
