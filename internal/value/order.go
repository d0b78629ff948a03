package value

import (
	"encoding/binary"
	"math"
)

// The order encoding is a number of n bits, big endian in whole bytes, its unused
// bits in front and zero, so that numbers compare as the values do. It is the
// input of the order layer, is stored, and never changes.
//
//	kinds                  n                encoding
//	TINYINT to BIGINT      8 to 64          the integer, its sign bit flipped; UNSIGNED as is
//	DECIMAL(p,s)           up to 220        the number times 10^s, plus 2^(n-1)
//	FLOAT, DOUBLE          32, 64           IEEE 754; the sign bit flipped, a negative one
//	                                        inverted; -0 as 0
//	BIT(b)                 b, to 4          as is
//	YEAR                   16               as is
//	DATE                   24               year, month, day in 15, 4 and 5 bits
//	DATETIME(f)            40, 48, 56, 64   (year*13 + month), day, hour, minute, second in
//	                                        18, 5, 5, 6, 6 bits, then the fraction
//	TIMESTAMP(f)           32, 40, 48, 56   seconds since 1970, then the fraction
//	TIME(f)                24, 32, 40, 48   hour, minute, second in 12, 6 and 6 bits, then the
//	                                        fraction; plus 2^(n-1)
//	text, bytes            128              the first 16 bytes of the weight string
//	ENUM                   16               index
//	SET                    64               bits
//	INET4                  32               as is
//	UUID, INET6            128              the bytes in the order they sort by
//
// A fraction has one byte for 1 and 2 digits, two for 3 and 4, three for 5 and 6:
// hundredths, ten thousandths, microseconds.

// prefixBytes is how much of a string is in its order encoding.
const prefixBytes = 16

// OrderBits returns n for the type, a multiple of 4, or 0 if it has no order.
func OrderBits(t *Type) int {
	switch {
	case !Ordered(t):
		return 0
	case t.Kind.IsInteger():
		return int(integerBits(t.Kind))
	case t.Kind == Decimal:
		return decimalOrderBits[t.Length]
	case t.Kind == Bit:
		return (t.Length + 3) / 4 * 4
	case t.Kind == DateTime:
		return 40 + 8*fractionBytes(t)
	case t.Kind == Timestamp:
		return 32 + 8*fractionBytes(t)
	case t.Kind == Time:
		return 24 + 8*fractionBytes(t)
	case t.Kind.IsText() || t.Kind.IsBytes():
		return 8 * prefixBytes
	}
	return fixedOrderBits(t.Kind)
}

func fixedOrderBits(k Kind) int {
	switch k {
	case Float, INET4:
		return 32
	case Double, Set:
		return 64
	case Year, Enum:
		return 16
	case Date:
		return 24
	default:
		return 128
	}
}

// OrderExact reports whether different values have different order encodings.
// Strings do not: where theirs are the same the order has to be found by
// Compare.
func OrderExact(t *Type) bool { return !t.Kind.IsText() && !t.Kind.IsBytes() }

// decimalOrderBits is, by precision, the least multiple of 4 whose half holds
// 10^p - 1.
var decimalOrderBits = func() (bits [decimalDigitsMax + 1]int) {
	for p := range bits {
		limit := decimalLimit(p)
		bits[p] = (1 + limit.bitLen() + 3) / 4 * 4
	}
	return bits
}()

func fractionBytes(t *Type) int { return (t.Decimals + 1) / 2 }

