package program

import (
	"encoding/binary"
	"math"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/value"
)

// SetDay sets the date of a day by its number; false if the calendar does not have
// it.
func (d *Datum) SetDay(days int64) bool {
	packed, ok := calendar.PackedDay(days)
	if ok {
		d.SetUint(packed)
	}
	return ok
}

// SetTime sets a TIME of so many microseconds; false beyond the longest.
func (d *Datum) SetTime(micros int64) bool {
	packed, ok := calendar.PackedTime(micros)
	d.SetUint(packed)
	return ok
}

// SetDateTime sets a date and time by its microseconds; false beyond the years 1 to
// 9999.
func (d *Datum) SetDateTime(micros int64) bool {
	packed, ok := calendar.PackedMoment(micros)
	d.SetUint(packed)
	return ok
}

// SetHour sets the time of an hour, which may be negative. It is NULL if there is no
// such minute or second; false if it is longer than a TIME.
func (d *Datum) SetHour(hours, minutes, micros int64) (ok bool) {
	d.N, d.Null, ok = calendar.PackedHour(hours, minutes, micros)
	return ok
}

// SetMoved sets a date that is moved by an interval; false beyond the years 1 to
// 9999.
func (d *Datum) SetMoved(k *calendar.Clock, by calendar.Span) bool {
	packed, ok := by.PackedAfter(k)
	if ok {
		d.SetUint(packed)
	}
	return ok
}

// AppendCanonical appends the canonical form of a datum in the type that
// resultType has for its class; ok is false if it has no room there.
func AppendCanonical(dst []byte, t *value.Type, c class.Class, d *Datum) (out []byte, ok bool) {
	switch c {
	case class.Text, class.Bytes, class.Hex, class.JSON:
		return append(dst, d.B...), true
	case class.Decimal:
		x := d.D
		if !x.Round(t.Decimals) || x.WholeDigits() > max(t.Length-t.Decimals, 0) {
			return dst, false
		}
		return x.AppendCanonical(dst, value.FixedBytes(t)), true
	case class.Float:
		return binary.BigEndian.AppendUint64(dst, uint64(math.Float32bits(float32(d.Double())))), true
	default:
		return binary.BigEndian.AppendUint64(dst, d.N), true
	}
}
