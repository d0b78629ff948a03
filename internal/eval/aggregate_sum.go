package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
)

// summing is SUM or AVG of exact numbers.
type summing struct {
	nullOfNone
	name    string
	average bool
	scale   int // of the results
}

// inexact is SUM or AVG of doubles.
type inexact struct {
	nullOfNone
	name    string
	average bool
	real    evaluator
}

// sum compiles SUM and AVG.
func (c *compiler) sum(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	average := a.name == "AVG"
	if x.root.Class == class.Hex {
		return class.Shape{}, refuse(a.name + " of a hexadecimal literal")
	}
	if k := c.numberClass(x.root); k == class.Double || k == class.Null {
		sub := c.argument()
		sub.slots, sub.consts, sub.states = x.slots, x.consts, x.states
		f := &inexact{name: a.name, average: average, real: sub.real(x.root, a.name)}
		x.slots, x.states, x.eager = sub.slots, sub.states, append(x.eager, sub.eager...)
		a.family = f
		return c.rules().InexactShape(&x.root.Shape, average), sub.refusal
	}
	if average && (x.root.NumberOnly || x.root.Uneven) && x.root.Scale > wordScale && !c.session.isMariaDB() {
		return class.Shape{}, refuse("AVG of numbers of several types")
	}
	s := c.rules().SumShape(&x.root.Shape, average)
	a.family = &summing{name: a.name, average: average, scale: s.Scale}
	return s, nil
}

func (f *summing) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	if f.addSmall(r.x.root.Class, acc.data[0], &g.exact) {
		return r.fail()
	}
	x := exactDatum(r.x.root, acc.data[0])
	sum := g.exact
	if !g.exact.Add(&sum, &x) || !g.exact.IsExact() {
		r.refuse(f.name)
	}
	return r.fail()
}

// addSmall adds a datum to a sum if one word holds either, without making a decimal of it.
func (f *summing) addSmall(k class.Class, d *datum, sum *decimal.Number) bool {
	switch k {
	case class.Int:
		n := int64(d.n)
		return sum.AddWord(decimal.Magnitude(n), n < 0, 0)
	case class.Decimal:
		return sum.AddSmall(&d.d)
	default:
		return false
	}
}

func (f *summing) result(acc *Accumulation, g *Group, out *datum) {
	out.d = g.exact
	out.d.Extend(f.scale)
	if f.average {
		x, n := out.d, decimal.OfInt(g.count)
		out.d.Quotient(&x, &n, decimal.QuotientScale(x.Decimals(), 0, acc.out.x.session.DivPrecision))
		out.d.Round(f.scale)
	}
}

func (f *inexact) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	d := f.real(r)
	if r.err != nil {
		return r.fail()
	}
	if g.inexact += d.double(); math.IsInf(g.inexact, 0) {
		r.refuse(f.name)
	}
	return r.fail()
}

func (f *inexact) result(_ *Accumulation, g *Group, out *datum) {
	out.setDouble(g.inexact)
	if f.average {
		out.setDouble(g.inexact / float64(g.count))
	}
}

// exactDatum is a datum of an exact class, or a date, as a decimal.
func exactDatum(n *node, d *datum) decimal.Number {
	switch k := n.Class; {
	case k == class.Decimal:
		return d.d
	case k == class.Int:
		return decimal.OfInt(int64(d.n))
	case k.IsTemporal():
		var out datum
		temporalAsDecimal(k, n.Scale, d, &out)
		return out.d
	default:
		return decimal.OfUint(d.n)
	}
}
