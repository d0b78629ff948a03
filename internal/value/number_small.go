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
		n = doubleBits(s.double(), env)
	case FormDecimal:
		n = unsignedDecimal(s.Bytes, env, o)
	case FormHex, FormBit:
		n, fits = binaryNumber(s.Bytes)
	case FormDate, FormTime, FormDateTime:
		var room [32]byte
		n, fits = binaryNumber(bytes.TrimLeft(appendTemporalSource(room[:0], s), "\x00"))
	default:
		n, fits = binaryNumber(bytes.TrimLeft(s.Bytes, "\x00"))
	}
	limit := uint64(math.MaxUint64) >> (64 - t.Length)
	switch {
	case !fits && s.isNumber() && t.Length == 64:
		n = limit
		o.warn(env, OutOfRange, "")
	case !fits || n > limit:
		n = limit
		o.warn(env, bitCode(env), "")
	}
	return binary.BigEndian.AppendUint64(dst, n)
}

// bitCode is the code for bits that do not fit. For MySQL strict mode decides
// even under IGNORE.
func bitCode(env *Env) Code {
	if env.Strict() || env.Flavor != MariaDB && env.Mode&(StrictTransTables|StrictAllTables) != 0 {
		return TooLong
	}
	return OutOfRange
}

// doubleBits cuts a double to 64 bits. MySQL keeps to the highest integer.
func doubleBits(f float64, env *Env) uint64 {
	if env.Flavor != MariaDB && f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return truncateDouble(f)
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
		return int64(min(s.Number, math.MaxInt64)), false, true
	case FormDouble:
		return yearFromDouble(s.double()), false, true
	case FormDecimal:
		magnitude = unsignedDecimal(s.Bytes, env, o)
	case FormHex, FormBit:
		magnitude, _ = hexNumber(s.Bytes, &Type{}, env)
	case FormDate, FormDateTime, FormTime:
		return yearFromTemporal(s, env, o)
	default:
		return readYearText(s.Bytes, env, o)
	}
	return int64(min(magnitude, 10000)), false, true
}

// yearFromTemporal takes the year of a date; that of a time is today's in MySQL,
// and none in MariaDB, which calls both a loss.
func yearFromTemporal(s *Source, env *Env, o *Outcome) (n int64, isText, ok bool) {
	c := s.clock()
	switch {
	case env.Flavor != MariaDB && s.Form == FormTime:
		c = onDay(env.Today, int64(s.Number))
	case env.Flavor == MariaDB && c.Year <= yearHigh:
		o.warnTemporal(env, Truncated, s.word())
	}
	return int64(c.Year), false, env.Flavor != MariaDB || s.Form != FormTime
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
