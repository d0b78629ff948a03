package eval

import (
	"math"
	"math/bits"
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

func compilePower(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	base, exponent, slot := c.real(args[0], name), c.real(args[1], name), c.slot()
	s := shape{class: classDouble, scale: scaleFree, coercible: coercibleNumber}
	return castable(derive(s, func(r *Run) *datum {
		x := base(r)
		if x.null {
			return nullDatum
		}
		f := x.double()
		y := exponent(r)
		if y.null {
			return nullDatum
		}
		p, ok := exactPower(f, y.double())
		if !ok {
			return r.refuse(name)
		}
		return r.slots[slot].setDouble(p)
	}, args...)), nil
}

// mantissaBits is how many bits the mantissa of a double has.
const mantissaBits = 53

// exactPower is x to the power of y where that is a double, and no rounding is needed
// to find it.
func exactPower(x, y float64) (p float64, ok bool) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || math.IsNaN(y) || math.IsInf(y, 0):
		return 0, false
	case y == 0 || x == 1:
		return 1, true
	case y != math.Trunc(y) || math.Abs(y) > 1<<11:
		return 0, false
	case x == 0:
		return 0, y > 0 && !math.Signbit(x)
	}
	fraction, exponent := math.Frexp(x)
	odd := uint64(math.Abs(fraction) * (1 << mantissaBits))
	zeros := bits.TrailingZeros64(odd)
	odd >>= zeros
	exponent += zeros - mantissaBits // x is odd * 2^exponent
	if odd != 1 && y < 0 {
		return 0, false
	}
	n, product := int(math.Abs(y)), uint64(1)
	for i := 0; i < n && odd != 1; i++ {
		high, low := bits.Mul64(product, odd)
		if high != 0 || bits.Len64(low) > mantissaBits {
			return 0, false
		}
		product = low
	}
	p = math.Ldexp(float64(product), exponent*int(y))
	if math.IsInf(p, 0) || math.Abs(p) < smallestNormal {
		return 0, false
	}
	if x < 0 && n%2 == 1 {
		p = -p
	}
	return p, true
}

// smallestNormal is the smallest double with a whole mantissa.
const smallestNormal = 0x1p-1022

// compileUnits makes DEGREES and RADIANS, which servers compute by one multiplication.
// The sum takes the sign of a zero, as theirs does.
func compileUnits(factor float64) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		s := shape{class: classDouble, scale: scaleFree, coercible: coercibleNumber}
		return castable(derive(s, c.convert(&node{ev: c.real(args[0], name)}, func(r *Run, in, out *datum) *datum {
			f := float64(in.double()*factor) + 0
			if math.IsInf(f, 0) {
				return r.refuse(name)
			}
			return out.setDouble(f)
		}), args[0])), nil
	}
}

// piDigits is how many digits behind the point servers write of π, which is a double
// nevertheless.
const piDigits = 6

func compilePi(c *compiler, name string, _ []*node) (*node, error) {
	if err := c.allow(name); err != nil {
		return nil, err
	}
	slot := c.slot()
	s := shape{class: classDouble, scale: piDigits, coercible: coercibleNumber}
	return derive(s, func(r *Run) *datum { return r.slots[slot].setDouble(math.Pi) }), nil
}
