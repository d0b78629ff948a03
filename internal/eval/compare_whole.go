package eval

import (
	"bytes"
	"cmp"

	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/program"
)

// comparesWhole reports whether n is a column of integers that is compared with text
// that is constant.
func comparesWhole(n, other *program.Node) bool {
	return n.Column != nil && (n.Class == class.Int || n.Class == class.Uint) && other.IsTextConstant() && !other.Varies && !other.TextOnly
}

// compareWhole compares a column of integers with text that is constant: servers make an
// integer of the column's type of it where they can, and compare doubles where it has a
// point, an exponent or anything else.
func (c *compiler) compareWhole(operation string, a, b *program.Node) comparison.Comparison {
	if b.Column != nil {
		k := c.compareWhole(operation, b, a)
		return k.Turned()
	}
	unsigned := a.Class == class.Uint
	whole := c.once(b, c.wholeOfText(b, unsigned))
	guarded := c.wholeGuard(b, a, c.real(b, operation), operation)
	text := c.once(b, func(r *program.Run) *program.Datum {
		if d := whole(r); !d.Null {
			return d
		}
		return guarded(r)
	})
	integers := comparison.Integers(unsigned, unsigned)
	return comparison.Comparison{A: a.Ev, B: text, By: class.Double, Compare: func(r *program.Run, x, y *program.Datum) int {
		if !whole(r).Null {
			return integers(r, x, y)
		}
		f := float64(int64(x.N))
		if unsigned {
			f = float64(x.N)
		}
		return cmp.Compare(f, y.Double())
	}}
}

// wholeOfText evaluates text as an integer of 64 bits, and is NULL for what is not the
// digits of one.
func (c *compiler) wholeOfText(n *program.Node, unsigned bool) program.Evaluator {
	return c.convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		if !out.D.SetText(in.B) || bytes.IndexByte(in.B, '.') >= 0 || in.B[0] == '+' {
			return program.NullDatum
		}
		if unsigned {
			u, ok := out.D.Uint64()
			if !ok {
				return program.NullDatum
			}
			return out.SetUint(u)
		}
		i, ok := out.D.Int64()
		if !ok {
			return program.NullDatum
		}
		return out.SetInt(i)
	})
}
