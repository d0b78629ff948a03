package eval

import (
	"encoding/binary"
	"math"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/value"
)

// setDay sets the date of a day by its number; false if the calendar does not have
// it.
func (d *datum) setDay(days int64) bool {
	packed, ok := calendar.PackedDay(days)
	if ok {
		d.setUint(packed)
	}
	return ok
}

// setTime sets a TIME of so many microseconds; false beyond the longest.
func (d *datum) setTime(micros int64) bool {
	packed, ok := calendar.PackedTime(micros)
	d.setUint(packed)
	return ok
}

// setDateTime sets a date and time by its microseconds; false beyond the years 1 to
// 9999.
func (d *datum) setDateTime(micros int64) bool {
	packed, ok := calendar.PackedMoment(micros)
	d.setUint(packed)
	return ok
}

// setHour sets the time of an hour, which may be negative. It is NULL if there is no
// such minute or second; false if it is longer than a TIME.
func (d *datum) setHour(hours, minutes, micros int64) (ok bool) {
	d.n, d.null, ok = calendar.PackedHour(hours, minutes, micros)
	return ok
}

// setMoved sets a date that is moved by an interval; false beyond the years 1 to
// 9999.
func (d *datum) setMoved(k *calendar.Clock, by calendar.Span) bool {
	packed, ok := by.PackedAfter(k)
	if ok {
		d.setUint(packed)
	}
	return ok
}

// appendCanonical appends the canonical form of a datum in the type that
// resultType has for its class; ok is false if it has no room there.
func appendCanonical(dst []byte, t *value.Type, c class.Class, d *datum) (out []byte, ok bool) {
	switch c {
	case class.Text, class.Bytes, class.Hex, class.JSON:
		return append(dst, d.b...), true
	case class.Decimal:
		x := d.d
		if !x.Round(t.Decimals) || x.WholeDigits() > max(t.Length-t.Decimals, 0) {
			return dst, false
		}
		return x.AppendCanonical(dst, value.FixedBytes(t)), true
	case class.Float:
		return binary.BigEndian.AppendUint64(dst, uint64(math.Float32bits(float32(d.double())))), true
	default:
		return binary.BigEndian.AppendUint64(dst, d.n), true
	}
}
