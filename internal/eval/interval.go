package eval

import (
	"encoding/binary"

	"tunic/internal/eval/decimal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// span is the value of an INTERVAL: of months, or of a time.
type span struct {
	months int64
	micros int64
}

// unit is a unit of INTERVAL (MySQL manual, "Temporal Intervals").
type unit struct {
	// month is how many months one has; else micros is how many microseconds.
	month, micros int64
	// parts are those of a unit of several, from the last to the first.
	parts []unit
	// keepsDate is set where a date stays a date, and isTime where a time has it on
	// all servers.
	keepsDate, isTime bool
	// scale is the digits of the fraction that it makes.
	scale int
}

var (
	unitYear        = unit{month: 12, keepsDate: true}
	unitMonth       = unit{month: 1, keepsDate: true}
	unitDay         = unit{micros: microsOfDay, keepsDate: true}
	unitHour        = unit{micros: 3600 * microsOfSec, isTime: true}
	unitMinute      = unit{micros: 60 * microsOfSec, isTime: true}
	unitSecond      = unit{micros: microsOfSec, isTime: true}
	unitMicrosecond = unit{micros: 1, isTime: true, scale: 6}
)

// units are all of them, by name.
var units = map[string]unit{
	"YEAR": unitYear, "QUARTER": {month: 3, keepsDate: true}, "MONTH": unitMonth,
	"WEEK": {micros: 7 * microsOfDay, keepsDate: true}, "DAY": unitDay,
	"HOUR": unitHour, "MINUTE": unitMinute, "SECOND": unitSecond, "MICROSECOND": unitMicrosecond,

	"YEAR_MONTH":         {parts: []unit{unitMonth, unitYear}, keepsDate: true},
	"DAY_HOUR":           {parts: []unit{unitHour, unitDay}},
	"DAY_MINUTE":         {parts: []unit{unitMinute, unitHour, unitDay}},
	"DAY_SECOND":         {parts: []unit{unitSecond, unitMinute, unitHour, unitDay}},
	"DAY_MICROSECOND":    {parts: []unit{unitMicrosecond, unitSecond, unitMinute, unitHour, unitDay}, scale: 6},
	"HOUR_MINUTE":        {parts: []unit{unitMinute, unitHour}, isTime: true},
	"HOUR_SECOND":        {parts: []unit{unitSecond, unitMinute, unitHour}, isTime: true},
	"HOUR_MICROSECOND":   {parts: []unit{unitMicrosecond, unitSecond, unitMinute, unitHour}, isTime: true, scale: 6},
	"MINUTE_SECOND":      {parts: []unit{unitSecond, unitMinute}, isTime: true},
	"MINUTE_MICROSECOND": {parts: []unit{unitMicrosecond, unitSecond, unitMinute}, isTime: true, scale: 6},
	"SECOND_MICROSECOND": {parts: []unit{unitMicrosecond, unitSecond}, isTime: true, scale: 6},
}

// interval compiles DATE_ADD, DATE_SUB, TIMESTAMPADD and + INTERVAL.
func (c *compiler) interval(e *ast.IntervalDateExpr) (*node, error) {
	args, err := c.all([]ast.Expr{e.Date, e.Interval})
	if err != nil {
		return nil, err
	}
	name := "INTERVAL " + upper(e.NormalizedUnit().ToString())
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	u, ok := units[name[len("INTERVAL "):]]
	date := args[0]
	isText := date.class == classText && date.constant
	if !ok || !isText && !date.class.isTemporal() || date.class == classTime && !u.isTime {
		return nil, refuse(name)
	}
	count, scale, err := c.spanOf(args[1], &u, name)
	if err != nil {
		return nil, err
	}
	if isSubtraction(e.Syntax) {
		plus := count
		count = func(in *datum) (span, bool) {
			s, ok := plus(in)
			return span{-s.months, -s.micros}, ok
		}
	}
	if isText {
		return c.movedText(name, args, scale, u.keepsDate, count)
	}
	s := shape{class: classDateTime, scale: max(date.scale, scale), coercible: coercibleNumber}
	switch {
	case date.class == classTime:
		s.class = classTime
	case date.class == classDate && u.keepsDate:
		s.class, s.scale = classDate, 0
	}
	if c.longFraction(s) {
		return nil, refuse(name)
	}
	return c.moved(name, s, args, count), nil
}

func isSubtraction(s ast.IntervalExprSyntax) bool {
	return s == ast.IntervalDateExprDateSub || s == ast.IntervalDateExprSubdate || s == ast.IntervalDateExprBinarySub
}

// moved makes a date or time, the first argument, that is moved by the second.
func (c *compiler) moved(name string, s shape, args []*node, count func(in *datum) (span, bool)) *node {
	class := args[0].class
	return c.strict(name, s, args, []evaluator{refuseZeros(args[0], args[0].ev, name), args[1].ev}, func(in []*datum, out *datum) bool {
		by, ok := count(in[1])
		if !ok {
			return false
		}
		k := unpack(class, in[0].n)
		if class != classTime {
			return out.setMoved(&k, by)
		}
		micros := k.micros() + by.micros
		if micros == 0 && k.Negative { // MariaDB has a zero that is negative
			return false
		}
		return out.setTime(micros)
	})
}

// Lengths of a date, and of one with a time without a fraction.
const (
	dateChars     = len("2006-01-02")
	dateTimeChars = len("2006-01-02 15:04:05")
)

// movedText is moved for a date that is constant text. The result is text, with a time
// if there was one or if the unit is of a time. How many digits of a fraction servers
// write there is not known.
func (c *compiler) movedText(name string, args []*node, scale int, keepsDate bool, count func(in *datum) (span, bool)) (*node, error) {
	s := c.formattedShape(dateTimeChars)
	s.textOnly = true
	ev, as, ok := c.moment(args[0], false, name)
	if !ok || scale > 0 || args[0].collation.Charset.BytesMin > 1 || !isSelfSynchronizing(s.collation.Charset) {
		return nil, refuse(name)
	}
	date := types[classDate]
	if !keepsDate {
		date = types[classDateTime]
	}
	return c.strict(name, s, args, []evaluator{ev, args[0].ev, args[1].ev}, func(in []*datum, out *datum) bool {
		by, ok := count(in[2])
		k := unpack(as, in[0].n)
		length := len(in[1].b)
		if !ok || !k.isDate() || length != dateChars && length != dateTimeChars || !out.setMoved(&k, by) {
			return false
		}
		t := date
		if length == dateTimeChars {
			t = types[classDateTime]
		}
		var room [8]byte
		canonical := binary.BigEndian.AppendUint64(room[:0], out.n)
		out.b = value.AppendText(out.b[:0], t, canonical, &value.Env{})
		return true
	}), nil
}

// types are those of dates, as they are written.
var types = map[class]*value.Type{classDate: {Kind: value.Date}, classDateTime: {Kind: value.DateTime}}

// setMoved sets a date that is moved by an interval; false beyond the years 1 to
// 9999.
func (d *datum) setMoved(k *clock, by span) bool {
	var moved clock
	var ok bool
	if by.months != 0 {
		moved, ok = k.addMonths(by.months)
	} else {
		moved, ok = clockOfMoment(k.moment() + by.micros)
	}
	if ok {
		d.setUint(moved.packDateTime())
	}
	return ok
}

// spanMost bounds an interval: 10,000 years.
const spanMost = 10000 * 366 * microsOfDay

// times multiplies a unit; false beyond what a calendar has.
func (u *unit) times(n int64) (span, bool) {
	if u.month > 0 {
		return span{months: n * u.month}, n <= 12*10000 && n >= -12*10000
	}
	most := spanMost / u.micros
	return span{micros: n * u.micros}, n <= most && n >= -most
}

// spanOf reads the amount of an interval. The amount's own evaluator is replaced by
// one that has what the function wants. scale is that of seconds with a fraction.
func (c *compiler) spanOf(n *node, u *unit, name string) (of func(in *datum) (span, bool), scale int, err error) {
	switch {
	case u.parts != nil:
		if n.ev, err = c.text(n, name); err != nil {
			return nil, 0, err
		}
		return func(in *datum) (span, bool) { return u.read(in.b) }, u.scale, nil
	case n.class == classDecimal && u.micros == microsOfSec:
		scale = min(n.scale, 6)
		return func(in *datum) (span, bool) { return secondsOf(&in.d) }, scale, nil
	case !n.class.isInteger() && u.micros == microsOfSec:
		return nil, 0, refuse(name) // what becomes of a fraction is another thing on each
	}
	n.ev = c.quiet(c.clampedInteger(n, name), name)
	return func(in *datum) (span, bool) { return u.times(int64(in.n)) }, u.scale, nil
}

// secondsOf is a number of seconds of which no digit is lost.
func secondsOf(d *decimal.Number) (span, bool) {
	n, ok := d.Micros()
	most := int64(spanMost)
	return span{micros: n}, ok && d.Decimals() <= 6 && n <= most && n >= -most
}

// partDigits is how many digits a part may have.
const partDigits = 9

// read reads the parts of an interval: numbers with one character between them, from
// the last on. There may be fewer than the unit has, but not before microseconds,
// which are digits behind a point.
func (u *unit) read(text []byte) (s span, ok bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	end := len(text)
	for i := range u.parts {
		part := &u.parts[i]
		start := end
		for start > 0 && isDigit(text[start-1]) {
			start--
		}
		n, ok := part.amount(text[start:end])
		if !ok || i == 0 && part.micros == 1 && start == 0 {
			return s, false
		}
		s.months += n * part.month
		s.micros += n * part.micros
		if start == 0 {
			return s.signed(negative), true
		}
		if end = start - 1; !isSeparator(text[end]) {
			return s, false
		}
	}
	return s, false
}

func (s span) signed(negative bool) span {
	if negative {
		return span{-s.months, -s.micros}
	}
	return s
}

func isDigit(b byte) bool     { return '0' <= b && b <= '9' }
func isSeparator(b byte) bool { return b == ':' || b == ' ' || b == '-' || b == '.' }

// amount is the number of a part.
func (u *unit) amount(digits []byte) (n int64, ok bool) {
	if len(digits) == 0 || len(digits) > partDigits || u.micros == 1 && len(digits) > 6 {
		return 0, false
	}
	for _, b := range digits {
		n = n*10 + int64(b-'0')
	}
	if u.micros == 1 {
		n *= int64(microUnits[len(digits)])
	}
	_, ok = u.times(n)
	return n, ok
}
