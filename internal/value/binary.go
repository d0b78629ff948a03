package value

import (
	"encoding/binary"
	"math"
)

// AppendBinary appends a stored value as the server sends it in a row of the
// binary protocol (MySQL source documentation, "Binary Protocol Value"), with its
// length in front where the form has one.
func AppendBinary(dst []byte, t *Type, canonical []byte, env *Env) []byte {
	switch t.Kind {
	case TinyInt:
		return append(dst, canonical[7])
	case SmallInt, Year:
		return append(dst, canonical[7], canonical[6])
	case MediumInt, Int:
		return binary.LittleEndian.AppendUint32(dst, binary.BigEndian.Uint32(canonical[4:]))
	case BigInt:
		return binary.LittleEndian.AppendUint64(dst, binary.BigEndian.Uint64(canonical))
	case Float:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(shownZero(floatOf(t, canonical), env))))
	case Double:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(shownZero(floatOf(t, canonical), env)))
	case Date, DateTime, Timestamp:
		c := clockOfValue(t.Kind, canonical, env)
		return appendBinaryDateTime(dst, t, &c)
	case Time:
		c := clockOfValue(t.Kind, canonical, env)
		return appendBinaryTime(dst, &c)
	default:
		return appendPrefixed(dst, t, canonical, env)
	}
}

// appendPrefixed appends the text form with its length in front. Short texts,
// nearly all, need one byte for it.
func appendPrefixed(dst []byte, t *Type, canonical []byte, env *Env) []byte {
	at := len(dst)
	dst = AppendText(append(dst, 0), t, canonical, env)
	n := len(dst) - at - 1
	if n < 0xfb {
		dst[at] = byte(n)
		return dst
	}
	var prefix [9]byte
	head := appendLength(prefix[:0], uint64(n))
	dst = append(dst, head[1:]...)
	copy(dst[at+len(head):], dst[at+1:at+1+n])
	copy(dst[at:], head)
	return dst
}

// appendLength appends a length-encoded integer.
func appendLength(dst []byte, n uint64) []byte {
	switch {
	case n < 0xfb:
		return append(dst, byte(n))
	case n < 1<<16:
		return binary.LittleEndian.AppendUint16(append(dst, 0xfc), uint16(n))
	case n < 1<<24:
		return append(dst, 0xfd, byte(n), byte(n>>8), byte(n>>16))
	default:
		return binary.LittleEndian.AppendUint64(append(dst, 0xfe), n)
	}
}

// appendBinaryDateTime leaves out what is zero at the end.
//
//	field         bytes
//	length        1: 0, 4, 7 or 11
//	year          2
//	month, day    1 each
//	hour to second 1 each
//	microseconds  4
func appendBinaryDateTime(dst []byte, t *Type, c *Clock) []byte {
	length := byte(11)
	switch {
	case c.isZero():
		return append(dst, 0)
	case t.Kind == Date || c.isZeroClock():
		length = 4
	case c.Micro == 0:
		length = 7
	}
	dst = append(dst, length, byte(c.Year), byte(c.Year>>8), byte(c.Month), byte(c.Day))
	if length >= 7 {
		dst = append(dst, byte(c.Hour), byte(c.Minute), byte(c.Second))
	}
	if length == 11 {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(c.Micro))
	}
	return dst
}

// appendBinaryTime leaves out what is zero at the end.
//
//	field         bytes
//	length        1: 0, 8 or 12
//	negative      1
//	days          4
//	hour to second 1 each
//	microseconds  4
func appendBinaryTime(dst []byte, c *Clock) []byte {
	if c.isZeroClock() {
		return append(dst, 0)
	}
	length, sign := byte(8), byte(0)
	if c.Micro != 0 {
		length = 12
	}
	if c.Negative {
		sign = 1
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, length, sign), uint32(c.Hour/24))
	dst = append(dst, byte(c.Hour%24), byte(c.Minute), byte(c.Second))
	if length == 12 {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(c.Micro))
	}
	return dst
}
