package comparison

import "tunic/internal/eval/program"

// And stops at the first false. What that is a datum of is never NULL, so it
// is good beside the second.
func And(a, b program.Evaluator) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		x := a(r)
		if !x.Null && x.N == 0 {
			return program.FalseDatum
		}
		unknown := x.Null
		y := b(r)
		switch {
		case !y.Null && y.N == 0:
			return program.FalseDatum
		case unknown || y.Null:
			return program.NullDatum
		}
		return program.TrueDatum
	}
}

// Or stops at the first true.
func Or(a, b program.Evaluator) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		x := a(r)
		if !x.Null && x.N != 0 {
			return program.TrueDatum
		}
		unknown := x.Null
		y := b(r)
		switch {
		case !y.Null && y.N != 0:
			return program.TrueDatum
		case unknown || y.Null:
			return program.NullDatum
		}
		return program.FalseDatum
	}
}

// Xor is NULL if one side is.
func Xor(a, b program.Evaluator) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		x := a(r)
		if x.Null {
			return program.NullDatum
		}
		first := x.N != 0
		y := b(r)
		if y.Null {
			return program.NullDatum
		}
		return program.BoolDatum(first != (y.N != 0))
	}
}

// IsNull is whether NULL is what is wanted.
// IsNull compiles IS NULL, or IS NOT NULL where NULL is not wanted.
func IsNull(ev program.Evaluator, wanted bool) program.Evaluator {
	return func(r *program.Run) *program.Datum { return program.BoolDatum(ev(r).Null == wanted) }
}

// NegatedIf is NOT of a truth, or the truth itself.
func NegatedIf(not bool, ev program.Evaluator) program.Evaluator {
	if !not {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		x := ev(r)
		if x.Null {
			return program.NullDatum
		}
		return program.BoolDatum(x.N == 0)
	}
}
