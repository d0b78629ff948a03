package value

import (
	"bytes"
	"encoding/binary"
	"math"
)

// assignBit stores into BIT(n): numbers as they are, text as its bytes.
func assignBit(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	limit := uint64(math.MaxUint64) >> (64 - t.Length)
	n, fits := bitNumber(s, env)
	if !fits || n > limit {
		o.warn(env, bitCode(s, env), "")
		n = limit
	}
	return binary.BigEndian.AppendUint64(dst, n)
}

// bitCode is the code for bits that do not fit; strings are too long in strict
// mode.
func bitCode(s *Source, env *Env) Code {
	text := s.Form >= FormString && s.Form <= FormHexString
	if text && env.Strict() {
		return TooLong
	}
	return OutOfRange
}

func bitNumber(s *Source, env *Env) (n uint64, fits bool) {
	switch s.Form {
	case FormInt, FormUint:
		return s.Number, true
	case FormDouble:
		f := math.RoundToEven(s.double())
		if math.Abs(f) < 1<<63 {
			return uint64(int64(f)), true
		}
		return 0, false
	case FormDecimal:
		var d decimal
		d.read(s.Bytes)
		n, fits = d.round(0).uint64()
		if d.negative {
			return -n, fits
		}
		return n, fits
	case FormDate, FormTime, FormDateTime:
		_, n = temporalInteger(s, env)
		return n, true
	default:
		return binaryNumber(bytes.TrimLeft(s.Bytes, "\x00"))
	}
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
	negative := false
	switch s.Form {
	case FormInt:
		return int64(s.Number), false, true
	case FormUint:
		return math.MaxInt64, false, true
	case FormDouble:
		return int64(min(max(math.RoundToEven(s.double()), -1), 10000)), false, true
	case FormDecimal:
		var d decimal
		d.read(s.Bytes)
		negative = d.negative
		magnitude, _ = d.round(0).uint64()
	case FormHex, FormBit:
		magnitude, _ = binaryNumber(s.Bytes)
	case FormDate, FormDateTime:
		c := unpackDateTime(int64(s.Number))
		return int64(c.year), false, true
	case FormTime:
		c := unpackDateTime(env.Today)
		return int64(c.year), false, true
	default:
		return readYearText(s.Bytes, env, o)
	}
	n = int64(min(magnitude, 10000))
	if negative && n != 0 {
		return -1, false, true
	}
	return n, false, true
}

func readYearText(text []byte, env *Env, o *Outcome) (n int64, isText, ok bool) {
	negative, magnitude, end, how := readInteger(text)
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
