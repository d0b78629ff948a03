package eval

import (
	"bytes"

	"tunic/internal/eval/class"
)

// compileExtreme compiles GREATEST and LEAST: NULL if one of them is.
func compileExtreme(c *compiler, name string, args []*node) (*node, error) {
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
	probe := &node{Shape: s}
	compare, ok := comparatorOf(s)
	if !ok || s.Class == class.Null && len(args) == 0 {
		return nil, refuse(name)
	}
	want := 1
	if name == "LEAST" {
		want = -1
	}
	n := derive(probe.Shape, func(r *Run) *datum {
		best := evs[0](r)
		if best.null {
			return nullDatum
		}
		for _, ev := range evs[1:] {
			d := ev(r)
			if d.null {
				return nullDatum
			}
			switch got := compare(r, d, best); {
			case got == want:
				best = d
			case got == 0 && !bytes.Equal(d.b, best.b):
				return r.refuse(name) // equal, and not the same: servers differ in which
			}
		}
		return best
	}, args...)
	if s.Class == class.Decimal && !c.session.isMariaDB() {
		c.extended(n, name)
	}
	return n, nil
}

// comparatorOf compares data of one type.
func comparatorOf(s class.Shape) (comparator, bool) {
	switch {
	case s.Class == class.Null:
		return func(*Run, *datum, *datum) int { return 0 }, true
	case s.Class.IsInteger():
		return compareIntegers(s.Class.IsUnsigned(), s.Class.IsUnsigned()), true
	case s.Class == class.Decimal:
		return compareDecimals, true
	case s.Class.IsReal():
		return compareDoubles, true
	case s.Class.IsTemporal():
		return compareIntegers(false, false), true
	case s.Class == class.Bytes:
		return func(_ *Run, x, y *datum) int { return bytes.Compare(x.b, y.b) }, true
	case s.Class == class.Text:
		if exact, _ := s.Collation.Exact(); exact {
			return func(_ *Run, x, y *datum) int { return s.Collation.Compare(x.b, y.b) }, true
		}
	}
	return nil, false
}
