package predicate

import (
	"bytes"
	"cmp"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
)

// RoundSides has MariaDB's comparisons of decimals look at the digits of their types: a
// quotient or an average has more. Lists of IN, BETWEEN and CASE look at all.
func RoundSides(c *compilation.Compilation, k *comparison.Comparison, a, b *program.Node) {
	if c.Session.IsMariaDB() && k.By == class.Decimal {
		k.A, k.B = roundedSide(c, a, k.A), roundedSide(c, b, k.B)
	}
}

func roundedSide(c *compilation.Compilation, n *program.Node, ev program.Evaluator) program.Evaluator {
	if n.Class != class.Decimal || n.Literal {
		return ev
	}
	slot, scale := c.Slot(), n.Scale
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null || d.D.Decimals() <= scale {
			return d
		}
		out := &r.Slots[slot]
		out.Null, out.D = false, d.D
		if !out.D.Round(scale) {
			return r.Refuse("a DECIMAL of so many digits")
		}
		return out
	}
}

// weighOnce has a comparison of text make the weight string of a constant once a run. What
// it compares from then on is that constant: a comparison that serves several, as one of IN
// does, is not to be given.
func weighOnce(c *compilation.Compilation, k *comparison.Comparison, a, b *program.Node) {
	onceA, onceB := a.Constant && !a.Varies, b.Constant && !b.Varies
	if k.By != class.Text || k.Collation == nil || onceA == onceB || a.Class == class.JSON || b.Class == class.JSON {
		return
	}
	state, collation := c.State(), k.Collation
	weights := func(r *program.Run, s []byte) []byte {
		known, ok := r.States[state].([]byte)
		if !ok {
			known = collation.AppendWeights(nil, s)
			r.States[state] = known
		}
		return known
	}
	if onceB {
		k.Compare = func(r *program.Run, x, y *program.Datum) int { return collation.CompareTo(x.B, weights(r, y.B)) }
	} else {
		k.Compare = func(r *program.Run, x, y *program.Datum) int { return -collation.CompareTo(y.B, weights(r, x.B)) }
	}
}

// Tolerant has a comparison of doubles take two for equal that are less than half a digit
// apart, where both sides have a fixed number of decimals: so the servers compare a sum of
// DOUBLE(8,2) with 0. A hexadecimal literal has no decimals; a parameter beside a double MySQL
// makes one without a fixed number of them. Lists of IN and CASE compare exactly on both of them.
func Tolerant(c *compilation.Compilation, k *comparison.Comparison, a, b *program.Node) {
	free := func(n *program.Node) bool {
		return n.Param && !c.Session.IsMariaDB() || n.Class != class.Hex && n.IsFree()
	}
	if k.By != class.Double || !a.Class.IsReal() && !b.Class.IsReal() || free(a) || free(b) {
		return
	}
	half := 5 / math.Pow10(max(a.Scale, b.Scale)+1)
	k.Compare = func(_ *program.Run, x, y *program.Datum) int {
		p, q := x.Double(), y.Double()
		if math.Abs(p-q) < half {
			return 0
		}
		return cmp.Compare(p, q)
	}
}

// refuseFiner refuses, when they are to be equal, a time of a column and a constant that has more digits
// after the second than it: through a key servers find the row beside it. MySQL rounds a TIME to the column's
// digits in every comparison: it is guarded in all.
func refuseFiner(c *compilation.Compilation, k *comparison.Comparison, a, b *program.Node) {
	if k.By == class.DateTime || k.By == class.Time && c.Session.IsMariaDB() {
		k.GuardFiner(a, b)
	}
}

// comparesWhole reports whether n is a column of integers that is compared with text
// that is constant.
func comparesWhole(n, other *program.Node) bool {
	return n.Column != nil && (n.Class == class.Int || n.Class == class.Uint) && other.IsTextConstant() && !other.Varies && !other.TextOnly
}

// comparesExactly reports whether MariaDB compares text with n digit by digit, and not as doubles: with integers.
func comparesExactly(text, n *program.Node) bool { return text.Class.IsString() && n.Class.IsInteger() }

// compareWhole compares a column of integers with text that is constant: servers make an
// integer of the column's type of it where they can, and compare doubles where it has a
// point, an exponent or anything else.
func compareWhole(c *compilation.Compilation, operation string, a, b *program.Node) comparison.Comparison {
	if b.Column != nil {
		k := compareWhole(c, operation, b, a)
		return k.Turned()
	}
	unsigned := a.Class == class.Uint
	whole := c.Once(b, wholeOfText(c, b, unsigned))
	guarded := wholeGuard(c, b, a, coercion.Real(c, b, operation), operation)
	text := c.Once(b, func(r *program.Run) *program.Datum {
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
func wholeOfText(c *compilation.Compilation, n *program.Node, unsigned bool) program.Evaluator {
	return c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
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
