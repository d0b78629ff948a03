package figure

import (
	"math"
	"testing"
)

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want bool
	}{
		{"clearly", []float64{0.70, 0.71, 0.70}, []float64{0.80, 0.81, 0.80}, true},
		{"within the spread", []float64{0.60, 0.70, 0.80}, []float64{0.65, 0.75, 0.85}, false},
		{"one outlier of three", []float64{0.70, 0.70, 0.70}, []float64{0.70, 0.71, 0.95}, false},
		{"no spread, same", []float64{5, 5}, []float64{5, 5}, false},
		{"no spread, other", []float64{5, 5}, []float64{6, 6}, true},
		{"a single value", []float64{5}, []float64{6, 6, 6}, false},
	} {
		if got := Differ(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if Differ(c.a, c.b) != Differ(c.b, c.a) {
			t.Errorf("%s: depends on the order", c.name)
		}
	}
}

// The table is checked against the distribution itself: 0.5 % of Student's t lies
// above each entry.
func TestCriticalValues(t *testing.T) {
	for i, value := range criticalValues {
		if above := tailOfT(value, float64(i+1)); math.Abs(above-0.005) > 1e-5 {
			t.Errorf("%d degrees of freedom: %.6f lies above %v", i+1, above, value)
		}
	}
}

// tailOfT integrates the density from t to infinity by Simpson's rule, with
// x = t + u/(1-u).
func tailOfT(t, freedom float64) float64 {
	logGamma := func(x float64) float64 { g, _ := math.Lgamma(x); return g }
	scale := math.Exp(logGamma((freedom+1)/2)-logGamma(freedom/2)) / math.Sqrt(freedom*math.Pi)
	density := func(u float64) float64 {
		if u == 1 {
			if freedom == 1 {
				return scale // the limit; it is 0 for all others
			}
			return 0
		}
		x := t + u/(1-u)
		return scale * math.Pow(1+x*x/freedom, -(freedom+1)/2) / ((1 - u) * (1 - u))
	}
	const steps = 20000
	sum := density(0) + density(1)
	for i := 1; i < steps; i++ {
		weight := 4.0
		if i%2 == 0 {
			weight = 2
		}
		sum += weight * density(float64(i)/steps)
	}
	return sum / 3 / steps
}

func TestCriticalTRoundsDown(t *testing.T) {
	for freedom, want := range map[float64]float64{0.5: 63.657, 1: 63.657, 2.9: 9.925, 3: 5.841, 30: 2.750, 500: 2.750} {
		if got := criticalT(freedom); got != want {
			t.Errorf("%v: got %v, want %v", freedom, got, want)
		}
	}
}
