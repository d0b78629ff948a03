package value

import "math"

// reading is how far text could be read as a number.
type reading uint8

const (
	readNumber  reading = iota // some of the text, at its start, is a number
	readNothing                // no number at the start
	readTooBig                 // a number beyond 64 bits, cut to the nearest
)

// accumulator collects decimal digits into 64 bits. Digits that do not fit are
// counted in shift.
type accumulator struct {
	value   uint64
	shift   int  // the number is value * 10^shift
	roundUp bool // the first digit that did not fit was 5 or more
	full    bool
	digits  int
}

const (
	tenthOfMax = math.MaxUint64 / 10
	lastOfMax  = math.MaxUint64 % 10
	// digitsMax is the number of digits of the biggest 64-bit number.
	digitsMax = 20
)

func (a *accumulator) take(digit byte, fraction bool) {
	if a.full {
		if !fraction {
			a.shift++
		}
		return
	}
	if a.value < tenthOfMax || a.value == tenthOfMax && uint64(digit) <= lastOfMax {
		a.value = a.value*10 + uint64(digit)
		a.digits++
		if fraction {
			a.shift--
		}
		return
	}
	a.full = true
	if a.value == tenthOfMax {
		// The server gives up exactness here: the digit counts as taken.
		a.value, a.roundUp = math.MaxUint64, true
		if fraction {
			a.shift--
		}
		return
	}
	a.roundUp = digit >= 5
	if !fraction {
		a.shift++
	}
}

// scale applies the shift and rounds halves away from zero.
func (a *accumulator) scale() (uint64, bool) {
	switch {
	case a.shift == 0:
		if a.roundUp {
			return a.value + 1, a.value != math.MaxUint64
		}
		return a.value, true
	case a.shift < 0:
		if a.shift <= -digitsMax {
			return 0, true
		}
		power := pow10[-a.shift]
		quotient, rest := a.value/power, a.value%power
		if rest >= power-rest {
			quotient++
		}
		return quotient, true
	case a.value == 0:
		return 0, true
	case a.shift > digitsMax:
		return 0, false
	}
	for ; a.shift > 0; a.shift-- {
		if a.value > tenthOfMax {
			return 0, false
		}
		a.value *= 10
	}
	return a.value, true
}

// pow10 holds the powers of ten that fit into 64 bits.
var pow10 = func() (p [digitsMax]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// readInteger reads an integer at the start of s as the server does for an
// integer column: spaces, a sign, digits with a point and an exponent, rounded
// to the nearest integer, halves away from zero. It returns sign and magnitude
// and how many bytes it read.
func readInteger(s []byte, f Flavor) (negative bool, magnitude uint64, end int, how reading) {
	i := skipBlanks(s, f)
	if i == len(s) {
		return false, 0, i, readNothing
	}
	if isSign(s[i]) {
		negative = s[i] == '-'
		i++
	}
	var a accumulator
	i = a.takeNumber(s, i, f)
	if a.digits == 0 {
		return negative, 0, i, readNothing
	}
	exponent, i, what := readExponent(s, i, f)
	switch what {
	case exponentHuge:
		return negative, math.MaxUint64, i, readTooBig
	case exponentTiny:
		return negative, 0, i, readNumber
	case exponentRead:
	}
	a.shift += exponent
	magnitude, fits := a.scale()
	if !fits {
		return negative, math.MaxUint64, i, readTooBig
	}
	return negative, magnitude, i, readNumber
}

// takeNumber reads digits with at most one point among them. At a second one
// MariaDB forgets the first: '1.2.3' is 12.
func (a *accumulator) takeNumber(s []byte, i int, f Flavor) int {
	fraction := false
	for ; i < len(s); i++ {
		if digit := s[i] - '0'; digit <= 9 {
			a.take(digit, fraction)
			continue
		}
		if s[i] != '.' {
			break
		}
		if fraction {
			if f == MariaDB && !a.full {
				a.shift = 0
			}
			break
		}
		fraction = true
	}
	return i
}

// exponentMax stands for every exponent above it: nothing else has an effect.
const exponentMax = 1 << 20

// exponentOf is what became of an exponent.
type exponentOf uint8

const (
	exponentRead exponentOf = iota
	exponentHuge            // makes any number too big
	exponentTiny            // makes any number zero
)

// readExponent reads an exponent at s[i:] if there is one. MySQL takes an e and a
// sign with nothing behind them; to MariaDB they are no part of the number, and
// it gives up on an exponent of more than 20 that has another digit.
func readExponent(s []byte, i int, f Flavor) (exponent, end int, what exponentOf) {
	if i == len(s) || s[i]|0x20 != 'e' {
		return 0, i, exponentRead
	}
	start := i
	i++
	negative := i < len(s) && s[i] == '-'
	if i < len(s) && isSign(s[i]) {
		i++
	}
	if f == MariaDB && (i == len(s) || !isDigit(s[i])) {
		return 0, start, exponentRead
	}
	for ; i < len(s) && isDigit(s[i]); i++ {
		if f == MariaDB && exponent > digitsMax {
			if negative {
				return 0, i, exponentTiny
			}
			return 0, i, exponentHuge
		}
		exponent = min(exponent*10+int(s[i]-'0'), exponentMax)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, i, exponentRead
}

func isDigit(b byte) bool { return b-'0' <= 9 }

// isSpace is the space of the server's number readers: that of C.
func isSpace(b byte) bool { return b == ' ' || b-'\t' <= '\r'-'\t' }

func skipSpaces(s []byte, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// skipBlanks skips what may be before an integer: spaces and tabs, and in MariaDB all space.
func skipBlanks(s []byte, f Flavor) (i int) {
	if f == MariaDB {
		return skipSpaces(s, 0)
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// onlySpaces reports whether s has nothing but spaces.
func onlySpaces(s []byte) bool { return skipSpaces(s, 0) == len(s) }

// readUnsigned reads text that is an integer from end to end: spaces, a sign,
// digits. A negative one wraps around, as C has it.
func readUnsigned(s []byte) (n uint64, ok bool) {
	i := skipSpaces(s, 0)
	negative := i < len(s) && s[i] == '-'
	if i < len(s) && isSign(s[i]) {
		i++
	}
	if i == len(s) {
		return 0, false
	}
	for ; i < len(s); i++ {
		digit := uint64(s[i] - '0')
		if digit > 9 || n > tenthOfMax || n == tenthOfMax && digit > lastOfMax {
			return 0, false
		}
		n = n*10 + digit
	}
	if negative {
		n = -n
	}
	return n, true
}

// plainDigits is how many digits any integer may have that is the same as a double.
const plainDigits = 15

// IsPlainInteger reports whether text is an integer that servers read alike as an integer, a decimal and a double, without a
// warning: digits, with a sign or without.
func IsPlainInteger(text []byte) bool {
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > plainDigits {
		return false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
