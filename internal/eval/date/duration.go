package date

import (
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"

	"tunic/internal/eval/calendar"
)

// longFraction reports whether MySQL writes a TIME that is a sum, as text inside an
// expression, with other digits of its fraction than it sends: six, or none.
func longFraction(c *compilation.Compilation, s class.Shape) bool {
	return !c.Session.IsMariaDB() && s.Class == class.Time && s.Scale > 0
}

// clockOrText is a date or time, and how many digits its fraction has: of text those
// that it has, so that other text is compiled for anew.
func clockOrText(c *compilation.Compilation, n *program.Node, asTime bool, name string) (ev program.Evaluator, as class.Class, scale int, err error) {
	ev, as, ok := momentOf(c, n, asTime, name)
	if !ok || n.Class == class.Text && !n.Literal {
		return nil, 0, 0, refusal.Of(name)
	}
	scale = n.Scale
	if n.Class == class.Text {
		scale = calendar.FractionDigits(n.Example.Bytes)
		c.Pin(n)
	}
	return ev, as, scale, nil
}

// compileTime makes TIME: the time of a date and time.
func compileTime(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	ev, as, scale, err := clockOrText(c, args[0], true, name)
	if err != nil {
		return nil, err
	}
	return strict(c, name, class.TimeShape(scale), args, []program.Evaluator{ev}, func(in []*program.Datum, out *program.Datum) bool {
		k := program.Unpack(as, in[0].N)
		out.SetUint(k.PackedTime())
		return true
	}), nil
}

// compileTimestamp makes TIMESTAMP: a date and time, or the sum of one and a time.
func compileTimestamp(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	if len(args) == 2 && args[0].Class != class.Time {
		return timeSum(c, name, args, 1)
	}
	ev, as, scale, err := clockOrText(c, args[0], false, name)
	if err != nil || as == class.Time || len(args) > 1 {
		return nil, refusal.Of(name)
	}
	return strict(c, name, class.DateTimeShape(scale), args, []program.Evaluator{ev}, func(in []*program.Datum, out *program.Datum) bool {
		k := program.Unpack(as, in[0].N)
		out.N = in[0].N
		return k.IsDate()
	}), nil
}

// compileAddTime makes ADDTIME and SUBTIME.
func compileAddTime(sign int64) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		if !args[0].Class.IsTemporal() {
			return nil, refusal.Of(name) // the servers return text
		}
		return timeSum(c, name, args, sign)
	}
}

// timeSum adds a time to a time, or to a date and time.
func timeSum(c *compilation.Compilation, name string, args []*program.Node, sign int64) (*program.Node, error) {
	a, asA, scaleA, err := clockOrText(c, args[0], false, name)
	if err != nil {
		return nil, err
	}
	b, asB, scaleB, err := clockOrText(c, args[1], true, name)
	if err != nil || asB != class.Time {
		return nil, refusal.Of(name)
	}
	s := class.DateTimeShape(max(scaleA, scaleB))
	if asA == class.Time {
		if s.Class = class.Time; longFraction(c, s) {
			return nil, refusal.Of(name)
		}
	}
	return strict(c, name, s, args, []program.Evaluator{a, b}, func(in []*program.Datum, out *program.Datum) bool {
		k, more := program.Unpack(asA, in[0].N), program.Unpack(asB, in[1].N)
		by := sign * more.Micros()
		if asA == class.Time {
			return out.SetTime(k.Micros() + by)
		}
		return k.IsDate() && out.SetDateTime(k.Moment()+by)
	}), nil
}

// compileTimeDiff makes TIMEDIFF, of two times or of two dates with times.
func compileTimeDiff(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	isTime := args[0].Class == class.Time
	for _, n := range args {
		if !n.Class.IsTemporal() || n.Class == class.Date || isTime != (n.Class == class.Time) {
			return nil, refusal.Of(name)
		}
	}
	as := args[0].Class
	s := class.TimeShape(max(args[0].Scale, args[1].Scale))
	return strict(c, name, s, args, []program.Evaluator{args[0].Ev, args[1].Ev}, func(in []*program.Datum, out *program.Datum) bool {
		a, b := program.Unpack(as, in[0].N), program.Unpack(as, in[1].N)
		if isTime {
			return out.SetTime(a.Micros() - b.Micros())
		}
		return a.IsDate() && b.IsDate() && out.SetTime(a.Moment()-b.Moment())
	}), nil
}

// compileSecToTime makes SEC_TO_TIME, of numbers that are exact.
func compileSecToTime(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	n := args[0]
	if !n.Class.IsInteger() && n.Class != class.Decimal {
		return nil, refusal.Of(name)
	}
	ev := coercion.Decimal(c, n, name)
	return strict(c, name, class.TimeShape(min(n.Scale, 6)), args, []program.Evaluator{ev}, func(in []*program.Datum, out *program.Datum) bool {
		s, ok := calendar.SecondsOf(&in[0].D)
		return ok && out.SetTime(s.Micros)
	}), nil
}

// compileMakeTime makes MAKETIME; seconds may have a fraction.
func compileMakeTime(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	seconds := args[2]
	if !seconds.Class.IsInteger() && seconds.Class != class.Decimal {
		return nil, refusal.Of(name)
	}
	evs, err := integersOf(c, name, args[:2])
	if err != nil {
		return nil, err
	}
	hour, minute, second := c.Quiet(evs[0], name), c.Quiet(evs[1], name), c.Quiet(coercion.Decimal(c, seconds, name), name)
	slot, mariadb := c.Slot(), c.Session.IsMariaDB()
	made := program.Derive(class.TimeShape(min(seconds.Scale, 6)), func(r *program.Run) *program.Datum {
		h, m, s := hour(r), minute(r), second(r) // all of them: each may be refused
		by, ok := calendar.SecondsOf(&s.D)
		beyond := by.Micros < 0 || by.Micros >= calendar.MicrosOfMinute
		switch {
		case !s.Null && (!ok || mariadb && beyond): // it warns even if the result is NULL anyway
			return r.Refuse(name)
		case h.Null || m.Null || s.Null:
			return program.NullDatum
		}
		out := &r.Slots[slot]
		if !out.SetHour(int64(h.N), int64(m.N), by.Micros) {
			return r.Refuse(name)
		}
		return out
	}, args...)
	made.Nullable = true
	return made, nil
}

// TimestampDiff compiles TIMESTAMPDIFF: whole units from the first to the second.
func TimestampDiff(c *compilation.Compilation, e *ast.TimestampDiffExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Expr1, e.Expr2})
	if err != nil {
		return nil, err
	}
	unit := strings.ToUpper(e.Unit.ToString())
	name := "TIMESTAMPDIFF " + unit
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
	u := calendar.Units[unit]
	return strict(c, name, class.IntegerShape(19), args, []program.Evaluator{a, b}, func(in []*program.Datum, out *program.Datum) bool {
		from, to := program.Unpack(asA, in[0].N), program.Unpack(asB, in[1].N)
		if !from.IsDate() || !to.IsDate() {
			return false
		}
		out.SetInt(u.Between(&from, &to))
		return true
	}), nil
}
