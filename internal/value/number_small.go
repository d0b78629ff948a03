package value

import (
	"bytes"
	"encoding/binary"
	"math"
)

// assignBit stores into BIT(n): numbers as they are, strings and dates as the
// bytes of their text.
func assignBit(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	var n uint64
	fits := true
	switch s.Form {
	case FormInt, FormUint:
		n = s.Number
	case FormDouble:
		n = truncateDouble(s.double())
	case FormDecimal:
		n = unsignedDecimal(s.Bytes, env, o)
	case FormHex, FormBit:
		n, fits = hexNumber(s.Bytes, t, env)
	case FormDate, FormTime, FormDateTime:
		var room [32]byte
		n, fits = binaryNumber(bytes.TrimLeft(appendTemporalSource(room[:0], s), "\x00"))
	default:
		n, fits = binaryNumber(bytes.TrimLeft(s.Bytes, "\x00"))
	}
	if limit := uint64(math.MaxUint64) >> (64 - t.Length); !fits || n > limit {
		n = limit
		o.warn(env, bitCode(env), "")
	}
	return binary.BigEndian.AppendUint64(dst, n)
}

// bitCode is the code for bits that do not fit.
func bitCode(env *Env) Code {
	if env.Strict() {
		return TooLong
	}
	return OutOfRange
}

// truncateDouble is the conversion of C to 64 bits with a sign; what does not
// fit becomes the lowest integer, as the processor has it.
func truncateDouble(f float64) uint64 {
	if f >= math.MaxInt64 || f < math.MinInt64 || math.IsNaN(f) {
		return 1 << 63
	}
	return uint64(int64(f))
}

// unsignedDecimal rounds a decimal to 64 bits without a sign.
func unsignedDecimal(text []byte, env *Env, o *Outcome) uint64 {
	var d decimal
	d.read(text)
	if d.negative && !d.isZero() {
		o.warn(env, OutOfRange, "")
		return 0
	}
	n, fits := d.round(0).uint64()
	if !fits {
		o.warn(env, OutOfRange, "")
	}
	return n
}

// The years that YEAR holds besides 0.
const (
	yearLow  = 1901
	yearHigh = 2155
)

// assignYear stores into YEAR. Two digits mean the years 1970 to 2069; zero is
// the year 0 as a number and 2000 as text.
func assignYear(dst []byte, s *Source, env *Env, o *Outcome) []byte {
	n, isText, ok := readYear(s, env, o)
	switch {
	case !ok:
		n = 0
	case n < 0 || n >= 100 && n < yearLow || n > yearHigh:
		o.warn(env, OutOfRange, "")
		n = 0
	case n == 0 && !isText:
	case n < pivotYear:
		n += 2000
	case n < 100:
		n += 1900
	}
	return binary.BigEndian.AppendUint64(dst, uint64(n))
}

// readYear reads a number; ok is false if there is none, and that is reported.
func readYear(s *Source, env *Env, o *Outcome) (n int64, isText, ok bool) {
	var magnitude uint64
	switch s.Form {
	case FormInt:
		return int64(s.Number), false, true
	case FormUint:
		return math.MaxInt64, false, true
	case FormDouble:
		return yearFromDouble(s.double()), false, true
	case FormDecimal:
		magnitude = unsignedDecimal(s.Bytes, env, o)
	case FormHex, FormBit:
		magnitude, _ = hexNumber(s.Bytes, &Type{}, env)
	case FormDate, FormDateTime:
		c := unpackDateTime(int64(s.Number))
		return int64(c.year), false, true
	case FormTime:
		c := unpackDateTime(env.Today)
		return int64(c.year), false, true
	default:
		return readYearText(s.Bytes, env, o)
	}
	return int64(min(magnitude, 10000)), false, true
}

// yearFromDouble cuts the fraction; below zero there is no year.
func yearFromDouble(f float64) int64 {
	if f < 0 {
		return -1
	}
	return int64(min(f, 10000))
}

func readYearText(text []byte, env *Env, o *Outcome) (n int64, isText, ok bool) {
	negative, magnitude, end, how := readInteger(text, env.Flavor)
	if how == readNothing {
		o.warn(env, Unparsable, "integer")
		return 0, true, false
	}
	n = int64(min(magnitude, 10000))
	if negative && n != 0 {
		n = -1
	}
	if n >= 0 && (n < 100 || n >= yearLow && n <= yearHigh) {
		noteRest(text[end:], env, o)
	}
	return n, len(text) != 4, true
}
