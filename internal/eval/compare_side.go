package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"

	"tunic/internal/eval/program"
)

// roundSides has MariaDB's comparisons of decimals look at the digits of their types: a
// quotient or an average has more. Lists of IN, BETWEEN and CASE look at all.
func (c *compiler) roundSides(k *comparison.Comparison, a, b *program.Node) {
	if c.session.IsMariaDB() && k.By == class.Decimal {
		k.A, k.B = c.roundedSide(a, k.A), c.roundedSide(b, k.B)
	}
}

func (c *compiler) roundedSide(n *program.Node, ev program.Evaluator) program.Evaluator {
	if n.Class != class.Decimal || n.Literal {
		return ev
	}
	slot, scale := c.slot(), n.Scale
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
func (c *compiler) weighOnce(k *comparison.Comparison, a, b *program.Node) {
	onceA, onceB := a.Constant && !a.Varies, b.Constant && !b.Varies
	if k.By != class.Text || k.Collation == nil || onceA == onceB || a.Class == class.JSON || b.Class == class.JSON {
		return
	}
	state, collation := c.states, k.Collation
	c.states++
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
