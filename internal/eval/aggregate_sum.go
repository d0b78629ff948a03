package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/program"
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
	real    program.Evaluator
}

// sum compiles SUM and AVG.
func (c *compiler) sum(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	average := a.name == "AVG"
	if x.Root.Class == class.Hex {
		return class.Shape{}, refuse(a.name + " of a hexadecimal literal")
	}
	if k := c.numberClass(x.Root); k == class.Double || k == class.Null {
		sub := c.argument()
		sub.slots, sub.consts, sub.states = x.Slots, x.Consts, x.States
		f := &inexact{name: a.name, average: average, real: sub.real(x.Root, a.name)}
		x.Slots, x.States, x.Eager = sub.slots, sub.states, append(x.Eager, sub.eager...)
		a.family = f
		return c.rules().InexactShape(&x.Root.Shape, average), sub.refusal
	}
	if average && (x.Root.NumberOnly || x.Root.Uneven) && x.Root.Scale > wordScale && !c.session.IsMariaDB() {
		return class.Shape{}, refuse("AVG of numbers of several types")
	}
	s := c.rules().SumShape(&x.Root.Shape, average)
	a.family = &summing{name: a.name, average: average, scale: s.Scale}
	return s, nil
}

func (f *summing) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	if f.addSmall(r.X.Root.Class, acc.data[0], &g.exact) {
		return r.Fail()
	}
	x := exactDatum(r.X.Root, acc.data[0])
	sum := g.exact
	if !g.exact.Add(&sum, &x) || !g.exact.IsExact() {
		r.Refuse(f.name)
	}
	return r.Fail()
}

// addSmall adds a datum to a sum if one word holds either, without making a decimal of it.
func (f *summing) addSmall(k class.Class, d *program.Datum, sum *decimal.Number) bool {
	switch k {
	case class.Int:
		n := int64(d.N)
		return sum.AddWord(decimal.Magnitude(n), n < 0, 0)
	case class.Decimal:
		return sum.AddSmall(&d.D)
	default:
		return false
	}
}

func (f *summing) result(acc *Accumulation, g *Group, out *program.Datum) {
	out.D = g.exact
	out.D.Extend(f.scale)
	if f.average {
		x, n := out.D, decimal.OfInt(g.count)
		out.D.Quotient(&x, &n, decimal.QuotientScale(x.Decimals(), 0, acc.out.X.Session.DivPrecision))
		out.D.Round(f.scale)
	}
}

func (f *inexact) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	d := f.real(r)
	if r.Err != nil {
		return r.Fail()
	}
	if g.inexact += d.Double(); math.IsInf(g.inexact, 0) {
		r.Refuse(f.name)
	}
	return r.Fail()
}

func (f *inexact) result(_ *Accumulation, g *Group, out *program.Datum) {
	out.SetDouble(g.inexact)
	if f.average {
		out.SetDouble(g.inexact / float64(g.count))
	}
}

// exactDatum is a datum of an exact class, or a date, as a decimal.
func exactDatum(n *program.Node, d *program.Datum) decimal.Number {
	switch k := n.Class; {
	case k == class.Decimal:
		return d.D
	case k == class.Int:
		return decimal.OfInt(int64(d.N))
	case k.IsTemporal():
		var out program.Datum
		temporalAsDecimal(k, n.Scale, d, &out)
		return out.D
	default:
		return decimal.OfUint(d.N)
	}
}
