package number

import (
	"math"
	"math/bits"
)

// Signed is an integer of 64 bits and a sign.
type Signed struct {
	Negative bool
	N        uint64
}

// SignedOf is an integer of 64 bits, with a sign in them or without.
func SignedOf(n uint64, unsigned bool) Signed {
	if unsigned || int64(n) >= 0 {
		return Signed{N: n}
	}
	return Signed{Negative: true, N: -n}
}

// Outcome says how an operation went.
type Outcome uint8

// How operations go.
const (
	OK Outcome = iota
	Overflow
	ByZero
)

// IntegerOperators compute on integers of both sign rules.
var IntegerOperators = map[string]func(a, b Signed) (Signed, Outcome){
	"+":   addSigned,
	"-":   func(a, b Signed) (Signed, Outcome) { b.Negative = !b.Negative; return addSigned(a, b) },
	"*":   mulSigned,
	"DIV": divSigned,
	"MOD": modSigned,
}

func addSigned(a, b Signed) (Signed, Outcome) {
	if a.Negative == b.Negative {
		sum, carry := bits.Add64(a.N, b.N, 0)
		return Signed{a.Negative, sum}, OverflowIf(carry != 0)
	}
	if a.N >= b.N {
		return Signed{a.Negative, a.N - b.N}, OK
	}
	return Signed{b.Negative, b.N - a.N}, OK
}

// OverflowIf is Overflow or OK.
func OverflowIf(is bool) Outcome {
	if is {
		return Overflow
	}
	return OK
}

func mulSigned(a, b Signed) (Signed, Outcome) {
	high, low := bits.Mul64(a.N, b.N)
	return Signed{a.Negative != b.Negative, low}, OverflowIf(high != 0)
}

func divSigned(a, b Signed) (Signed, Outcome) {
	if b.N == 0 {
		return a, ByZero
	}
	return Signed{a.Negative != b.Negative, a.N / b.N}, OK
}

func modSigned(a, b Signed) (Signed, Outcome) {
	if b.N == 0 {
		return a, ByZero
	}
	return Signed{a.Negative, a.N % b.N}, OK
}

// Fits is the 64 bits of an integer, with a sign or without; false if they do not hold it.
func (v Signed) Fits(unsigned bool) (n uint64, ok bool) {
	switch {
	case unsigned && v.Negative && v.N > 0:
		return 0, false
	case !unsigned && v.N > math.MaxInt64 && (!v.Negative || v.N > math.MaxInt64+1):
		return 0, false
	case v.Negative:
		return -v.N, true
	}
	return v.N, true
}

// Negated is the same integer with the other sign.
func (v Signed) Negated() Signed { return Signed{!v.Negative, v.N} }

// BitOperators compute on 64 bits without a sign.
var BitOperators = map[string]func(x, y uint64) uint64{
	"&":  func(x, y uint64) uint64 { return x & y },
	"|":  func(x, y uint64) uint64 { return x | y },
	"^":  func(x, y uint64) uint64 { return x ^ y },
	"<<": func(x, y uint64) uint64 { return x << y },
	">>": func(x, y uint64) uint64 { return x >> y },
}

// Digits is how many decimal digits a number has.
func Digits(n uint64) int {
	digits := 1
	for ; n >= 10; n /= 10 {
		digits++
	}
	return digits
}
