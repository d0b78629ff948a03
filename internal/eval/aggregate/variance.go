package aggregate

import (
	"math"

	"tunic/internal/eval/program"
)

// Variance is STDDEV_POP, STDDEV_SAMP, VAR_POP or VAR_SAMP. It is computed as the
// servers do: in doubles, one value after the other (Welford, "Note on a method for
// calculating corrected sums of squares and products", Technometrics 4, 1962). The
// last digits depend on the order of the rows, as those of a sum.
type Variance struct {
	nullOfNone
	Name         string
	Sample, Root bool
	Real         program.Evaluator
}

func (f *Variance) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	d := f.Real(r)
	if r.Err != nil {
		return r.Fail()
	}
	v := d.Double()
	if g.count == 1 {
		g.mean = v
		return nil
	}
	// The conversions keep a processor from computing with more digits than the
	// servers do: none of them has a product and a sum in one operation.
	before := g.mean
	g.mean = before + (v-before)/float64(g.count)
	g.inexact += float64((v - before) * (v - g.mean))
	if math.IsInf(g.inexact, 0) || math.IsNaN(g.inexact) {
		r.Refuse(f.Name)
	}
	return r.Fail()
}

func (f *Variance) result(_ *Accumulation, g *Group, out *program.Datum) {
	if f.Sample && g.count == 1 {
		out.Null = true
		return
	}
	v := 0.0
	switch {
	case f.Sample:
		v = g.inexact / float64(g.count-1)
	case g.count > 1:
		v = g.inexact / float64(g.count)
	}
	if f.Root {
		v = math.Sqrt(v)
	}
	out.SetDouble(v)
}
