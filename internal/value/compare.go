package value

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Compare compares two stored values as ORDER BY does: numbers and dates by
// value, strings by the column's collation, ENUM by index, SET by its bits. A
// string column whose collation is not exact has no order here: ask Ordered.
func Compare(t *Type, a, b []byte) int {
	switch {
	case t.Kind == Float || t.Kind == Double:
		return compareFloats(floatOf(t, a), floatOf(t, b))
	case t.Kind == Decimal:
		return compareSigned(a, b)
	case t.Kind.IsInteger():
		if t.Unsigned {
			return bytes.Compare(a, b)
		}
		return compareSigned(a, b)
	case t.Kind == Time:
		return compareSigned(a, b)
	case t.Kind.IsText():
		return t.Collation.Compare(a, b)
	case t.Kind == UUID:
		var x, y [uuidBytes]byte
		return bytes.Compare(uuidOrder(x[:0], a), uuidOrder(y[:0], b))
	default:
		return bytes.Compare(a, b)
	}
}

// Ordered reports whether Compare, AppendOrder and AppendEquality answer for the
// type.
func Ordered(t *Type) bool {
	switch {
	case t.Kind.IsText():
		exact, _ := t.Collation.Exact()
		return exact
	case t.Kind == JSON || t.Kind.IsGeometry() || t.Kind == Vector:
		return false
	default:
		return true
	}
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default: // -0 and 0 are equal, and there is no NaN
		return 0
	}
}

// compareSigned compares two's complements of one length.
func compareSigned(a, b []byte) int {
	if (a[0]^b[0])>>7 == 1 {
		if a[0]>>7 == 1 {
			return -1
		}
		return 1
	}
	return bytes.Compare(a, b)
}

// The type tags of AppendEquality. They are stored, as input of tokens, and never
// change. Types that may be tied by a foreign key have one tag.
//
//	tag  kinds                                 content
//	1    integers, BIT, YEAR                   canonical form
//	2    DECIMAL                               scale, canonical form
//	3    FLOAT, DOUBLE                         IEEE 754 binary64, big endian, +0 for -0
//	4    DATE, DATETIME, TIMESTAMP             canonical form
//	5    TIME                                  canonical form
//	6    text                                  weight string of the collation
//	7    BINARY, VARBINARY, BLOB               bytes
//	8    ENUM                                  canonical form
//	9    SET                                   canonical form
//	10   UUID                                  canonical form
//	11   INET4                                 canonical form
//	12   INET6                                 canonical form
const (
	tagInteger = iota + 1
	tagDecimal
	tagFloat
	tagDate
	tagTime
	tagText
	tagBytes
	tagEnum
	tagSet
	tagUUID
	tagINET4
	tagINET6
)

// AppendEquality appends the input of the equality layer: the same bytes for
// values that are equal in the column, other bytes for all others. The type must
// be Ordered.
//
// Integers of all widths and of both signs have one form, so that a foreign key
// may tie an INT to a BIGINT; the highest half of BIGINT UNSIGNED has a tag of
// its own, the negated one, because the same bits are a negative number.
func AppendEquality(dst []byte, t *Type, canonical []byte) []byte {
	switch {
	case t.Kind == BigInt && t.Unsigned && canonical[0]>>7 == 1:
		return append(append(dst, 0xff-tagInteger), canonical...)
	case t.Kind.IsInteger() || t.Kind == Bit || t.Kind == Year:
		return append(append(dst, tagInteger), canonical...)
	case t.Kind == Decimal:
		return append(append(dst, tagDecimal, byte(t.Decimals)), canonical...)
	case t.Kind == Float || t.Kind == Double:
		f := floatOf(t, canonical)
		if f == 0 {
			f = math.Abs(f) // -0 is 0
		}
		return binary.BigEndian.AppendUint64(append(dst, tagFloat), math.Float64bits(f))
	case t.Kind == Time:
		return append(append(dst, tagTime), canonical...)
	case t.Kind.IsTemporal():
		return append(append(dst, tagDate), canonical...)
	case t.Kind.IsText():
		return t.Collation.AppendWeights(append(dst, tagText), canonical)
	case t.Kind == Enum:
		return append(append(dst, tagEnum), canonical...)
	case t.Kind == Set:
		return append(append(dst, tagSet), canonical...)
	case t.Kind == UUID:
		return append(append(dst, tagUUID), canonical...)
	case t.Kind == INET4:
		return append(append(dst, tagINET4), canonical...)
	case t.Kind == INET6:
		return append(append(dst, tagINET6), canonical...)
	default:
		return append(append(dst, tagBytes), canonical...)
	}
}
