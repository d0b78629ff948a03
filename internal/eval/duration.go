package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/sql/ast"

	"tunic/internal/eval/calendar"
)

// longFraction reports whether MySQL writes a TIME that is a sum, as text inside an
// expression, with other digits of its fraction than it sends: six, or none.
func (c *compiler) longFraction(s class.Shape) bool {
	return !c.session.isMariaDB() && s.Class == class.Time && s.Scale > 0
}

// clockOrText is a date or time, and how many digits its fraction has: of text those
// that it has, so that other text is compiled for anew.
func (c *compiler) clockOrText(n *node, asTime bool, name string) (ev evaluator, as class.Class, scale int, err error) {
	ev, as, ok := c.moment(n, asTime, name)
	if !ok || n.Class == class.Text && !n.literal {
		return nil, 0, 0, refuse(name)
	}
	scale = n.Scale
	if n.Class == class.Text {
		scale = calendar.FractionDigits(n.example.Bytes)
		c.pin(n)
	}
	return ev, as, scale, nil
}

// compileTime makes TIME: the time of a date and time.
func compileTime(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	ev, as, scale, err := c.clockOrText(args[0], true, name)
	if err != nil {
		return nil, err
	}
	return c.strict(name, class.TimeShape(scale), args, []evaluator{ev}, func(in []*datum, out *datum) bool {
		k := unpack(as, in[0].n)
		out.setUint(k.PackedTime())
		return true
	}), nil
}

// compileTimestamp makes TIMESTAMP: a date and time, or the sum of one and a time.
func compileTimestamp(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	if len(args) == 2 && args[0].Class != class.Time {
		return c.timeSum(name, args, 1)
	}
	ev, as, scale, err := c.clockOrText(args[0], false, name)
	if err != nil || as == class.Time || len(args) > 1 {
		return nil, refuse(name)
	}
	return c.strict(name, class.DateTimeShape(scale), args, []evaluator{ev}, func(in []*datum, out *datum) bool {
		k := unpack(as, in[0].n)
		out.n = in[0].n
		return k.IsDate()
	}), nil
}

// compileAddTime makes ADDTIME and SUBTIME.
func compileAddTime(sign int64) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		if !args[0].Class.IsTemporal() {
			return nil, refuse(name) // the servers return text
		}
		return c.timeSum(name, args, sign)
	}
}

// timeSum adds a time to a time, or to a date and time.
func (c *compiler) timeSum(name string, args []*node, sign int64) (*node, error) {
	a, asA, scaleA, err := c.clockOrText(args[0], false, name)
	if err != nil {
		return nil, err
	}
	b, asB, scaleB, err := c.clockOrText(args[1], true, name)
	if err != nil || asB != class.Time {
		return nil, refuse(name)
	}
	s := class.DateTimeShape(max(scaleA, scaleB))
	if asA == class.Time {
		if s.Class = class.Time; c.longFraction(s) {
			return nil, refuse(name)
		}
	}
	return c.strict(name, s, args, []evaluator{a, b}, func(in []*datum, out *datum) bool {
		k, more := unpack(asA, in[0].n), unpack(asB, in[1].n)
		by := sign * more.Micros()
		if asA == class.Time {
			return out.setTime(k.Micros() + by)
		}
		return k.IsDate() && out.setDateTime(k.Moment()+by)
	}), nil
}

// compileTimeDiff makes TIMEDIFF, of two times or of two dates with times.
func compileTimeDiff(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	isTime := args[0].Class == class.Time
	for _, n := range args {
		if !n.Class.IsTemporal() || n.Class == class.Date || isTime != (n.Class == class.Time) {
			return nil, refuse(name)
		}
	}
	as := args[0].Class
	s := class.TimeShape(max(args[0].Scale, args[1].Scale))
	return c.strict(name, s, args, []evaluator{args[0].ev, args[1].ev}, func(in []*datum, out *datum) bool {
		a, b := unpack(as, in[0].n), unpack(as, in[1].n)
		if isTime {
			return out.setTime(a.Micros() - b.Micros())
		}
		return a.IsDate() && b.IsDate() && out.setTime(a.Moment()-b.Moment())
	}), nil
}

// compileSecToTime makes SEC_TO_TIME, of numbers that are exact.
func compileSecToTime(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	n := args[0]
	if !n.Class.IsInteger() && n.Class != class.Decimal {
		return nil, refuse(name)
	}
	ev := c.decimal(n, name)
	return c.strict(name, class.TimeShape(min(n.Scale, 6)), args, []evaluator{ev}, func(in []*datum, out *datum) bool {
		s, ok := calendar.SecondsOf(&in[0].d)
		return ok && out.setTime(s.Micros)
	}), nil
}

// compileMakeTime makes MAKETIME; seconds may have a fraction.
func compileMakeTime(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	seconds := args[2]
	if !seconds.Class.IsInteger() && seconds.Class != class.Decimal {
		return nil, refuse(name)
	}
	evs, err := c.integers(name, args[:2])
	if err != nil {
		return nil, err
	}
	hour, minute, second := c.quiet(evs[0], name), c.quiet(evs[1], name), c.quiet(c.decimal(seconds, name), name)
	slot, mariadb := c.slot(), c.session.isMariaDB()
	made := derive(class.TimeShape(min(seconds.Scale, 6)), func(r *Run) *datum {
		h, m, s := hour(r), minute(r), second(r) // all of them: each may be refused
		by, ok := calendar.SecondsOf(&s.d)
		beyond := by.Micros < 0 || by.Micros >= calendar.MicrosOfMinute
		switch {
		case !s.null && (!ok || mariadb && beyond): // it warns even if the result is NULL anyway
			return r.refuse(name)
		case h.null || m.null || s.null:
			return nullDatum
		}
		out := &r.slots[slot]
		if !out.setHour(int64(h.n), int64(m.n), by.Micros) {
			return r.refuse(name)
		}
		return out
	}, args...)
	made.Nullable = true
	return made, nil
}

// timestampDiff compiles TIMESTAMPDIFF: whole units from the first to the second.
func (c *compiler) timestampDiff(e *ast.TimestampDiffExpr) (*node, error) {
	args, err := c.all([]ast.Expr{e.Expr1, e.Expr2})
	if err != nil {
		return nil, err
	}
	unit := upper(e.Unit.ToString())
	name := "TIMESTAMPDIFF " + unit
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	a, asA, err := c.day(args[0], name)
	if err != nil {
		return nil, err
	}
	b, asB, err := c.day(args[1], name)
	if err != nil {
		return nil, err
	}
	u := calendar.Units[unit]
	return c.strict(name, class.IntegerShape(19), args, []evaluator{a, b}, func(in []*datum, out *datum) bool {
		from, to := unpack(asA, in[0].n), unpack(asB, in[1].n)
		if !from.IsDate() || !to.IsDate() {
			return false
		}
		out.setInt(u.Between(&from, &to))
		return true
	}), nil
}
