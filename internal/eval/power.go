package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
)

// POW, DEGREES, RADIANS and PI. Logarithms, exponentials and trigonometry are not
// computed: their last bit is that of the C library the server was built with, and of
// the instructions its processor has. Of powers those are known whose value is a double
// exactly, so that every library finds it.

func init() {
	builtins["pow"] = builtin{2, 2, compilePower}
	builtins["power"] = builtins["pow"]
	builtins["degrees"] = builtin{1, 1, compileUnits(180 / math.Pi)}
	builtins["radians"] = builtin{1, 1, compileUnits(math.Pi / 180)}
	builtins["pi"] = builtin{0, 0, compilePi}
	synonyms["power"] = "pow"
}

func compilePower(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	base, exponent, slot := c.real(args[0], name), c.real(args[1], name), c.slot()
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
func compileUnits(factor float64) func(*compiler, string, []*program.Node) (*program.Node, error) {
	return func(c *compiler, name string, args []*program.Node) (*program.Node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
		return program.Castable(program.Derive(s, c.convert(&program.Node{Ev: c.real(args[0], name)}, func(r *program.Run, in, out *program.Datum) *program.Datum {
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

func compilePi(c *compiler, name string, _ []*program.Node) (*program.Node, error) {
	if err := c.allow(name); err != nil {
		return nil, err
	}
	slot := c.slot()
	s := class.Shape{Class: class.Double, Scale: piDigits, Coercible: class.CoercibleNumber}
	return program.Derive(s, func(r *program.Run) *program.Datum { return r.Slots[slot].SetDouble(math.Pi) }), nil
}
