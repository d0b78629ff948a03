package advice

import (
	"math"

	"tunic/internal/policy"
	"tunic/internal/value"
)

// The thresholds of OfType, in values that a type can have.
const (
	// fewOfType: of so few values each is told by how often it occurs, where there are some
	// hundred rows (see fewValues).
	fewOfType = 1 << 9
	// denseOfType: a table of a quarter of so many different values fills their range.
	denseOfType = 1 << 16
)

// OfType is what the type of a column says of a layer, where there are no values to look
// at: Few, Dense or, if it says nothing, Unjudged.
func OfType(t *value.Type, capability policy.Capabilities) Why {
	values := valuesOf(t)
	switch {
	case values <= fewOfType:
		return Few
	case capability == policy.Order && (values <= denseOfType || t.Kind == value.Date):
		return Dense // dates are of the last hundred years: 36,500
	}
	return Unjudged
}

// valuesOf is how many values a type has. Of one that has more than anybody stores it is
// infinite.
func valuesOf(t *value.Type) float64 {
	switch {
	case t.Kind == value.Enum:
		return float64(len(t.Labels))
	case t.Kind == value.Set:
		return math.Pow(2, float64(len(t.Labels)))
	case t.Kind == value.Bit:
		return math.Pow(2, float64(t.Length))
	case t.Kind == value.Decimal:
		return 2 * math.Pow(10, float64(t.Length))
	case t.Kind == value.Year:
		return 156 // 1901 to 2155, and 0
	case t.Kind.IsInteger():
		return math.Pow(2, float64(value.OrderBits(t)))
	case t.Kind == value.Char && t.Length <= 1, t.Kind == value.VarChar && t.Length <= 1:
		return fewOfType // of the letters of an alphabet, most often
	case t.Kind == value.Binary && t.Length <= 1, t.Kind == value.VarBinary && t.Length <= 1:
		return 1 << 8
	}
	return math.Inf(1)
}
