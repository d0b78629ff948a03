package value

import (
	"encoding/binary"
	"math"
)

// Exactness says what a literal means when a column is compared with it.
type Exactness uint8

// The meanings.
const (
	// NotServable: the comparison is none of stored values. It is to be evaluated
	// on opened rows.
	NotServable Exactness = iota
	// Exact: the literal stands for the canonical value in every comparison.
	Exact
	// ExactEquality: for =, <>, <=> and IN it does; the order of the comparison is
	// another one.
	ExactEquality
	// Between: no value equals the literal; the canonical value is the greatest of
	// the type below it, so that c < literal is c <= value.
	Between
	// Below: every value is greater than the literal.
	Below
	// Above: every value is less than the literal.
	Above
	// Never: no value equals the literal; of their order nothing is said.
	Never
	// Unknown: the comparison is NULL, whatever the value.
	Unknown
)

// String returns the name.
func (e Exactness) String() string {
	return [...]string{
		"not servable", "exact", "exact equality", "between", "below", "above", "never", "unknown",
	}[e]
}

// Comparand tells what a literal or parameter means in a comparison with a column
// of the type, and appends its canonical form where it has one. The rules are
// those of the servers (MySQL manual, "Type Conversion in Expression
// Evaluation"): an INT is compared with '1.5' as doubles, a DATE with '2020-1-1'
// as dates, and so on.
//
// It answers only where the comparison is one of canonical forms, without a
// warning, on both flavors, and says NotServable to all else: '12abc' with an
// INT, a number with a VARCHAR, a bad date.
func Comparand(dst []byte, t *Type, s *Source, env *Env) ([]byte, Exactness) {
	if s.Form == FormNull {
		return dst, Unknown
	}
	s = s.asRead(t.Kind, env)
	switch {
	case t.Kind.IsInteger() || t.Kind == Bit:
		return compareInteger(dst, t, s, env)
	case t.Kind == Decimal:
		return compareDecimal(dst, t, s, env)
	case t.Kind == Float || t.Kind == Double:
		return compareDouble(dst, t, s, env)
	case t.Kind == Year:
		return compareYear(dst, s)
	case t.Kind.IsTemporal():
		return compareTemporal(dst, t, s, env)
	case t.Kind.IsText():
		return compareText(dst, t, s)
	case t.Kind.IsBytes():
		return compareBytes(dst, s)
	case t.Kind == Enum:
		return compareEnum(dst, t, s)
	case t.Kind == Set:
		return compareSet(dst, t, s)
	case t.Kind == UUID || t.Kind == INET4 || t.Kind == INET6:
		return compareAddress(dst, t, s)
	default:
		return dst, NotServable
	}
}

func compareInteger(dst []byte, t *Type, s *Source, env *Env) ([]byte, Exactness) {
	switch s.Form {
	case FormInt:
		return integerComparand(dst, t, int64(s.Number) < 0, magnitude(int64(s.Number)), true)
	case FormUint:
		return integerComparand(dst, t, false, s.Number, true)
	case FormDecimal:
		if t.Kind != Bit {
			return integerFromExact(dst, t, s.Bytes)
		}
	case FormDouble:
		if t.Kind != Bit {
			return integerFromApproximate(dst, t, s.double())
		}
	case FormString:
		if f, ok := cleanDouble(s, env); ok && t.Kind != Bit {
			return integerFromText64(dst, t, s.Bytes, f)
		}
	case FormHex, FormBit:
		if n, fits := binaryNumber(s.Bytes); fits && n < exactDoubles && t.Kind == Bit {
			return integerComparand(dst, t, false, n, true)
		}
	default:
	}
	return dst, NotServable
}

// integerComparand places an integer among those of the type; a whole one is
// Exact, another one stands below the literal.
func integerComparand(dst []byte, t *Type, negative bool, n uint64, whole bool) ([]byte, Exactness) {
	low, high := comparableRange(t)
	switch {
	case !negative && n > high:
		return dst, Above
	case negative && n > magnitude(low):
		return dst, Below
	case negative:
		n = -n
	}
	dst = binary.BigEndian.AppendUint64(dst, n)
	if whole {
		return dst, Exact
	}
	return dst, Between
}

func comparableRange(t *Type) (low int64, high uint64) {
	if t.Kind == Bit {
		return 0, math.MaxUint64 >> (64 - t.Length)
	}
	return integerRange(t)
}

// integerFromExact takes an exact number; of one with a fraction the floor.
func integerFromExact(dst []byte, t *Type, text []byte) ([]byte, Exactness) {
	var d decimal
	d.read(text)
	if d.overflow || d.cut {
		return dst, NotServable
	}
	d.normalize()
	whole := !d.roundsAt(0)
	negative := d.negative && !d.isZero()
	if !whole {
		d.count, d.point = max(d.point, 0), max(d.point, 0)
	}
	n, fits := d.uint64()
	switch {
	case !fits && negative:
		return dst, Below
	case !fits:
		return dst, Above
	case negative && !whole:
		n++ // the floor is farther from zero
	}
	return integerComparand(dst, t, negative, n, whole)
}

// exactDoubles is the limit up to which a double tells integers apart.
const exactDoubles = 1 << 53

// integerFromApproximate takes a double. A BIGINT is compared as a double, which
// is its very value up to 2^53.
func integerFromApproximate(dst []byte, t *Type, f float64) ([]byte, Exactness) {
	low, high := comparableRange(t)
	switch {
	case math.Abs(f) < exactDoubles:
		floor := math.Floor(f)
		return integerComparand(dst, t, floor < 0, uint64(math.Abs(floor)), floor == f)
	case f > 0 && high < exactDoubles:
		return dst, Above
	case f < 0 && magnitude(low) < exactDoubles:
		return dst, Below
	}
	return dst, NotServable
}

// integerFromText64 takes a number, which is f as a double, from text. Where a constant is
// first converted to the column's type a fraction is lost, elsewhere it counts, on MariaDB
// also one that a double has no room for: served is what has none.
func integerFromText64(dst []byte, t *Type, text []byte, f float64) ([]byte, Exactness) {
	var d decimal
	if d.read(text); f != math.Floor(f) || d.overflow || d.cut {
		return dst, NotServable
	}
	if d.normalize(); d.roundsAt(0) {
		return dst, NotServable
	}
	return integerFromApproximate(dst, t, f)
}

// cleanDouble reads a string that is a number from its first byte to its last.
func cleanDouble(s *Source, env *Env) (float64, bool) {
	if !plainNumber(s.Bytes) {
		return 0, false
	}
	f, end, beyond := readFloat(s.Bytes, env)
	return f, end == len(s.Bytes) && !beyond
}

// plainNumber recognises a sign, digits with at most one point among them, and
// nothing else.
func plainNumber(s []byte) bool {
	i := 0
	if i < len(s) && isSign(s[i]) {
		i++
	}
	digits, points := 0, 0
	for ; i < len(s); i++ {
		switch {
		case isDigit(s[i]):
			digits++
		case s[i] == '.':
			points++
		default:
			return false
		}
	}
	return digits > 0 && points <= 1
}

// compareYear serves full years only: two digits mean other years in some
// comparisons and none in others.
func compareYear(dst []byte, s *Source) ([]byte, Exactness) {
	n := uint64(0)
	switch s.Form {
	case FormInt, FormUint:
		n = s.Number
	case FormString:
		if _, year, ok := shortInteger(s.Bytes); ok && len(s.Bytes) == 4 {
			n = year
		}
	default:
	}
	if n < yearLow || n > yearHigh {
		return dst, NotServable
	}
	return binary.BigEndian.AppendUint64(dst, n), Exact
}
