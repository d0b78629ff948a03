package eval

import (
	"bytes"

	"tunic/internal/eval/decimal"
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

// minus is the same span to the other side.
func (s span) minus() span { return span{-s.months, -s.micros} }

// packedAfter is a packed date that is moved by a span; false beyond the years 1 to
// 9999.
func (s span) packedAfter(k *clock) (packed uint64, ok bool) {
	var moved clock
	if s.months != 0 {
		moved, ok = k.addMonths(s.months)
	} else {
		moved, ok = clockOfMoment(k.moment() + s.micros)
	}
	return moved.packDateTime(), ok
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

// between counts whole units from one date to another.
func (u *unit) between(from, to *clock) int64 {
	if u.month > 0 {
		return monthsBetween(from, to) / u.month
	}
	return (to.moment() - from.moment()) / u.micros
}

// monthsBetween counts whole months: one less if the last is not over.
func monthsBetween(from, to *clock) int64 {
	if from.moment() > to.moment() {
		return -monthsBetween(to, from)
	}
	months := int64(to.Year-from.Year)*12 + int64(to.Month-from.Month)
	if to.Day < from.Day || to.Day == from.Day && to.micros() < from.micros() {
		months--
	}
	return months
}

// microUnits are the microseconds of the last digit of a fraction.
var microUnits = [...]int{1000000, 100000, 10000, 1000, 100, 10, 1}

// fractionDigits counts the digits after the point of a date or time, 6 at most.
func fractionDigits(text []byte) int {
	point := bytes.IndexByte(text, '.')
	if point < 0 {
		return 0
	}
	return min(len(text)-point-1, 6)
}
