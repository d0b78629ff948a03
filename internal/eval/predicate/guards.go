package predicate

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// yearGuard refuses constants of two digits where they are compared with a column
// of years: servers may read them as a year of this century or the last.
func yearGuard(n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	const digits2 = 100
	if other.Class != class.Year || other.Column == nil || !n.Constant || n.Class == class.Year {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && d.N > 0 && d.N < digits2 {
			return r.Refuse(operation)
		}
		return d
	}
}

// clockGuard refuses constants of text that have a time and are items of IN for a
// DATE: MySQL makes dates of them first, and warns.
func clockGuard(c *compilation.Compilation, n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	if operation != "IN" || other.Class != class.Date || !n.IsTextConstant() || c.Session.IsMariaDB() {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && d.N&(1<<value.DayShift-1) != 0 {
			return r.Refuse(operation)
		}
		return d
	}
}

// momentGuard refuses TIMESTAMPs of an hour that is there twice where two of them are compared:
// MariaDB compares moments, and here is what clocks show.
func momentGuard(c *compilation.Compilation, n, other *program.Node, ev program.Evaluator) program.Evaluator {
	if other.Class != class.Timestamp {
		return ev
	}
	return coercion.MomentOnce(c, n, ev, coercion.ComparedMoment)
}

// exactDoubles is the limit up to which a double tells whole numbers apart.
const exactDoubles = 1 << 53

// wholeGuard refuses constants beyond what doubles hold exactly where a server may make of them
// what they are compared with, instead of comparing doubles: an integer of 64 bits of a number or
// of text, on MariaDB also the text of a whole number. Shorter integers come out the same either way.
func wholeGuard(c *compilation.Compilation, n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	short := other.Column != nil && value.OrderBits(other.Column) < 53
	switch {
	case !n.Constant:
		return ev
	case n.Class == class.Text && other.Class.IsInteger():
	case n.Class.IsReal() && other.Class.IsInteger() && !short:
	case n.Class.IsExact() && other.Class == class.Text && c.Session.IsMariaDB():
	default:
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && math.Abs(d.Double()) >= exactDoubles {
			return r.Refuse(operation)
		}
		return d
	}
}
