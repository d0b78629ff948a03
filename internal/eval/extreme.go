package eval

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/program"
)

// compileExtreme compiles GREATEST and LEAST: NULL if one of them is.
func compileExtreme(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	s, evs, err := c.common(name, args)
	if err != nil {
		return nil, err
	}
	if s.Class == class.Timestamp {
		for i := range evs {
			evs[i] = c.momentOnce(args[i], evs[i], comparedMoment)
		}
	}
	s.TextOnly, s.NumberOnly = true, !s.Class.IsInteger() // the servers compare as what is asked for
	probe := &program.Node{Shape: s}
	compare, ok := comparison.OfShape(s)
	if !ok || s.Class == class.Null && len(args) == 0 {
		return nil, refuse(name)
	}
	want := 1
	if name == "LEAST" {
		want = -1
	}
	n := program.Derive(probe.Shape, func(r *program.Run) *program.Datum {
		best := evs[0](r)
		if best.Null {
			return program.NullDatum
		}
		for _, ev := range evs[1:] {
			d := ev(r)
			if d.Null {
				return program.NullDatum
			}
			switch got := compare(r, d, best); {
			case got == want:
				best = d
			case got == 0 && !bytes.Equal(d.B, best.B):
				return r.Refuse(name) // equal, and not the same: servers differ in which
			}
		}
		return best
	}, args...)
	if s.Class == class.Decimal && !c.session.IsMariaDB() {
		c.extended(n, name)
	}
	return n, nil
}
