package aggregate

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/program"
)

// Sum is SUM or AVG of exact numbers.
type Sum struct {
	nullOfNone
	Name    string
	Average bool
	Scale   int // of the results
}

// InexactSum is SUM or AVG of doubles.
type InexactSum struct {
	nullOfNone
	Name    string
	Average bool
	Real    program.Evaluator
}

func (f *Sum) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	if f.addSmall(r.X.Root.Class, acc.data[0], &g.exact) {
		return r.Fail()
	}
	x := exactDatum(r.X.Root, acc.data[0])
	sum := g.exact
	if !g.exact.Add(&sum, &x) || !g.exact.IsExact() {
		r.Refuse(f.Name)
	}
	return r.Fail()
}

// addSmall adds a datum to a sum if one word holds either, without making a decimal of it.
func (f *Sum) addSmall(k class.Class, d *program.Datum, sum *decimal.Number) bool {
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

func (f *Sum) result(acc *Accumulation, g *Group, out *program.Datum) {
	out.D = g.exact
	out.D.Extend(f.Scale)
	if f.Average {
		x, n := out.D, decimal.OfInt(g.count)
		out.D.Quotient(&x, &n, decimal.QuotientScale(x.Decimals(), 0, acc.out.X.Session.DivPrecision))
		out.D.Round(f.Scale)
	}
}

func (f *InexactSum) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	d := f.Real(r)
	if r.Err != nil {
		return r.Fail()
	}
	if g.inexact += d.Double(); math.IsInf(g.inexact, 0) {
		r.Refuse(f.Name)
	}
	return r.Fail()
}

func (f *InexactSum) result(_ *Accumulation, g *Group, out *program.Datum) {
	out.SetDouble(g.inexact)
	if f.Average {
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
		program.TemporalAsDecimal(k, n.Scale, d, &out)
		return out.D
	default:
		return decimal.OfUint(d.N)
	}
}
