package eval

import "tunic/internal/eval/class"

// roundSides has MariaDB's comparisons of decimals look at the digits of their types: a
// quotient or an average has more. Lists of IN, BETWEEN and CASE look at all.
func (c *compiler) roundSides(k *comparison, a, b *node) {
	if c.session.isMariaDB() && k.by == class.Decimal {
		k.a, k.b = c.roundedSide(a, k.a), c.roundedSide(b, k.b)
	}
}

func (c *compiler) roundedSide(n *node, ev evaluator) evaluator {
	if n.Class != class.Decimal || n.literal {
		return ev
	}
	slot, scale := c.slot(), n.Scale
	return func(r *Run) *datum {
		d := ev(r)
		if d.null || d.d.Decimals() <= scale {
			return d
		}
		out := &r.slots[slot]
		out.null, out.d = false, d.d
		if !out.d.Round(scale) {
			return r.refuse("a DECIMAL of so many digits")
		}
		return out
	}
}

// weighOnce has a comparison of text make the weight string of a constant once a run. What
// it compares from then on is that constant: a comparison that serves several, as one of IN
// does, is not to be given.
func (c *compiler) weighOnce(k *comparison, a, b *node) {
	onceA, onceB := a.constant && !a.varies, b.constant && !b.varies
	if k.by != class.Text || k.collation == nil || onceA == onceB || a.Class == class.JSON || b.Class == class.JSON {
		return
	}
	state, collation := c.states, k.collation
	c.states++
	weights := func(r *Run, s []byte) []byte {
		known, ok := r.states[state].([]byte)
		if !ok {
			known = collation.AppendWeights(nil, s)
			r.states[state] = known
		}
		return known
	}
	if onceB {
		k.compare = func(r *Run, x, y *datum) int { return collation.CompareTo(x.b, weights(r, y.b)) }
	} else {
		k.compare = func(r *Run, x, y *datum) int { return -collation.CompareTo(y.b, weights(r, x.b)) }
	}
}
