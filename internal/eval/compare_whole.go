package eval

import (
	"bytes"
	"cmp"

	"tunic/internal/eval/class"
)

// comparesWhole reports whether n is a column of integers that is compared with text
// that is constant.
func comparesWhole(n, other *node) bool {
	return n.column != nil && (n.Class == class.Int || n.Class == class.Uint) && other.isTextConstant() && !other.varies && !other.TextOnly
}

// compareWhole compares a column of integers with text that is constant: servers make an
// integer of the column's type of it where they can, and compare doubles where it has a
// point, an exponent or anything else.
func (c *compiler) compareWhole(operation string, a, b *node) comparison {
	if b.column != nil {
		k := c.compareWhole(operation, b, a)
		return k.turned()
	}
	unsigned := a.Class == class.Uint
	whole := c.once(b, c.wholeOfText(b, unsigned))
	guarded := c.wholeGuard(b, a, c.real(b, operation), operation)
	text := c.once(b, func(r *Run) *datum {
		if d := whole(r); !d.null {
			return d
		}
		return guarded(r)
	})
	integers := compareIntegers(unsigned, unsigned)
	return comparison{a: a.ev, b: text, by: class.Double, compare: func(r *Run, x, y *datum) int {
		if !whole(r).null {
			return integers(r, x, y)
		}
		f := float64(int64(x.n))
		if unsigned {
			f = float64(x.n)
		}
		return cmp.Compare(f, y.double())
	}}
}

// wholeOfText evaluates text as an integer of 64 bits, and is NULL for what is not the
// digits of one.
func (c *compiler) wholeOfText(n *node, unsigned bool) evaluator {
	return c.convert(n, func(_ *Run, in, out *datum) *datum {
		if !out.d.SetText(in.b) || bytes.IndexByte(in.b, '.') >= 0 || in.b[0] == '+' {
			return nullDatum
		}
		if unsigned {
			u, ok := out.d.Uint64()
			if !ok {
				return nullDatum
			}
			return out.setUint(u)
		}
		i, ok := out.d.Int64()
		if !ok {
			return nullDatum
		}
		return out.setInt(i)
	})
}
