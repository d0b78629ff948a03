package arithmetic

import (
	"math"
	"math/bits"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
)

// roundedClass is what a class is rounded as. MariaDB rounds labels to integers without
// a sign.
func roundedClass(c *compilation.Compilation, n *program.Node) class.Class {
	if class.IsLabel(n.Class) && c.Session.IsMariaDB() {
		return class.Uint
	}
	return c.NumberClass(n)
}

// compileAbs makes ABS.
func compileAbs(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	n := args[0]
	if err := c.Allow(name, n); err != nil {
		return nil, err
	}
	k := c.NumberClass(n)
	s := class.NumberShape(&n.Shape, k)
	switch k {
	case class.Null:
		return nil, refusal.Of(name)
	case class.Decimal:
		return program.Derive(s, c.Convert(&program.Node{Ev: coercion.Decimal(c, n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = in.D
			out.D.Abs()
			return out
		}), n), nil
	case class.Double:
		return program.Derive(s, c.Convert(&program.Node{Ev: coercion.Real(c, n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetDouble(math.Abs(in.Double()))
		}), n), nil
	case class.Uint:
		return program.Derive(s, coercion.Integer(c, n, name), n), nil
	default:
		return program.Derive(s, c.Convert(&program.Node{Ev: coercion.Integer(c, n, name)}, func(r *program.Run, in, out *program.Datum) *program.Datum {
			if int64(in.N) == math.MinInt64 {
				return r.Overflow("BIGINT")
			}
			return out.SetUint(decimal.Magnitude(int64(in.N)))
		}), n), nil
	}
}

// compileWhole makes FLOOR and CEILING.
func compileWhole(up bool) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		n := args[0]
		if err := c.Allow(name, n); err != nil {
			return nil, err
		}
		switch k := roundedClass(c, n); k {
		case class.Null:
			return nil, refusal.Of(name)
		case class.Decimal:
			return wholeOfDecimal(c, n, name, up), nil
		case class.Double:
			return program.Derive(c.Rules().RoundedDouble(0), c.Convert(&program.Node{Ev: coercion.Real(c, n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
				if up {
					return out.SetDouble(math.Ceil(in.Double()))
				}
				return out.SetDouble(math.Floor(in.Double()))
			}), n), nil
		default:
			return program.Derive(class.NumberShape(&n.Shape, k), coercion.Integer(c, n, name), n), nil
		}
	}
}

// wholeDigitsOfInteger is how many digits before the point fit into an integer
// for the servers: more make a DECIMAL.
const wholeDigitsOfInteger = 18

// wholeDigitsSure is below what the precision of a result may be counted
// otherwise.
const wholeDigitsSure = 15

func wholeOfDecimal(c *compilation.Compilation, n *program.Node, name string, up bool) *program.Node {
	whole, _ := n.Exact()
	s := class.Shape{Class: class.Decimal, Digits: min(whole+1, decimal.DigitsMax), Coercible: class.CoercibleNumber}
	round := c.Convert(&program.Node{Ev: coercion.Decimal(c, n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		out.D = in.D
		out.D.Whole(up)
		return out
	})
	if n.Column == nil && !n.Literal && whole >= wholeDigitsSure {
		c.Refuse(refusal.Of(name + " of a computed DECIMAL"))
	}
	if whole > wholeDigitsOfInteger {
		return program.Derive(s, round, n)
	}
	s.Class = class.Int
	return program.Derive(s, coercion.Integer(c, &program.Node{Ev: round, Shape: class.Shape{Class: class.Decimal}}, name), n)
}

// compileRound makes ROUND and TRUNCATE. The number of digits has to be a
// constant, because it decides the type.
func compileRound(truncate bool) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		digits := 0
		if len(args) > 1 {
			d := args[1]
			if d.Example == nil || d.Class != class.Int {
				return nil, refusal.Of(name + " to digits that vary")
			}
			c.Pin(d)
			digits = int(max(min(int64(d.Example.Number), decimal.ScaleMaxMariaDB), -decimal.ScaleMaxMariaDB))
		}
		return roundTo(c, args[0], name, digits, truncate)
	}
}

