package eval

import (
	"strings"
	"time"

	"tunic/internal/sql/ast"
)

// compileField makes YEAR, MONTH and their kin: a number of a date or time.
// asTime says that the argument is a time to the function, if it is text.
func compileField(asTime bool, field func(k *clock) (n int, ok bool)) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		n := args[0]
		if err := c.allow(name, n); err != nil {
			return nil, err
		}
		ev, as, ok := c.moment(n, asTime, name)
		if !ok {
			return nil, refuse(name)
		}
		slot := c.slot()
		s := shape{class: classInt, digits: 4, coercible: coercibleNumber}
		if name == "YEAR" && !c.session.isMariaDB() {
			s.class = classYear
		}
		out := derive(s, func(r *Run) *datum {
			d := ev(r)
			if d.null {
				return nullDatum
			}
			k := unpack(as, d.n)
			v, ok := field(&k)
			if !ok {
				return r.refuse(name)
			}
			return r.slots[slot].setInt(int64(v))
		}, n)
		out.nullable = true
		return out, nil
	}
}

// moment evaluates an argument as a date or time; text only if it is constant.
func (c *compiler) moment(n *node, asTime bool, name string) (ev evaluator, as class, ok bool) {
	switch {
	case n.class == classNull:
		return n.ev, classDate, true
	case n.class.isTemporal():
		return n.ev, n.class, true
	case n.class == classText && n.constant:
		as = classDateTime
		if asTime {
			as = classTime
		}
		return c.once(n, c.temporal(n, as, name)), as, true
	}
	return nil, 0, false
}

// isDate reports whether a date is one of the calendar: neither zero nor with a
// zero in it.
func (c *clock) isDate() bool { return c.Year > 0 && c.Month > 0 && c.Day > 0 }

func (c *clock) weekday() int { return (int(c.time(time.UTC).Weekday()) + 6) % 7 }

// fields are the functions of one date or time that return a number.
var fields = map[string]func(*compiler, string, []*node) (*node, error){
	"year":       compileField(false, func(k *clock) (int, bool) { return k.Year, true }),
	"month":      compileField(false, func(k *clock) (int, bool) { return k.Month, true }),
	"day":        compileField(false, func(k *clock) (int, bool) { return k.Day, true }),
	"dayofmonth": compileField(false, func(k *clock) (int, bool) { return k.Day, true }),
	"quarter":    compileField(false, func(k *clock) (int, bool) { return (k.Month + 2) / 3, true }),
	"hour":       compileField(true, func(k *clock) (int, bool) { return k.Hour, true }),
	"minute":     compileField(true, func(k *clock) (int, bool) { return k.Minute, true }),
	"second":     compileField(true, func(k *clock) (int, bool) { return k.Second, true }),
	"weekday":    compileField(false, func(k *clock) (int, bool) { return k.weekday(), k.isDate() }),
	"dayofweek":  compileField(false, func(k *clock) (int, bool) { return (k.weekday()+1)%7 + 1, k.isDate() }),
	"dayofyear":  compileField(false, func(k *clock) (int, bool) { return k.time(time.UTC).YearDay(), k.isDate() }),
	"to_days":    compileField(false, func(k *clock) (int, bool) { return k.days(), k.isDate() }),
}

// daysOfEpoch is TO_DAYS('1970-01-01').
const daysOfEpoch = 719528

// days is the number of the day, from year 0 on, as the servers count.
func (c *clock) days() int {
	day := time.Date(c.Year, time.Month(c.Month), c.Day, 0, 0, 0, 0, time.UTC)
	return int(day.Unix()/86400) + daysOfEpoch
}

// compileDateDiff makes DATEDIFF: days from the second date to the first.
func compileDateDiff(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	a, asA, okA := c.moment(args[0], false, name)
	b, asB, okB := c.moment(args[1], false, name)
	if !okA || !okB || asA == classTime || asB == classTime {
		return nil, refuse(name)
	}
	slot := c.slot()
	s := shape{class: classInt, digits: 7, coercible: coercibleNumber}
	n := derive(s, func(r *Run) *datum {
		x, y := a(r), b(r)
		if x.null || y.null {
			return nullDatum
		}
		p, q := unpack(asA, x.n), unpack(asB, y.n)
		if !p.isDate() || !q.isDate() {
			return r.refuse(name)
		}
		return r.slots[slot].setInt(int64(p.days() - q.days()))
	}, args...)
	n.nullable = true
	return n, nil
}

// compileDay makes a function that has one day for each date; day is told it as it
// is packed, and returns false where none is certain.
func compileDay(day func(as class, packed uint64) (uint64, bool)) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		n := args[0]
		if err := c.allow(name, n); err != nil {
			return nil, err
		}
		ev, as, ok := c.moment(n, false, name)
		if !ok || as == classTime {
			return nil, refuse(name)
		}
		slot := c.slot()
		out := derive(shape{class: classDate, coercible: coercibleNumber}, func(r *Run) *datum {
			d := ev(r)
			if d.null {
				return nullDatum
			}
			packed, ok := day(as, d.n)
			if !ok {
				return r.refuse(name)
			}
			return r.slots[slot].setUint(packed)
		}, n)
		out.nullable = true
		return out, nil
	}
}

// dateOf is DATE: the date of a date and time.
func dateOf(_ class, packed uint64) (uint64, bool) { return packed >> dayShift << dayShift, true }

