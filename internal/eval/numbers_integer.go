package eval

import (
	"math"
	"math/bits"
)

// signed is an integer of 64 bits and a sign.
type signed struct {
	negative bool
	n        uint64
}

func signedOf(n uint64, unsigned bool) signed {
	if unsigned || int64(n) >= 0 {
		return signed{n: n}
	}
	return signed{negative: true, n: -n}
}

// outcome says how an operation went.
type outcome uint8

const (
	outcomeOK outcome = iota
	outcomeOverflow
	outcomeByZero
)

var integerOps = map[string]func(a, b signed) (signed, outcome){
	"+":   addSigned,
	"-":   func(a, b signed) (signed, outcome) { b.negative = !b.negative; return addSigned(a, b) },
	"*":   mulSigned,
	"DIV": divSigned,
	"MOD": modSigned,
}

func addSigned(a, b signed) (signed, outcome) {
	if a.negative == b.negative {
		sum, carry := bits.Add64(a.n, b.n, 0)
		return signed{a.negative, sum}, overflowIf(carry != 0)
	}
	if a.n >= b.n {
		return signed{a.negative, a.n - b.n}, outcomeOK
	}
	return signed{b.negative, b.n - a.n}, outcomeOK
}

func overflowIf(is bool) outcome {
	if is {
		return outcomeOverflow
	}
	return outcomeOK
}

func mulSigned(a, b signed) (signed, outcome) {
	high, low := bits.Mul64(a.n, b.n)
	return signed{a.negative != b.negative, low}, overflowIf(high != 0)
}

func divSigned(a, b signed) (signed, outcome) {
	if b.n == 0 {
		return a, outcomeByZero
	}
	return signed{a.negative != b.negative, a.n / b.n}, outcomeOK
}

func modSigned(a, b signed) (signed, outcome) {
	if b.n == 0 {
		return a, outcomeByZero
	}
	return signed{a.negative, a.n % b.n}, outcomeOK
}

// fits is the 64 bits of an integer, with a sign or without; false if they do not hold it.
func (v signed) fits(unsigned bool) (n uint64, ok bool) {
	switch {
	case unsigned && v.negative && v.n > 0:
		return 0, false
	case !unsigned && v.n > math.MaxInt64 && (!v.negative || v.n > math.MaxInt64+1):
		return 0, false
	case v.negative:
		return -v.n, true
	}
	return v.n, true
}

// negated is the same integer with the other sign.
func (v signed) negated() signed { return signed{!v.negative, v.n} }

// bitOps compute on 64 bits without a sign.
var bitOps = map[string]func(x, y uint64) uint64{
	"&":  func(x, y uint64) uint64 { return x & y },
	"|":  func(x, y uint64) uint64 { return x | y },
	"^":  func(x, y uint64) uint64 { return x ^ y },
	"<<": func(x, y uint64) uint64 { return x << y },
	">>": func(x, y uint64) uint64 { return x >> y },
}

// countDigits is how many decimal digits a number has.
func countDigits(n uint64) int {
	digits := 1
	for ; n >= 10; n /= 10 {
		digits++
	}
	return digits
}
