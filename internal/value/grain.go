package value

import (
	"encoding/binary"
	"math"
	"math/big"

	"tunic/internal/policy"
)

// A layer with a grain sorts by values that are rounded down to it. Its input is the order
// encoding, of as many bits as without a grain, in which stands:
//
//	grain               kinds                            what is encoded
//	a number g          integers, YEAR, DECIMAL, FLOAT,  the value over g, rounded down
//	                    DOUBLE
//	second to day       DATETIME, TIMESTAMP              the value without what is smaller
//	month, year         DATE, DATETIME, TIMESTAMP        the same; of a TIMESTAMP the first moment
//	                                                     of it, in UTC
//	day                 DATE                             the value
//	second to hour      TIME                             the same; a negative one, rounded away
//	                                                     from 0
//	prefix n            text, bytes                      the first n weights, then zeros
//
// A weight has as many bytes as a space has in the column's collation, one of bytes.

// SuitsGrain reports whether values of the type can be rounded down to the grain. The type
// must be Ordered.
func SuitsGrain(t *Type, g policy.Grain) bool {
	k := t.Kind
	switch g.Unit {
	case policy.Exact:
		return true
	case policy.Second, policy.Minute, policy.Hour:
		return k == DateTime || k == Timestamp || k == Time
	case policy.Day, policy.Month, policy.Year:
		return k == DateTime || k == Timestamp || k == Date
	case policy.Step:
		return k.IsInteger() || k == Year || k == Decimal || k == Float || k == Double
	case policy.Prefix:
		return k.IsText() || k.IsBytes()
	}
	return false
}

// AppendRounded appends the order encoding of a value that is rounded down to a grain, which
// must suit the type. Where one value is less than another, its encoding is not greater.
func AppendRounded(dst []byte, t *Type, g policy.Grain, canonical []byte) []byte {
	switch {
	case g.Unit == policy.Exact:
		return AppendOrder(dst, t, canonical)
	case g.Unit == policy.Prefix:
		return appendRoundedString(dst, t, g.Size, canonical)
	case g.Unit != policy.Step:
		return appendRoundedTemporal(dst, t, g.Unit, int64(binary.BigEndian.Uint64(canonical)))
	case t.Kind == Decimal:
		return appendRoundedDecimal(dst, t, g.Size, canonical)
	case t.Kind == Float || t.Kind == Double:
		return appendFloatOrder(dst, t.Kind, math.Floor(floatOf(t, canonical)/float64(g.Size)))
	}
	n := binary.BigEndian.Uint64(canonical)
	if t.Unsigned || t.Kind == Year {
		n /= g.Size
	} else {
		n = uint64(floored(int64(n), int64(g.Size)))
	}
	var quotient [8]byte
	binary.BigEndian.PutUint64(quotient[:], n)
	return AppendOrder(dst, t, quotient[:])
}

// floored is the quotient, rounded down; the divisor is above 0.
func floored(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// appendRoundedDecimal rounds the number, not what it is times 10^s.
func appendRoundedDecimal(dst []byte, t *Type, size uint64, canonical []byte) []byte {
	n := new(big.Int).SetBytes(canonical)
	width := uint(8 * len(canonical))
	modulus := new(big.Int).Lsh(big.NewInt(1), width)
	if canonical[0]&0x80 != 0 {
		n.Sub(n, modulus)
	}
	by := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Decimals)), nil)
	by.Mul(by, new(big.Int).SetUint64(size))
	n.Div(n, by) // Euclidean, which is rounding down where the divisor is above 0
	if n.Sign() < 0 {
		n.Add(n, modulus)
	}
	return appendDecimalOrder(dst, t, n.FillBytes(make([]byte, len(canonical))))
}

// appendRoundedString keeps the first weights.
func appendRoundedString(dst []byte, t *Type, size uint64, canonical []byte) []byte {
	start, weight := len(dst), uint64(1)
	if t.Kind.IsText() {
		weight = uint64(t.Collation.SpaceBytes())
	}
	dst = AppendOrder(dst, t, canonical)
	if kept := size * weight; kept < uint64(len(dst)-start) {
		clear(dst[start+int(kept):])
	}
	return dst
}

// dateTimeBits is how many bits of a packed form are below the unit, the fraction left out.
var dateTimeBits = map[policy.Unit]int{
	policy.Second: 0, policy.Minute: 6, policy.Hour: 12, policy.Day: 17, policy.Month: 22, policy.Year: 22,
}

func appendRoundedTemporal(dst []byte, t *Type, unit policy.Unit, packed int64) []byte {
	bits := microBits + dateTimeBits[unit]
	switch {
	case t.Kind == Timestamp && packed != 0:
		c := UnpackDateTime(packed)
		roundClock(&c, unit)
		packed = c.PackDateTime()
	case unit == policy.Year:
		packed = packed >> bits / 13 * 13 << bits
	default:
		packed = packed >> bits << bits // of a negative TIME, too, rounded down
	}
	return appendTemporalOrder(dst, t, packed)
}

// roundClock goes back to the first moment of the unit.
func roundClock(c *Clock, unit policy.Unit) {
	c.Micro = 0
	if unit >= policy.Minute {
		c.Second = 0
	}
	if unit >= policy.Hour {
		c.Minute = 0
	}
	if unit >= policy.Day {
		c.Hour = 0
	}
	if unit >= policy.Month {
		c.Day = 1
	}
	if unit >= policy.Year {
		c.Month = 1
	}
}
