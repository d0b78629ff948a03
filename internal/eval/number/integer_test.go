package number

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestIntegers: what fits is what big integers come to, and what does not is beyond the type.
func TestIntegers(t *testing.T) {
	operators := map[string]func(z, x, y *big.Int) *big.Int{
		"+": (*big.Int).Add, "-": (*big.Int).Sub, "*": (*big.Int).Mul, "DIV": (*big.Int).Quo, "MOD": (*big.Int).Rem,
	}
	words := rapid.OneOf(rapid.SampledFrom([]uint64{0, 1, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64}), rapid.Uint64())
	rapid.Check(t, func(t *rapid.T) {
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		unsignedA, unsignedB := rapid.Bool().Draw(t, "a has no sign"), rapid.Bool().Draw(t, "b has no sign")
		x, y := bigOf(a, unsignedA), bigOf(b, unsignedB)
		for name, operator := range operators {
			v, how := IntegerOperators[name](SignedOf(a, unsignedA), SignedOf(b, unsignedB))
			if y.Sign() == 0 && (name == "DIV" || name == "MOD") {
				if how != ByZero {
					t.Errorf("%v %s 0 is %v, %v", x, name, v, how)
				}
				continue
			}
			want := operator(new(big.Int), x, y)
			for _, unsigned := range []bool{false, true} {
				n, ok := v.Fits(unsigned)
				ok = ok && how == OK
				fits := want.IsInt64()
				if unsigned {
					fits = want.IsUint64()
				}
				if ok != fits || ok && bigOf(n, unsigned).Cmp(want) != 0 {
					t.Errorf("%v %s %v is %v, %v, want %v", x, name, y, n, ok, want)
				}
			}
		}
	})
}

func bigOf(n uint64, unsigned bool) *big.Int {
	if unsigned {
		return new(big.Int).SetUint64(n)
	}
	return big.NewInt(int64(n))
}

func TestDigits(t *testing.T) {
	for n, want := range map[uint64]int{0: 1, 9: 1, 10: 2, math.MaxUint64: 20} {
		if got := Digits(n); got != want {
			t.Errorf("%d has %d digits", n, got)
		}
	}
}

func TestBits(t *testing.T) {
	for _, c := range []struct {
		operator   string
		x, y, want uint64
	}{{"&", 6, 3, 2}, {"|", 6, 3, 7}, {"^", 6, 3, 5}, {"<<", 1, 63, 1 << 63}, {"<<", 1, 64, 0}, {">>", 8, 3, 1}, {">>", 8, 64, 0}} {
		if got := BitOperators[c.operator](c.x, c.y); got != c.want {
			t.Errorf("%d %s %d is %d", c.x, c.operator, c.y, got)
		}
	}
}

func TestRoundDouble(t *testing.T) {
	for _, c := range []struct {
		f          float64
		digits     int
		round, cut float64
	}{
		{2.5, 0, 2, 2}, // halves to even
		{3.5, 0, 4, 3},
		{-2.675, 2, -2.68, -2.67},
		{1234.5, -2, 1200, 1200},
		{1250, -2, 1200, 1200},
		{1e300, 20, 1e300, 1e300},
		{0.1, 30, 0.1, 0.1},
	} {
		round, cut := RoundDouble(c.f, c.digits, false), RoundDouble(c.f, c.digits, true)
		if math.Abs(round-c.round) > math.Abs(c.round)*1e-15 || math.Abs(cut-c.cut) > math.Abs(c.cut)*1e-15 {
			t.Errorf("%v to %d digits: %v, cut %v", c.f, c.digits, round, cut)
		}
	}
}

func TestDoubles(t *testing.T) {
	for operator, want := range map[string]float64{"+": 9.5, "-": 5.5, "*": 15, "/": 3.75, "MOD": 1.5} {
		if got := DoubleOperators[operator](7.5, 2); got != want {
			t.Errorf("7.5 %s 2 is %v", operator, got)
		}
	}
}
