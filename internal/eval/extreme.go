package eval

import "bytes"

// compileExtreme compiles GREATEST and LEAST: NULL if one of them is.
func compileExtreme(c *compiler, name string, args []*node) (*node, error) {
	s, evs, err := c.common(name, args)
	if err != nil {
		return nil, err
	}
	if s.class == classTimestamp {
		for i := range evs {
			evs[i] = c.momentOnce(args[i], evs[i], comparedMoment)
		}
	}
	s.textOnly, s.numberOnly = true, !s.class.isInteger() // the servers compare as what is asked for
	probe := &node{shape: s}
	compare, ok := comparatorOf(s)
	if !ok || s.class == classNull && len(args) == 0 {
		return nil, refuse(name)
	}
	want := 1
	if name == "LEAST" {
		want = -1
	}
	n := derive(probe.shape, func(r *Run) *datum {
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
	if s.class == classDecimal && !c.session.isMariaDB() {
		c.extended(n, name)
	}
	return n, nil
}

// comparatorOf compares data of one type.
func comparatorOf(s shape) (comparator, bool) {
	switch {
	case s.class == classNull:
		return func(*Run, *datum, *datum) int { return 0 }, true
	case s.class.isInteger():
		return compareIntegers(s.class.isUnsigned(), s.class.isUnsigned()), true
	case s.class == classDecimal:
		return compareDecimals, true
	case s.class.isReal():
		return compareDoubles, true
	case s.class.isTemporal():
		return compareIntegers(false, false), true
	case s.class == classBytes:
		return func(_ *Run, x, y *datum) int { return bytes.Compare(x.b, y.b) }, true
	case s.class == classText:
		if exact, _ := s.collation.Exact(); exact {
			return func(_ *Run, x, y *datum) int { return s.collation.Compare(x.b, y.b) }, true
		}
	}
	return nil, false
}