// lastDay is LAST_DAY: the last day of a date's month.
func lastDay(as class, packed uint64) (uint64, bool) {
	k := unpack(as, packed)
	if !k.isDate() {
		return 0, false
	}
	last := clockOf(time.Date(k.Year, time.Month(k.Month)+1, 0, 0, 0, 0, 0, time.UTC))
	return last.packDateTime(), true
}

// current compiles NOW and its kin, whose clock stands still for a statement.
func (c *compiler) current(e *ast.CurTimeFuncExpr) (*node, error) {
	name := e.Name.Lowered()
	if e.Fsp < 0 || e.Fsp > 6 {
		return nil, refuse(upper(name))
	}
	utc := strings.HasPrefix(name, "utc_")
	s := shape{coercible: coercibleNumber, scale: e.Fsp}
	switch name {
	case "now", "current_timestamp", "localtime", "localtimestamp", "utc_timestamp":
		s.class = classDateTime
	case "curdate", "current_date", "utc_date":
		s.class, s.scale = classDate, 0
	case "curtime", "current_time", "utc_time":
		s.class = classTime
	default:
		return nil, refuse(upper(name)) // SYSDATE is not of the statement
	}
	slot := c.slot()
	return derive(s, func(r *Run) *datum {
		zone := r.zone()
		if utc {
			zone = time.UTC
		}
		k := clockOf(r.in.Now.In(zone))
		unit := microUnits[s.scale]
		k.Micro -= k.Micro % unit
		d := &r.slots[slot]
		switch s.class {
		case classTime:
			return d.setUint(k.packTime())
		case classDate:
			return d.setUint(k.packDateTime() >> dayShift << dayShift)
		default:
			return d.setUint(k.packDateTime())
		}
	}), nil
}

// compileToday compiles CURDATE, which the parser takes for a function like others.
func compileToday(c *compiler, name string, _ []*node) (*node, error) {
	return c.current(&ast.CurTimeFuncExpr{Name: ast.Identifier(name)})
}

// microUnits are the microseconds of the last digit of a fraction.
var microUnits = [...]int{1000000, 100000, 10000, 1000, 100, 10, 1}

// interval compiles DATE_ADD, DATE_SUB and + INTERVAL.
func (c *compiler) interval(e *ast.IntervalDateExpr) (*node, error) {
	args, err := c.all([]ast.Expr{e.Date, e.Interval})
	if err != nil {
		return nil, err
	}
	name := "INTERVAL " + strings.ToUpper(e.Unit.ToString())
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	step, ok := intervals[strings.ToLower(e.Unit.ToString())]
	date := args[0]
	if !ok || !date.class.hasDate() || !args[1].class.isInteger() {
		return nil, refuse(name)
	}
	sign := int64(1)
	switch e.Syntax {
	case ast.IntervalDateExprDateSub, ast.IntervalDateExprSubdate, ast.IntervalDateExprBinarySub:
		sign = -1
	default:
	}
	s := shape{class: classDateTime, scale: date.scale, coercible: coercibleNumber}
	if date.class == classDate && !step.clock {
		s.class = classDate
	}
	count, slot, class := c.clampedInteger(args[1], name), c.slot(), date.class
	out := derive(s, func(r *Run) *datum {
		d := date.ev(r)
		if d.null {
			return nullDatum
		}
		n := count(r)
		if n.null {
			return nullDatum
		}
		k := unpack(class, d.n)
		if !k.isDate() || int64(n.n) > intervalMax || int64(n.n) < -intervalMax {
			return r.refuse(name)
		}
		moved := step.move(&k, sign*int64(n.n))
		if moved.Year < 1 || moved.Year > 9999 {
			return r.refuse(name)
		}
		return r.slots[slot].setUint(moved.packDateTime())
	}, args...)
	out.nullable = true
	return out, nil
}

// intervalMax bounds the count of an interval: 10,000 years of seconds.
const intervalMax = 10000 * 366 * 86400

// intervalStep is a unit of INTERVAL; clock says that it makes a date a date and
// time.
type intervalStep struct {
	clock bool
	move  func(k *clock, n int64) clock
}

var intervals = map[string]intervalStep{
	"year":    {false, func(k *clock, n int64) clock { return k.addMonths(12 * n) }},
	"quarter": {false, func(k *clock, n int64) clock { return k.addMonths(3 * n) }},
	"month":   {false, func(k *clock, n int64) clock { return k.addMonths(n) }},
	"week":    {false, func(k *clock, n int64) clock { return k.addSeconds(7 * 86400 * n) }},
	"day":     {false, func(k *clock, n int64) clock { return k.addSeconds(86400 * n) }},
	"hour":    {true, func(k *clock, n int64) clock { return k.addSeconds(3600 * n) }},
	"minute":  {true, func(k *clock, n int64) clock { return k.addSeconds(60 * n) }},
	"second":  {true, func(k *clock, n int64) clock { return k.addSeconds(n) }},
}

// addMonths moves to the same day of another month, or to its last.
func (c *clock) addMonths(n int64) clock {
	months := int64(c.Year)*12 + int64(c.Month-1) + n
	if months < 0 || months >= 10000*12 {
		return clock{}
	}
	out := *c
	out.Year, out.Month = int(months/12), int(months%12)+1
	last := time.Date(out.Year, time.Month(out.Month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	out.Day = min(out.Day, last)
	return out
}

func (c *clock) addSeconds(n int64) clock {
	const far = 20000 * 366 * 86400
	if n > far || n < -far {
		return clock{}
	}
	t := c.time(time.UTC)
	return clockOf(time.Unix(t.Unix()+n, int64(t.Nanosecond())).UTC())
}
