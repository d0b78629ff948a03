package number

import (
	"math"
	"math/bits"
)

// DoubleOperators are the operators of doubles.
var DoubleOperators = map[string]func(x, y float64) float64{
	"+":   func(x, y float64) float64 { return x + y },
	"-":   func(x, y float64) float64 { return x - y },
	"*":   func(x, y float64) float64 { return x * y },
	"/":   func(x, y float64) float64 { return x / y },
	"MOD": math.Mod,
}

// RoundDouble rounds as the servers do: by multiplying, rounding halves to even,
// and dividing.
func RoundDouble(f float64, digits int, truncate bool) float64 {
	unit := math.Pow10(max(digits, -digits))
	up := f * unit
	if digits < 0 {
		up = f / unit
	}
	if math.IsInf(up, 0) {
		return f
	}
	switch {
	case !truncate:
		up = math.RoundToEven(up)
	default:
		up = math.Trunc(up)
	}
	if digits < 0 {
		return up * unit
	}
	return up / unit
}

// mantissaBits is how many bits the mantissa of a double has.
const mantissaBits = 53

// Power is x to the power of y where that is a double, and no rounding is needed
// to find it.
func Power(x, y float64) (p float64, ok bool) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || math.IsNaN(y) || math.IsInf(y, 0):
		return 0, false
	case y == 0 || x == 1:
		return 1, true
	case y != math.Trunc(y) || math.Abs(y) > 1<<11:
		return 0, false
	case x == 0:
		return 0, y > 0 && !math.Signbit(x)
	}
	fraction, exponent := math.Frexp(x)
	odd := uint64(math.Abs(fraction) * (1 << mantissaBits))
	zeros := bits.TrailingZeros64(odd)
	odd >>= zeros
	exponent += zeros - mantissaBits // x is odd * 2^exponent
	if odd != 1 && y < 0 {
		return 0, false
	}
	n, product := int(math.Abs(y)), uint64(1)
	for i := 0; i < n && odd != 1; i++ {
		high, low := bits.Mul64(product, odd)
		if high != 0 || bits.Len64(low) > mantissaBits {
			return 0, false
		}
		product = low
	}
	p = math.Ldexp(float64(product), exponent*int(y))
	if math.IsInf(p, 0) || math.Abs(p) < smallestNormal {
		return 0, false
	}
	if x < 0 && n%2 == 1 {
		p = -p
	}
	return p, true
}

// smallestNormal is the smallest double with a whole mantissa.
const smallestNormal = 0x1p-1022
