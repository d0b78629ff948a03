package document

import (
	"fmt"
)

// A run's start and its end are a quarter of it each; a run of which fewer seconds than
// KeptLeast are known says nothing of either. sysbench may leave out a run's last second.
const (
	keptShare = 4
	KeptLeast = 16
)

// Kept returns the throughput at the end of a run as a share of that at its start;
// false if the run was too short to tell.
func (r Run) Kept() (share float64, known bool) {
	n := len(r.Timeline)
	if n < KeptLeast {
		return 0, false
	}
	start, end := 0.0, 0.0
	for i := range n / keptShare {
		start += r.Timeline[i].TPS
		end += r.Timeline[n-1-i].TPS
	}
	return end / max(start, 1), start > 0
}

// KeptOf is what a run has kept, 0 if it was too short to tell.
func KeptOf(r Run) float64 {
	share, _ := r.Kept()
	return share
}

// KeptOfAll returns what each run has kept, nil if one was too short.
func KeptOfAll(runs []Run) []float64 {
	var all []float64
	for _, r := range runs {
		share, known := r.Kept()
		if !known {
			return nil
		}
		all = append(all, share)
	}
	return all
}

// UntoldOf says why nothing is known of what the runs have kept.
func UntoldOf(runs []Run) string {
	for _, r := range runs {
		if n := len(r.Timeline); n < KeptLeast {
			return fmt.Sprintf("too short to tell how it went on: %d seconds are known of round %d, and it takes %d", n, r.Round, KeptLeast)
		}
	}
	return "nothing was done in the first quarter of a run"
}
