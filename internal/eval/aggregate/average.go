package aggregate

import (
	"tunic/internal/value"

	"tunic/internal/eval/decimal"
)

// An average of exact numbers is shown with fewer digits than the servers compute
// it with: AVG(x) * 3 of 1, 0 and 0 is 1.0000, and AVG(x) is 0.3333.

// Digits is how many digits after the point the servers compute an average with, and
// which Precise has; false for other functions, and for averages of doubles.
func (a *Aggregate) Digits() (int, bool) {
	if f, ok := a.Family.(*Sum); !ok || !f.Average {
		return 0, false
	}
	_, scale := a.Args[0].Root.Exact()
	return decimal.QuotientScale(scale, 0, a.Out.Session.DivPrecision), true
}

// AppendPrecise appends the group's average as the canonical form of a DECIMAL with
// the digits that Digits says, and nothing where it is NULL.
func (acc *Accumulation) AppendPrecise(dst []byte, g *Group) []byte {
	if g.count == 0 {
		return dst
	}
	digits, _ := acc.of.Digits()
	sum, n := g.exact, decimal.OfInt(g.count)
	var d decimal.Number
	d.Quotient(&sum, &n, digits)
	d.Round(digits)
	return d.AppendCanonical(dst, value.FixedBytes(&value.Type{Kind: value.Decimal, Length: decimal.DigitsMax, Decimals: digits}))
}
