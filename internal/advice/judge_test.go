package advice

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/policy"
	"tunic/internal/value"
)

var bigint = &value.Type{Kind: value.BigInt}

// distributionOf is the Distribution of numbers in a table of so many rows.
func distributionOf(numbers []int64, rows int64) *Distribution {
	h := NewHistogram(bigint)
	for _, n := range numbers {
		h.Add(binary.BigEndian.AppendUint64(nil, uint64(n)))
	}
	return h.Distribution(rows)
}

func series(n int, of func(i int) int64) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = of(i)
	}
	return all
}

// TestJudge: distributions that people have, and what is said of them.
func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sparse := func(int) int64 { return random.Int64() }
	for _, c := range []struct {
		name            string
		numbers         []int64
		rows            int64
		equality, order Why
	}{
		{"nothing", nil, 0, Unjudged, Unjudged},
		{"a handful of rows", series(31, sparse), 31, Unjudged, Unjudged},
		{"random numbers", series(5000, sparse), 5000, Fine, Fine},
		{"a part of random numbers", series(5000, sparse), 5_000_000, Fine, Fine},
		{"two values", series(5000, func(i int) int64 { return int64(i%2) << 40 }), 5000, Few, Few},
		{"twelve months", series(40, func(i int) int64 { return int64(i % 12) }), 40, Few, Few},
		{"ages", series(5000, func(int) int64 { return random.Int64N(90) }), 5000, Few, Few},
		{"few rows, nearly all different", series(40, func(i int) int64 { return int64(i*i) << 20 }), 40, Fine, Fine},
		{"numbers from 1 on", series(5000, func(i int) int64 { return int64(i) }), 5000, Fine, Dense},
		{"a part of numbers from 1 on", series(5000, func(int) int64 { return random.Int64N(1_000_000) }), 1_000_000, Fine, Dense},
		{"dates of birth of many", series(20_000, func(int) int64 { return random.Int64N(36_500) }), 1_000_000, Fine, Dense},
		{"prices in whole hundreds", series(5000, func(int) int64 { return 100 * random.Int64N(8_000) }), 5000, Fine, Dense},
		{"one value in a third of the rows", series(6000, func(i int) int64 {
			if i%3 == 0 {
				return 7
			}
			return random.Int64()
		}), 6000, Dominated, Dominated},
	} {
		d := distributionOf(c.numbers, c.rows)
		for capability, want := range map[policy.Capabilities]Why{policy.Equality: c.equality, policy.Order: c.order} {
			got := Judge(d, capability)
			if got.Why != want || got.Refused != (want != Fine && want != Unjudged) {
				t.Errorf("%s, %s: %d (refused: %v), want %d; %+v", c.name, capability, got.Why, got.Refused, want, *d)
			}
		}
	}
}

// TestJudgeMovesWithValues: adding a number to all values, or multiplying them, leaves what is
// said as it is: neither is hidden by it from who knows the distribution.
func TestJudgeMovesWithValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.Int64Range(0, 1<<rapid.IntRange(1, 20).Draw(t, "bits")), 1, 300).Draw(t, "values")
		by, add := rapid.Int64Range(1, 1000).Draw(t, "by"), rapid.Int64Range(-1<<40, 1<<40).Draw(t, "add")
		moved := series(len(numbers), func(i int) int64 { return numbers[i]*by + add })
		for _, capability := range policy.Each() {
			a := Judge(distributionOf(numbers, 1000), capability)
			if b := Judge(distributionOf(moved, 1000), capability); a != b {
				t.Errorf("%s: %v, moved: %v", capability, a, b)
			}
		}
	})
}

// TestJudgeIsNotSoftenedByOrder: an order layer tells all that an equality layer does.
func TestJudgeIsNotSoftenedByOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.Int64Range(0, 500), 0, 300).Draw(t, "values")
		d := distributionOf(numbers, int64(len(numbers))*rapid.Int64Range(1, 100).Draw(t, "more"))
		if Judge(d, policy.Equality).Refused && !Judge(d, policy.Order).Refused {
			t.Errorf("%+v", *d)
		}
	})
}

// TestJudgeOfASample: of a column that is clearly refused, so is every sample that is large
// enough, in whatever order its rows come.
func TestJudgeOfASample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		random := rand.New(rand.NewPCG(seed, 1))
		values := rapid.Int64Range(2, fewValues/2).Draw(t, "values")
		whole := series(20_000, func(int) int64 { return random.Int64N(values) << 30 })
		sample := whole[:rapid.IntRange(500, len(whole)).Draw(t, "read")]
		if v := Judge(distributionOf(sample, int64(len(whole))), policy.Equality); !v.Refused {
			t.Errorf("%d values in %d of %d rows: %v", values, len(sample), len(whole), v.Why)
		}
	})
}

// TestHistogramForgets: nothing of a value is left.
func TestHistogramForgets(t *testing.T) {
	h := NewHistogram(bigint)
	h.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	h.Wipe()
	for _, kept := range [][]byte{h.least, h.most, h.buffer[:cap(h.buffer)]} {
		for _, b := range kept {
			if b != 0 {
				t.Fatalf("a value is kept: %x", kept)
			}
		}
	}
}
