package figure

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestStat(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Stat
		spread float64
	}{
		{[]float64{7}, Stat{7, 7, 7}, 0},
		{[]float64{3, 1, 2}, Stat{2, 1, 3}, 0.5},
		{[]float64{4, 1, 2, 3}, Stat{2.5, 1, 4}, 0.6},
		{[]float64{0, 0}, Stat{0, 0, 0}, 0},
	} {
		got := NewStat(c.values)
		if diff := cmp.Diff(c.want, *got); diff != "" || math.Abs(got.Spread()-c.spread) > 1e-12 {
			t.Errorf("%v: %+v with spread %v, want %+v with %v", c.values, *got, got.Spread(), c.want, c.spread)
		}
	}
	if NewStat(nil) != nil {
		t.Error("no values have a summary")
	}
}

func TestMedianLeavesItsInputAlone(t *testing.T) {
	values := []float64{3, 1, 2}
	Median(values)
	if diff := cmp.Diff([]float64{3, 1, 2}, values); diff != "" {
		t.Error(diff)
	}
}

// Half of the values are on either side of the median.
func TestMedianIsInTheMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 9).Draw(t, "values")
		m, below, above := Median(values), 0, 0
		for _, v := range values {
			if v < m {
				below++
			}
			if v > m {
				above++
			}
		}
		if 2*below > len(values) || 2*above > len(values) {
			t.Fatalf("median %v of %v", m, values)
		}
	})
}
