package bench

import (
	"fmt"
)

// A run's start and its end are a quarter of it each; a run of which fewer seconds than
// keptLeast are known says nothing of either. sysbench may leave out a run's last second.
const (
	keptShare = 4
	keptLeast = 16
)

// kept returns the throughput at the end of a run as a share of that at its start;
// false if the run was too short to tell.
func (r Run) kept() (share float64, known bool) {
	n := len(r.Timeline)
	if n < keptLeast {
		return 0, false
	}
	start, end := 0.0, 0.0
	for i := range n / keptShare {
		start += r.Timeline[i].TPS
		end += r.Timeline[n-1-i].TPS
	}
	return end / max(start, 1), start > 0
}

func keptOf(r Run) float64 {
	share, _ := r.kept()
	return share
}

// keptOfAll returns what each run has kept, nil if one was too short.
func keptOfAll(runs []Run) []float64 {
	var all []float64
	for _, r := range runs {
		share, known := r.kept()
		if !known {
			return nil
		}
		all = append(all, share)
	}
	return all
}

// untoldOf says why nothing is known of what the runs have kept.
func untoldOf(runs []Run) string {
	for _, r := range runs {
		if n := len(r.Timeline); n < keptLeast {
			return fmt.Sprintf("too short to tell how it went on: %d seconds are known of round %d, and it takes %d", n, r.Round, keptLeast)
		}
	}
	return "nothing was done in the first quarter of a run"
}