func roundTo(c *compilation.Compilation, n *program.Node, name string, digits int, truncate bool) (*program.Node, error) {
	switch k := roundedClass(c, n); k {
	case class.Null:
		return nil, refusal.Of(name)
	case class.Double:
		return program.Derive(c.Rules().RoundedDouble(digits), c.Convert(&program.Node{Ev: coercion.Real(c, n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetDouble(number.RoundDouble(in.Double(), digits, truncate))
		}), n), nil
	case class.Decimal:
		whole, scale := n.Exact()
		s := class.Shape{Class: class.Decimal, Scale: min(max(digits, 0), c.Rules().ScaleMax()), Coercible: class.CoercibleNumber}
		if !c.Session.IsMariaDB() {
			s.Scale = min(s.Scale, scale) // MySQL adds no zeros
		}
		s.Digits = min(whole+1+s.Scale, decimal.DigitsMax)
		return program.Derive(s, c.Convert(&program.Node{Ev: coercion.Decimal(c, n, name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = in.D
			out.D.RoundAt(digits, s.Scale, truncate)
			return out
		}), n), nil
	default:
		if digits < 0 {
			return nil, refusal.Of(name + " of integers to negative digits")
		}
		return program.Derive(class.NumberShape(&n.Shape, k), coercion.Integer(c, n, name), n), nil
	}
}

// compileMod makes MOD(a, b), which is a % b.
func compileMod(c *compilation.Compilation, _ string, args []*program.Node) (*program.Node, error) {
	return arithmeticOf(c, "MOD", args[0], args[1])
}

// compileSign makes SIGN.
func compileSign(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	n := args[0]
	if err := c.Allow(name, n); err != nil {
		return nil, err
	}
	ev, slot := coercion.Real(c, n, name), c.Slot()
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
func compileSqrt(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args[0]); err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
	return program.Castable(program.Derive(s, c.Convert(&program.Node{Ev: coercion.Real(c, args[0], name)}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		f := math.Sqrt(in.Double())
		if math.IsNaN(f) {
			return program.NullDatum
		}
		return out.SetDouble(f)
	}), args[0])), nil
}

// POW, DEGREES, RADIANS and PI. Logarithms, exponentials and trigonometry are not
// computed: their last bit is that of the C library the server was built with, and of
// the instructions its processor has. Of powers those are known whose value is a double
// exactly, so that every library finds it.

func compilePower(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	base, exponent, slot := coercion.Real(c, args[0], name), coercion.Real(c, args[1], name), c.Slot()
	s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		x := base(r)
		if x.Null {
			return program.NullDatum
		}
		f := x.Double()
		y := exponent(r)
		if y.Null {
			return program.NullDatum
		}
		p, ok := number.Power(f, y.Double())
		if !ok {
			return r.Refuse(name)
		}
		return r.Slots[slot].SetDouble(p)
	}, args...)), nil
}

// compileUnits makes DEGREES and RADIANS, which servers compute by one multiplication.
// The sum takes the sign of a zero, as theirs does.
func compileUnits(factor float64) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
		return program.Castable(program.Derive(s, c.Convert(&program.Node{Ev: coercion.Real(c, args[0], name)}, func(r *program.Run, in, out *program.Datum) *program.Datum {
			f := float64(in.Double()*factor) + 0
			if math.IsInf(f, 0) {
				return r.Refuse(name)
			}
			return out.SetDouble(f)
		}), args[0])), nil
	}
}

// piDigits is how many digits behind the point servers write of π, which is a double
// nevertheless.
const piDigits = 6

func compilePi(c *compilation.Compilation, name string, _ []*program.Node) (*program.Node, error) {
	if err := c.Allow(name); err != nil {
		return nil, err
	}
	slot := c.Slot()
	s := class.Shape{Class: class.Double, Scale: piDigits, Coercible: class.CoercibleNumber}
	return program.Derive(s, func(r *program.Run) *program.Datum { return r.Slots[slot].SetDouble(math.Pi) }), nil
}

// compileBitCount makes BIT_COUNT of an integer.
func compileBitCount(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	n := args[0]
	if err := c.Allow(name, n); err != nil {
		return nil, err
	}
	if n.Class.IsString() {
		return nil, refusal.Of(name + " of text and bytes")
	}
	ev, slot := coercion.Integer(c, n, name), c.Slot()
	return program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		return r.Slots[slot].SetInt(int64(bits.OnesCount64(d.N)))
	}, n), nil
}
