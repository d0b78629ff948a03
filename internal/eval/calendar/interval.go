package calendar

import (
	"bytes"

	"tunic/internal/eval/decimal"
)

// Span is the value of an INTERVAL: of months, or of a time.
type Span struct {
	months int64
	Micros int64
}

// Unit is a unit of INTERVAL (MySQL manual, "Temporal Intervals").
type Unit struct {
	// month is how many months one has; else micros is how many microseconds.
	month, Micros int64
	// Parts are those of a unit of several, from the last to the first.
	Parts []Unit
	// KeepsDate is set where a date stays a date, and isTime where a time has it on
	// all servers.
	KeepsDate, IsTime bool
	// Scale is the digits of the fraction that it makes.
	Scale int
}

var (
	unitYear        = Unit{month: 12, KeepsDate: true}
	unitMonth       = Unit{month: 1, KeepsDate: true}
	unitDay         = Unit{Micros: microsOfDay, KeepsDate: true}
	unitHour        = Unit{Micros: 3600 * MicrosOfSecond, IsTime: true}
	unitMinute      = Unit{Micros: 60 * MicrosOfSecond, IsTime: true}
	unitSecond      = Unit{Micros: MicrosOfSecond, IsTime: true}
	unitMicrosecond = Unit{Micros: 1, IsTime: true, Scale: 6}
)

// Units are all of them, by name.
var Units = map[string]Unit{
	"YEAR": unitYear, "QUARTER": {month: 3, KeepsDate: true}, "MONTH": unitMonth,
	"WEEK": {Micros: 7 * microsOfDay, KeepsDate: true}, "DAY": unitDay,
	"HOUR": unitHour, "MINUTE": unitMinute, "SECOND": unitSecond, "MICROSECOND": unitMicrosecond,

	"YEAR_MONTH":         {Parts: []Unit{unitMonth, unitYear}, KeepsDate: true},
	"DAY_HOUR":           {Parts: []Unit{unitHour, unitDay}},
	"DAY_MINUTE":         {Parts: []Unit{unitMinute, unitHour, unitDay}},
	"DAY_SECOND":         {Parts: []Unit{unitSecond, unitMinute, unitHour, unitDay}},
	"DAY_MICROSECOND":    {Parts: []Unit{unitMicrosecond, unitSecond, unitMinute, unitHour, unitDay}, Scale: 6},
	"HOUR_MINUTE":        {Parts: []Unit{unitMinute, unitHour}, IsTime: true},
	"HOUR_SECOND":        {Parts: []Unit{unitSecond, unitMinute, unitHour}, IsTime: true},
	"HOUR_MICROSECOND":   {Parts: []Unit{unitMicrosecond, unitSecond, unitMinute, unitHour}, IsTime: true, Scale: 6},
	"MINUTE_SECOND":      {Parts: []Unit{unitSecond, unitMinute}, IsTime: true},
	"MINUTE_MICROSECOND": {Parts: []Unit{unitMicrosecond, unitSecond, unitMinute}, IsTime: true, Scale: 6},
	"SECOND_MICROSECOND": {Parts: []Unit{unitMicrosecond, unitSecond}, IsTime: true, Scale: 6},
}

// spanMost bounds an interval: 10,000 years.
const spanMost = 10000 * 366 * microsOfDay

// Times multiplies a unit; false beyond what a calendar has.
func (u *Unit) Times(n int64) (Span, bool) {
	if u.month > 0 {
		return Span{months: n * u.month}, n <= 12*10000 && n >= -12*10000
	}
	most := spanMost / u.Micros
	return Span{Micros: n * u.Micros}, n <= most && n >= -most
}

// Minus is the same span to the other side.
func (s Span) Minus() Span { return Span{-s.months, -s.Micros} }

// PackedAfter is a packed date that is moved by a span; false beyond the years 1 to
// 9999.
func (s Span) PackedAfter(k *Clock) (packed uint64, ok bool) {
	var moved Clock
	if s.months != 0 {
		moved, ok = k.addMonths(s.months)
	} else {
		moved, ok = clockOfMoment(k.Moment() + s.Micros)
	}
	return moved.Packed(), ok
}

// SecondsOf is a number of seconds of which no digit is lost.
func SecondsOf(d *decimal.Number) (Span, bool) {
	n, ok := d.Micros()
	most := int64(spanMost)
	return Span{Micros: n}, ok && d.Decimals() <= 6 && n <= most && n >= -most
}

// partDigits is how many digits a part may have.
const partDigits = 9

// Read reads the parts of an interval: numbers with one character between them, from
// the last on. There may be fewer than the unit has, but not before microseconds,
// which are digits behind a point.
func (u *Unit) Read(text []byte) (s Span, ok bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	end := len(text)
	for i := range u.Parts {
		part := &u.Parts[i]
		start := end
		for start > 0 && isDigit(text[start-1]) {
			start--
		}
		n, ok := part.amount(text[start:end])
		if !ok || i == 0 && part.Micros == 1 && start == 0 {
			return s, false
		}
		s.months += n * part.month
		s.Micros += n * part.Micros
		if start == 0 {
			return s.signed(negative), true
		}
		if end = start - 1; !isSeparator(text[end]) {
			return s, false
		}
	}
	return s, false
}

func (s Span) signed(negative bool) Span {
	if negative {
		return Span{-s.months, -s.Micros}
	}
	return s
}

func isDigit(b byte) bool     { return '0' <= b && b <= '9' }
func isSeparator(b byte) bool { return b == ':' || b == ' ' || b == '-' || b == '.' }

// amount is the number of a part.
func (u *Unit) amount(digits []byte) (n int64, ok bool) {
	if len(digits) == 0 || len(digits) > partDigits || u.Micros == 1 && len(digits) > 6 {
		return 0, false
	}
	for _, b := range digits {
		n = n*10 + int64(b-'0')
	}
	if u.Micros == 1 {
		n *= int64(MicroUnits[len(digits)])
	}
	_, ok = u.Times(n)
	return n, ok
}

// Between counts whole units from one date to another.
func (u *Unit) Between(from, to *Clock) int64 {
	if u.month > 0 {
		return monthsBetween(from, to) / u.month
	}
	return (to.Moment() - from.Moment()) / u.Micros
}

// monthsBetween counts whole months: one less if the last is not over.
func monthsBetween(from, to *Clock) int64 {
	if from.Moment() > to.Moment() {
		return -monthsBetween(to, from)
	}
	months := int64(to.Year-from.Year)*12 + int64(to.Month-from.Month)
	if to.Day < from.Day || to.Day == from.Day && to.Micros() < from.Micros() {
		months--
	}
	return months
}

// MicroUnits are the microseconds of the last digit of a fraction.
var MicroUnits = [...]int{1000000, 100000, 10000, 1000, 100, 10, 1}

// FractionDigits counts the digits after the point of a date or time, 6 at most.
func FractionDigits(text []byte) int {
	point := bytes.IndexByte(text, '.')
	if point < 0 {
		return 0
	}
	return min(len(text)-point-1, 6)
}