// AppendOrder appends the order encoding. The type must be Ordered.
func AppendOrder(dst []byte, t *Type, canonical []byte) []byte {
	switch {
	case t.Kind.IsInteger():
		n := binary.BigEndian.Uint64(canonical)
		if !t.Unsigned {
			n ^= 1 << (integerBits(t.Kind) - 1)
		}
		return appendLow(dst, n, int(integerBits(t.Kind))/8)
	case t.Kind == Decimal:
		return appendDecimalOrder(dst, t, canonical)
	case t.Kind == Float || t.Kind == Double:
		return appendFloatOrder(dst, t.Kind, floatOf(t, canonical))
	case t.Kind.IsTemporal():
		return appendTemporalOrder(dst, t, int64(binary.BigEndian.Uint64(canonical)))
	case t.Kind.IsText():
		return t.Collation.AppendPrefix(dst, canonical, prefixBytes)
	case t.Kind.IsBytes():
		n := min(len(canonical), prefixBytes)
		return appendByte(append(dst, canonical[:n]...), 0, prefixBytes-n)
	case t.Kind == UUID:
		return uuidOrder(dst, canonical)
	case t.Kind == INET4 || t.Kind == INET6:
		return append(dst, canonical...)
	}
	return appendLow(dst, binary.BigEndian.Uint64(canonical), (OrderBits(t)+7)/8)
}

// appendLow appends the last bytes of n, big endian.
func appendLow(dst []byte, n uint64, size int) []byte {
	for i := size - 1; i >= 0; i-- {
		dst = append(dst, byte(n>>(8*i)))
	}
	return dst
}

// appendDecimalOrder adds 2^(n-1): in two's complement of n bits that flips the
// first bit.
func appendDecimalOrder(dst []byte, t *Type, canonical []byte) []byte {
	bits := decimalOrderBits[t.Length]
	size := (bits + 7) / 8
	start := len(dst)
	if size > len(canonical) {
		sign := byte(int8(canonical[0]) >> 7)
		dst = appendByte(dst, sign, size-len(canonical))
		dst = append(dst, canonical...)
	} else {
		dst = append(dst, canonical[len(canonical)-size:]...)
	}
	if bits%8 == 0 {
		dst[start] ^= 0x80
	} else {
		dst[start] = dst[start]&0x0f ^ 0x08
	}
	return dst
}

func appendFloatOrder(dst []byte, k Kind, f float64) []byte {
	if k == Float {
		n := math.Float32bits(float32(math.Abs(f))) | 1<<31
		if f < 0 {
			n = ^n
		}
		return binary.BigEndian.AppendUint32(dst, n)
	}
	n := math.Float64bits(math.Abs(f)) | 1<<63
	if f < 0 {
		n = ^n
	}
	return binary.BigEndian.AppendUint64(dst, n)
}

func appendTemporalOrder(dst []byte, t *Type, packed int64) []byte {
	switch t.Kind {
	case Date:
		c := UnpackDateTime(packed)
		return appendLow(dst, uint64(c.Year)<<9|uint64(c.Month)<<5|uint64(c.Day), 3)
	case Time:
		const bias = 1 << 23
		whole, fraction := splitFraction(packed, t)
		size := fractionBytes(t)
		n := (whole+bias)<<(8*size) + fraction
		return appendLow(dst, uint64(n), 3+size)
	case Timestamp:
		c := UnpackDateTime(packed)
		seconds := int64(0)
		if packed != 0 {
			seconds = secondsFromClock(&c)
		}
		_, fraction := splitFraction(packed, t)
		size := fractionBytes(t)
		return appendLow(dst, uint64(seconds)<<(8*size)|uint64(fraction), 4+size)
	default:
		whole, fraction := splitFraction(packed, t)
		size := fractionBytes(t)
		return appendLow(dst, uint64(whole)<<(8*size)|uint64(fraction), 5+size)
	}
}

// splitFraction splits a packed value into what is before the point and the
// fraction in the column's unit. Both carry the sign.
func splitFraction(packed int64, t *Type) (whole, fraction int64) {
	negative := packed < 0
	if negative {
		packed = -packed
	}
	whole, micro := packed>>microBits, packed&(1<<microBits-1)
	fraction = micro / int64(microUnits[2*fractionBytes(t)])
	if negative {
		return -whole, -fraction
	}
	return whole, fraction
}
