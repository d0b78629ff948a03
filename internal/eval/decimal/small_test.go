package decimal

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAddSmall: the short way of adding comes to what the long one does, or is not
// taken.
func TestAddSmall(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) Number {
		word := rapid.OneOf(rapid.Uint64Range(0, 3), rapid.Uint64Range(pow10[19]-2, pow10[19]+1), rapid.Uint64()).Draw(t, "word")
		d := Number{scale: rapid.Uint8Range(0, 2).Draw(t, "scale"), negative: word > 0 && rapid.Bool().Draw(t, "negative")}
		d.word[0], d.word[1] = word, rapid.SampledFrom([]uint64{0, 0, 0, 1}).Draw(t, "upper word")
		return d
	})
	taken := 0
	check := func(t interface{ Errorf(string, ...any) }, a, b Number) {
		sum := a
		if !sum.AddSmall(&b) {
			if sum != a {
				t.Errorf("%+v has become %+v though nothing was added", a, sum)
			}
			return
		}
		taken++
		var want Number
		if !want.Add(&a, &b) || !want.IsExact() || sum != want {
			t.Errorf("%+v and %+v are %+v, want %+v", a, b, sum, want)
		}
	}
	check(t, Number{word: [5]uint64{2}, scale: 1}, Number{word: [5]uint64{3}, scale: 1})
	if taken == 0 {
		t.Error("the short way was not taken for 0.2 and 0.3")
	}
	rapid.Check(t, func(t *rapid.T) { check(t, number.Draw(t, "a"), number.Draw(t, "b")) })
}
