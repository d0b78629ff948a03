package aggregate

import (
	"tunic/internal/eval/program"
)

// Extreme is MIN or MAX.
type Extreme struct {
	nullOfNone
	Compare func(r *program.Run, a, b *program.Datum) int
	Least   bool
	// Column says that results are columns as they are.
	Column bool
}

// add keeps the argument if it is beyond what the group has.
func (f *Extreme) add(acc *Accumulation, g *Group) error {
	r, d := acc.args[0], acc.data[0]
	if g.count > 1 {
		c := f.Compare(r, d, &g.best)
		if r.Err != nil {
			return r.Fail()
		}
		if f.Least != (c < 0) || c == 0 {
			return nil
		}
	}
	g.best = *d
	g.bytes = append(g.bytes[:0], d.B...)
	g.best.B = g.bytes
	if f.Column {
		g.row = append(g.row[:0], r.Row[r.X.At]...)
	}
	return nil
}

func (f *Extreme) result(acc *Accumulation, g *Group, out *program.Datum) {
	*out = g.best
	acc.out.Row[0] = g.row
}
