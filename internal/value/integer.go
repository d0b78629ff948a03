package value

import (
	"encoding/binary"
	"math"
)

// integerBits returns the width of an integer kind.
func integerBits(k Kind) uint {
	switch k {
	case TinyInt:
		return 8
	case SmallInt:
		return 16
	case MediumInt:
		return 24
	case Int:
		return 32
	default:
		return 64
	}
}

// integerRange returns the limits of an integer type; low is 0 for an unsigned
// one.
func integerRange(t *Type) (low int64, high uint64) {
	bits := integerBits(t.Kind)
	if t.Unsigned {
		return 0, math.MaxUint64 >> (64 - bits)
	}
	return math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)
}

// assignInteger stores into an integer column.
func assignInteger(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	switch s.Form {
	case FormInt:
		return putInteger(dst, t, env, o, int64(s.Number) < 0, magnitude(int64(s.Number)))
	case FormUint:
		return putInteger(dst, t, env, o, false, s.Number)
	case FormDecimal:
		return integerFromDecimal(dst, t, s, env, o)
	case FormDouble:
		return integerFromDouble(dst, t, s.double(), env, o)
	case FormHex, FormBit:
		return integerFromHex(dst, t, s.Bytes, env, o)
	case FormDate, FormTime, FormDateTime:
		negative, n := temporalInteger(s, env, o)
		return putInteger(dst, t, env, o, negative, n)
	default:
		return integerFromText(dst, t, s.Bytes, env, o)
	}
}

// magnitude is the absolute value; that of the lowest integer has 64 bits.
func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// putInteger appends a number of which only the range is open.
func putInteger(dst []byte, t *Type, env *Env, o *Outcome, negative bool, n uint64) []byte {
	low, high := integerRange(t)
	switch {
	case !negative && n > high:
		n = high
		o.warn(env, OutOfRange, "")
	case negative && n > magnitude(low):
		n = uint64(low)
		o.warn(env, OutOfRange, "")
	case negative:
		n = -n
	}
	return binary.BigEndian.AppendUint64(dst, n)
}

func integerFromText(dst []byte, t *Type, text []byte, env *Env, o *Outcome) []byte {
	if negative, n, ok := shortInteger(text); ok {
		return putInteger(dst, t, env, o, negative, n)
	}
	negative, n, end, how := readInteger(text, env.Flavor)
	if how == readNothing {
		o.warn(env, Unparsable, "integer")
		return append(dst, zero8[:]...)
	}
	if how == readTooBig {
		return putTooBig(dst, t, env, o, negative)
	}
	dst = putInteger(dst, t, env, o, negative, n)
	if o.n == 0 {
		noteRest(text[end:], env, o)
	}
	return dst
}

// putTooBig appends the limit for a number beyond 64 bits. For MariaDB an
// unsigned column has only one.
func putTooBig(dst []byte, t *Type, env *Env, o *Outcome, negative bool) []byte {
	low, high := integerRange(t)
	if negative && (env.Flavor != MariaDB || !t.Unsigned) {
		high = uint64(low)
	}
	o.warn(env, OutOfRange, "")
	return binary.BigEndian.AppendUint64(dst, high)
}

// noteRest complains of what follows a number in its text. MariaDB notes even
// spaces.
func noteRest(rest []byte, env *Env, o *Outcome) {
	switch {
	case len(rest) == 0:
	case !onlySpaces(rest):
		o.warn(env, Truncated, "")
	case env.Flavor == MariaDB:
		o.noteCut()
	}
}

var zero8 [8]byte

// shortInteger reads what nearly all integers are: up to 18 digits and a sign.
func shortInteger(s []byte) (negative bool, n uint64, ok bool) {
	if len(s) > 0 && s[0] == '-' {
		negative, s = true, s[1:]
	}
	if len(s) == 0 || len(s) > 18 {
		return false, 0, false
	}
	for _, b := range s {
		if !isDigit(b) {
			return false, 0, false
		}
		n = n*10 + uint64(b-'0')
	}
	return negative, n, true
}

// integerFromDecimal rounds halves away from zero. A number beyond 64 bits is
// out of range twice for the server when the column is narrower than that: once
// as a number, once for the column.
func integerFromDecimal(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	var d decimal
	d.read(s.Bytes)
	negative := d.negative && !d.isZero()
	n, fits := d.round(0).uint64()
	switch {
	case negative && t.Unsigned:
		o.warn(env, OutOfRange, "")
		return append(dst, zero8[:]...)
	case !fits || !t.Unsigned && n > math.MaxInt64 && (!negative || n != 1<<63):
		o.warn(env, OutOfRange, "")
		n = math.MaxInt64
		if t.Unsigned {
			n = math.MaxUint64
		} else if negative {
			n = 1 << 63
		}
	}
	return putInteger(dst, t, env, o, negative && n != 0, n)
}

// integerFromDouble rounds halves to even, as rint does.
func integerFromDouble(dst []byte, t *Type, f float64, env *Env, o *Outcome) []byte {
	f = math.RoundToEven(f)
	if t.Kind == Int && t.Unsigned && f > math.MaxUint32 {
		o.warn(env, OutOfRange, "") // the servers say so twice for this one type
	}
	if t.Kind == BigInt && f > 0 && f >= bigLimit(t, env) {
		_, high := integerRange(t)
		if t.Unsigned || f > bigLimit(t, env) {
			o.warn(env, OutOfRange, "")
		}
		return binary.BigEndian.AppendUint64(dst, high)
	}
	n := uint64(math.MaxUint64)
	if abs := math.Abs(f); abs < 1<<64 {
		n = uint64(abs)
	}
	return putInteger(dst, t, env, o, f < 0, n)
}

// bigLimit is the double that stands for the highest BIGINT: the next above it in
// MariaDB, the next below it in MySQL. It becomes the highest signed BIGINT without
// a warning.
func bigLimit(t *Type, env *Env) float64 {
	limit := float64(1 << 63)
	if t.Unsigned {
		limit = 1 << 64
	}
	if env.Flavor == MariaDB {
		return limit
	}
	return math.Nextafter(limit, 0)
}

// integerFromHex takes the bytes as an unsigned number.
func integerFromHex(dst []byte, t *Type, b []byte, env *Env, o *Outcome) []byte {
	n, fits := hexNumber(b, t, env)
	dst = putInteger(dst, t, env, o, false, n)
	if !fits && o.n == 0 {
		o.warn(env, OutOfRange, "")
	}
	return dst
}

// hexNumber reads a hexadecimal literal for a number column: the highest integer
// stands for one that is too long, and in MySQL for one with the highest bit.
func hexNumber(b []byte, t *Type, env *Env) (n uint64, fits bool) {
	n, fits = binaryNumber(b)
	if fits && (t.Unsigned || env.Flavor == MariaDB || n <= math.MaxInt64) {
		return n, true
	}
	if t.Unsigned {
		return math.MaxUint64, false
	}
	return math.MaxInt64, false
}

// binaryNumber reads big-endian bytes; more than eight of them do not fit, even
// if they are zero.
func binaryNumber(b []byte) (n uint64, fits bool) {
	if len(b) > 8 {
		return 0, false
	}
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n, true
}
