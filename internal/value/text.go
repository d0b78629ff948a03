package value

import (
	"encoding/binary"
	"math"
	"strconv"

	"tunic/internal/value/charset"
)

// AppendText appends a stored value as the server sends it in a row of the text
// protocol, in the column's character set. TIMESTAMP is shown in the session's
// time zone; PAD_CHAR_TO_FULL_LENGTH pads CHAR.
func AppendText(dst []byte, t *Type, canonical []byte, env *Env) []byte {
	switch {
	case t.Kind.IsInteger():
		return appendIntegerText(dst, t, binary.BigEndian.Uint64(canonical))
	case t.Kind == Decimal:
		return appendDecimalText(dst, t, canonical)
	case t.Kind == Float || t.Kind == Double:
		return appendFloatText(dst, t, shownZero(floatOf(t, canonical), env))
	case t.Kind == Bit:
		return append(dst, canonical[8-bitBytes(t):]...)
	case t.Kind == Year:
		return appendPadded(dst, int(binary.BigEndian.Uint64(canonical)), 4)
	case t.Kind.IsTemporal():
		c := clockOfValue(t.Kind, canonical, env)
		return appendTemporalText(dst, t, &c)
	case t.Kind == Enum:
		return t.appendLabel(dst, binary.BigEndian.Uint64(canonical), env)
	case t.Kind == Set:
		return t.appendSetText(dst, binary.BigEndian.Uint64(canonical), env)
	case t.Kind.IsText():
		return t.appendChars(dst, canonical, env)
	case t.Kind == UUID || t.Kind == INET4 || t.Kind == INET6:
		return appendAddressText(dst, t.Kind, canonical)
	case t.Kind == JSON && env.Flavor == MariaDB:
		return appendSent(dst, t.Collation.Charset, canonical, env)
	}
	return append(dst, canonical...)
}

