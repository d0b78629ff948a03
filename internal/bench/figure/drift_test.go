package figure

import (
	"testing"
)

// seconds returns n samples: 50, then what at says.
func seconds(n int, at map[int]float64) []float64 {
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = 50
	}
	for i, v := range at {
		samples[i] = v
	}
	return samples
}

func TestDrift(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples []float64
		want    float64
		known   bool
	}{
		{"flat", seconds(60, nil), 0, true},
		{"settling is no drift", seconds(60, map[int]float64{0: 10, 5: 30}), 0, true},
		{"growing", seconds(60, map[int]float64{59: 60}), 0.2, true},
		{"shrinking", seconds(60, map[int]float64{30: 45}), 0.1, true},
		{"too short", seconds(19, map[int]float64{18: 90}), 0, false},
		{"no hop", nil, 0, false},
	} {
		if got, known := Drift(c.samples); got != c.want || known != c.known {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, got, known, c.want, c.known)
		}
	}
}
