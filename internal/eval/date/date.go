package date

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"

	"tunic/internal/eval/class"
)

// strict makes a function that is NULL if one of its arguments is. of computes it,
// or returns false for values of which the result is not known.
func strict(c *compilation.Compilation, name string, s class.Shape, args []*program.Node, evs []program.Evaluator, of func(in []*program.Datum, out *program.Datum) bool) *program.Node {
	slot := c.Slot()
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		in := r.Pieces(len(evs))
		if !program.EvalAll(r, evs, in) {
			return program.NullDatum
		}
		out := &r.Slots[slot]
		if out.Null = false; !of(in, out) {
			return r.Refuse(name)
		}
		return out
	}, args...)
	n.Nullable = true
	return n
}

// momentOf evaluates an argument as a date or time; text only if it is constant.
func momentOf(c *compilation.Compilation, n *program.Node, asTime bool, name string) (ev program.Evaluator, as class.Class, ok bool) {
	switch {
	case n.Class == class.Null:
		return n.Ev, class.Date, true
	case n.Class.IsTemporal():
		return n.Ev, n.Class, true
	case n.Class == class.Text && n.Constant:
		as = class.DateTime
		if asTime {
			as = class.Time
		}
		return c.Once(n, coercion.Temporal(c, n, as, name)), as, true
	}
	return nil, 0, false
}

// dayOf evaluates an argument that has a date.
func dayOf(c *compilation.Compilation, n *program.Node, name string) (program.Evaluator, class.Class, error) {
	ev, as, ok := momentOf(c, n, false, name)
	if !ok || as == class.Time {
		return nil, 0, refusal.Of(name)
	}
	return ev, as, nil
}

// integersOf evaluates arguments that are whole numbers. Of others the servers may warn
// where they need none of them.
func integersOf(c *compilation.Compilation, name string, args []*program.Node) ([]program.Evaluator, error) {
	evs := make([]program.Evaluator, len(args))
	for i, n := range args {
		if !n.Class.IsInteger() && n.Class != class.Null {
			return nil, refusal.Of(name)
		}
		evs[i] = coercion.ClampedInteger(c, n, name)
	}
	return evs, nil
}

// ofIntegers makes a function of whole numbers.
func ofIntegers(s class.Shape, of func(in []*program.Datum, out *program.Datum) bool) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		evs, err := integersOf(c, name, args)
		if err != nil {
			return nil, err
		}
		return strict(c, name, s, args, evs, of), nil
	}
}

// compileDateDiff makes DATEDIFF: days from the second date to the first.
func compileDateDiff(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	a, asA, err := dayOf(c, args[0], name)
	if err != nil {
		return nil, err
	}
	b, asB, err := dayOf(c, args[1], name)
	if err != nil {
		return nil, err
	}
	return strict(c, name, class.IntegerShape(7), args, []program.Evaluator{a, b}, func(in []*program.Datum, out *program.Datum) bool {
		p, q := program.Unpack(asA, in[0].N), program.Unpack(asB, in[1].N)
		if !p.IsDate() || !q.IsDate() {
			return false
		}
		out.SetInt(int64(p.Days() - q.Days()))
		return true
	}), nil
}

// compileDay makes a function that has one day for each date; day is told it as it
// is packed, and returns false where none is certain.
func compileDay(day func(packed uint64) (uint64, bool)) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		ev, _, err := dayOf(c, args[0], name)
		if err != nil {
			return nil, err
		}
		ev = coercion.WithoutZeros(c, args[0], ev, name)
		return strict(c, name, class.DateShape, args, []program.Evaluator{ev}, func(in []*program.Datum, out *program.Datum) (ok bool) {
			out.N, ok = day(in[0].N)
			return ok
		}), nil
	}
}

// dateOf is DATE: the date of a date and time.
func dateOf(packed uint64) (uint64, bool) { return calendar.DayOf(packed), true }

// fromDays is FROM_DAYS, of the days that both servers have.
func fromDays(in []*program.Datum, out *program.Datum) bool { return out.SetDay(int64(in[0].N)) }

// makeDateOf is MAKEDATE, of a year and a number of days.
func makeDateOf(in []*program.Datum, out *program.Datum) (ok bool) {
	out.N, out.Null, ok = calendar.MakeDate(int64(in[0].N), int64(in[1].N))
	return ok
}

// ofPeriods makes a function of two numbers, of which one or both are months of PERIOD_ADD.
func ofPeriods(of func(a, b int64) (int64, bool)) func(in []*program.Datum, out *program.Datum) bool {
	return func(in []*program.Datum, out *program.Datum) bool {
		n, ok := of(int64(in[0].N), int64(in[1].N))
		out.SetInt(n)
		return ok
	}
}
