package value

import (
	"bytes"
	"encoding/binary"
	"time"
)

// TypedSource reads the text of a literal that says its type: DATE'2020-01-02' is
// of kind Date, TIME'…' of Time and TIMESTAMP'…' of DateTime. It is false for a
// text that is not just such a value: what the server makes of those, or says of
// them, is not known here.
func TypedSource(kind Kind, text []byte, env *Env) (Source, bool) {
	digits := fractionDigits(text)
	if kind == Time {
		r := readTime(text, env)
		return TimeSource(r.clock.PackTime(), digits), r.shape == shapeTime && r.trouble == 0 && digits <= 6
	}
	r := readDateTime(text, columnRules(kind, env), env)
	ok := r.trouble == 0 && !r.hasZone && digits <= 6
	if kind == Date {
		return DateSource(r.clock.PackDateTime()), ok && r.shape == shapeDate
	}
	return DateTimeSource(r.clock.PackDateTime(), digits), ok && r.shape == shapeDateTime
}

// fractionDigits counts the digits behind the point.
func fractionDigits(text []byte) (n uint8) {
	_, fraction, _ := bytes.Cut(text, []byte{'.'})
	for _, b := range fraction {
		if isDigit(b) {
			n++
		}
	}
	return n
}

// ParamSource reads a date or time as the binary protocol has it, without the byte
// of its length: what AppendBinary writes. It is false for bytes that are none, and
// for fields out of range.
func ParamSource(kind Kind, b []byte) (Source, bool) {
	s, ok := clockSource(kind, b)
	s.Param = true
	return s, ok
}

func clockSource(kind Kind, b []byte) (Source, bool) {
	var c Clock
	if kind == Time {
		if !c.readBinaryTime(b) {
			return Source{}, false
		}
		return TimeSource(c.PackTime(), c.binaryDigits()), true
	}
	if !c.readBinaryDateTime(b) {
		return Source{}, false
	}
	if kind == Date {
		c.Hour, c.Minute, c.Second, c.Micro = 0, 0, 0, 0
		return DateSource(c.PackDateTime()), true
	}
	return DateTimeSource(c.PackDateTime(), c.binaryDigits()), true
}

// binaryDigits is the digits of a fraction that has been sent: all, or none.
func (c *Clock) binaryDigits() uint8 {
	if c.Micro != 0 {
		return 6
	}
	return 0
}

// readBinaryDateTime reads what appendBinaryDateTime writes.
func (c *Clock) readBinaryDateTime(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 11:
		c.Micro = int(binary.LittleEndian.Uint32(b[7:]))
		fallthrough
	case 7:
		c.Hour, c.Minute, c.Second = int(b[4]), int(b[5]), int(b[6])
		fallthrough
	case 4:
		c.Year, c.Month, c.Day = int(binary.LittleEndian.Uint16(b)), int(b[2]), int(b[3])
		return c.inRange()
	}
	return false
}

// readBinaryTime reads what appendBinaryTime writes.
func (c *Clock) readBinaryTime(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 12:
		c.Micro = int(binary.LittleEndian.Uint32(b[8:]))
		fallthrough
	case 8:
		days := binary.LittleEndian.Uint32(b[1:])
		c.Negative = b[0] != 0
		c.Hour, c.Minute, c.Second = int(b[5]), int(b[6]), int(b[7])
		fits := days <= hoursMax/24 && c.inRange()
		c.Hour += int(days) * 24
		return fits && c.Hour <= hoursMax
	}
	return false
}

// AppendNow appends the canonical form of CURRENT_TIMESTAMP(fraction) at a moment,
// for a DATETIME or TIMESTAMP column that has it as its DEFAULT.
func AppendNow(dst []byte, kind Kind, moment time.Time, fraction int, env *Env) []byte {
	at := moment.In(env.location())
	if kind == Timestamp {
		at = moment.UTC()
	}
	c := clockOf(at)
	c.Micro = moment.Nanosecond() / 1000
	c.cutFraction(fraction)
	return binary.BigEndian.AppendUint64(dst, uint64(c.PackDateTime()))
}

// DateAt is the date at a moment in the session's time zone, in packed form.
func DateAt(moment time.Time, env *Env) int64 {
	c := clockOf(moment.In(env.location()))
	c.Hour, c.Minute, c.Second = 0, 0, 0
	return c.PackDateTime()
}
