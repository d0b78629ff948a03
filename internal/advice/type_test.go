package advice

import (
	"testing"

	"tunic/internal/policy"
	"tunic/internal/value"
)

// TestOfType: types of few values speak against every layer, those whose values fill their range
// against one that sorts, and others say nothing.
func TestOfType(t *testing.T) {
	labels := func(n int) [][]byte { return make([][]byte, n) }
	for _, c := range []struct {
		of              value.Type
		equality, order Why
	}{
		{value.Type{Kind: value.Enum, Labels: labels(2)}, Few, Few},
		{value.Type{Kind: value.Enum, Labels: labels(600)}, Unjudged, Dense},
		{value.Type{Kind: value.Set, Labels: labels(9)}, Few, Few},
		{value.Type{Kind: value.Set, Labels: labels(64)}, Unjudged, Unjudged},
		{value.Type{Kind: value.TinyInt}, Few, Few},
		{value.Type{Kind: value.SmallInt}, Unjudged, Dense},
		{value.Type{Kind: value.Int}, Unjudged, Unjudged},
		{value.Type{Kind: value.Bit, Length: 9}, Few, Few},
		{value.Type{Kind: value.Decimal, Length: 2, Decimals: 1}, Few, Few},
		{value.Type{Kind: value.Decimal, Length: 4}, Unjudged, Dense},
		{value.Type{Kind: value.Year}, Few, Few},
		{value.Type{Kind: value.Date}, Unjudged, Dense},
		{value.Type{Kind: value.DateTime}, Unjudged, Unjudged},
		{value.Type{Kind: value.Char, Length: 1}, Few, Few},
		{value.Type{Kind: value.VarChar, Length: 20}, Unjudged, Unjudged},
		{value.Type{Kind: value.Binary, Length: 1}, Few, Few},
	} {
		if e, o := OfType(&c.of, policy.Equality), OfType(&c.of, policy.Order); e != c.equality || o != c.order {
			t.Errorf("%+v: %d and %d, want %d and %d", c.of, e, o, c.equality, c.order)
		}
	}
}