func appendIntegerText(dst []byte, t *Type, n uint64) []byte {
	start := len(dst)
	if t.Unsigned {
		dst = strconv.AppendUint(dst, n, 10)
	} else {
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	if t.Zerofill {
		return padLeft(dst, start, t.Length)
	}
	return dst
}

func appendDecimalText(dst []byte, t *Type, canonical []byte) []byte {
	var room [wideDigitsMax]byte
	digits, negative := decimalDigits(&room, canonical)
	if negative {
		dst = append(dst, '-')
	}
	for len(digits) <= t.Decimals { // a zero before the point at least
		digits = room[len(room)-len(digits)-1:]
	}
	whole := digits[:len(digits)-t.Decimals]
	if t.Zerofill {
		dst = appendByte(dst, '0', t.Length-t.Decimals-len(whole))
	}
	dst = append(dst, whole...)
	if t.Decimals == 0 {
		return dst
	}
	return append(append(dst, '.'), digits[len(whole):]...)
}

// decimalDigits writes the digits of the scaled number to the end of room, which
// has zeros in front of them.
func decimalDigits(room *[wideDigitsMax]byte, canonical []byte) (digits []byte, negative bool) {
	if len(canonical) > 8 {
		w, negative := wideFrom(canonical)
		return w.digits(room), negative
	}
	n := int64(binary.BigEndian.Uint64(canonical))
	i := len(room)
	for m := magnitude(n); m > 0; m /= 10 {
		i--
		room[i] = byte('0' + m%10)
	}
	for j := range room[:i] {
		room[j] = '0'
	}
	return room[i:], n < 0
}

// DoubleOf is the number of a FLOAT or DOUBLE in canonical form.
func DoubleOf(t *Type, canonical []byte) float64 { return floatOf(t, canonical) }

// floatOf returns the number of a FLOAT or DOUBLE.
func floatOf(t *Type, canonical []byte) float64 {
	n := binary.BigEndian.Uint64(canonical)
	if t.Kind == Float {
		return float64(math.Float32frombits(uint32(n)))
	}
	return math.Float64frombits(n)
}

// shownZero is a double as it is shown: MariaDB computes with the sign of a zero, and shows none.
func shownZero(f float64, env *Env) float64 {
	if f == 0 && env.Flavor == MariaDB {
		return 0
	}
	return f
}

func appendFloatText(dst []byte, t *Type, f float64) []byte {
	start := len(dst)
	switch {
	case t.fixedPoint():
		dst = appendFixed(dst, f, t.Decimals)
	case t.Kind == Float:
		dst, _ = appendGeneral(dst, f, floatDigits, fullWidth)
	default:
		dst = appendShortest(dst, f)
	}
	if t.Zerofill {
		return padLeft(dst, start, t.zerofillWidth())
	}
	return dst
}

// zerofillWidth is the width that ZEROFILL fills where none was declared.
func (t *Type) zerofillWidth() int {
	switch {
	case t.Length > 0:
		return t.Length
	case t.Kind == Float:
		return 12
	default:
		return 22
	}
}

func bitBytes(t *Type) int { return (t.Length + 7) / 8 }

// clockOfValue unpacks a temporal value, TIMESTAMP in the session's zone.
func clockOfValue(k Kind, canonical []byte, env *Env) Clock {
	packed := int64(binary.BigEndian.Uint64(canonical))
	switch {
	case k == Time:
		return UnpackTime(packed)
	case k == Timestamp && packed != 0:
		return localClock(packed, env)
	default:
		return UnpackDateTime(packed)
	}
}

func appendTemporalText(dst []byte, t *Type, c *Clock) []byte {
	switch t.Kind {
	case Date:
		return appendDate(dst, c)
	case Time:
		return appendClock(dst, c, t.Decimals)
	default:
		return appendClock(append(appendDate(dst, c), ' '), c, t.Decimals)
	}
}

// appendLabel appends the label of an index; that of 0 is empty.
func (t *Type) appendLabel(dst []byte, n uint64, env *Env) []byte {
	if n == 0 || n > uint64(len(t.Labels)) {
		return dst
	}
	return appendSent(dst, t.Collation.Charset, t.Labels[n-1], env)
}

// appendSetText appends labels for the client.
func (t *Type) appendSetText(dst []byte, bits uint64, env *Env) []byte {
	if t.sentAsIs(env) {
		return t.appendLabels(dst, bits)
	}
	return appendSent(dst, t.Collation.Charset, t.appendLabels(nil, bits), env)
}

// appendLabels appends labels in the column's character set.

func (t *Type) appendLabels(dst []byte, bits uint64) []byte {
	first := true
	for i, label := range t.Labels {
		if bits>>i&1 == 0 {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, label...)
	}
	return dst
}

// appendChars appends text for the client, CHAR with its padding if the mode asks
// for it.
func (t *Type) appendChars(dst, canonical []byte, env *Env) []byte {
	cs := t.Collation.Charset
	if t.Kind != Char || env.Mode&PadCharToFullLength == 0 {
		return appendSent(dst, cs, canonical, env)
	}
	padded := make([]byte, 0, t.Length*cs.BytesMax)
	padded = append(padded, canonical...)
	for range t.Length - cs.CharLen(canonical) {
		padded = appendSpace(padded, cs)
	}
	return appendSent(dst, cs, padded, env)
}

// appendSent appends characters in the character set of the results.
func appendSent(dst []byte, from *charset.Charset, s []byte, env *Env) []byte {
	if env.Results == nil || env.Results == from || env.Results == binaryCharset(env) {
		return append(dst, s...)
	}
	dst, _ = charset.Convert(dst, env.Results, from, s)
	return dst
}

// Verbatim reports whether both protocols send a value as its canonical bytes, behind their
// length.
func (t *Type) Verbatim(env *Env) bool {
	if t.Kind.IsText() {
		return t.sentAsIs(env) && (t.Kind != Char || env.Mode&PadCharToFullLength == 0)
	}
	return t.Kind.IsBytes()
}

// sentAsIs reports whether the column's text is sent in its own character set.
func (t *Type) sentAsIs(env *Env) bool {
	return env.Results == nil || env.Results == t.Collation.Charset || env.Results == binaryCharset(env)
}
