package program

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
)

// Unpack is a date or time of a class, field by field.
func Unpack(c class.Class, p uint64) calendar.Clock {
	if c == class.Time {
		return calendar.UnpackTime(p)
	}
	return calendar.UnpackDateTime(p)
}

// TemporalAsDecimal sets a date or time as a number: YYYYMMDD, hhmmss or both, and the
// fraction.
func TemporalAsDecimal(as class.Class, scale int, in, out *Datum) *Datum {
	k := Unpack(as, in.N)
	u := uint64(k.Hour)*10000 + uint64(k.Minute)*100 + uint64(k.Second)
	if as != class.Time {
		u += (uint64(k.Year)*10000 + uint64(k.Month)*100 + uint64(k.Day)) * 1000000
	}
	if as == class.Date {
		u /= 1000000
	}
	out.D = decimal.OfMicros(k.Negative && in.N != 0, u, uint64(k.Micro), scale)
	return out
}
