package document

import (
	"tunic/internal/bench/figure"
)

// drifts returns the drift of every run that was long enough.
func drifts(runs []Run) []float64 {
	var all []float64
	for _, r := range runs {
		if share, known := figure.Drift(r.HopRSS); known {
			all = append(all, share)
		}
	}
	return all
}
