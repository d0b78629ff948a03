package bench

import (
	"fmt"

	"tunic/internal/bench/figure"
)

// A run's start and its end are a quarter of it each; a run of which fewer seconds than
// keptLeast are known says nothing of either. sysbench may leave out a run's last second.
const (
	keptShare = 4
	keptLeast = 16
)

// keptGoal is how much of its throughput a target is to keep to the end of a run beyond
// what the plain server loses.
const keptGoal = 0.8

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

// keptNotes say for each target how throughput went on, and whether the goal is
// reached: within each round beside the plain server's. Of a benchmark that is about that,
// they say as well where it cannot be told.
func (d *Document) keptNotes() []string {
	var notes []string
	for i := range d.Cells {
		c := &d.Cells[i]
		if c.Summary.Kept == nil {
			if kindOf(d).Timeline && !c.failed() {
				notes = append(notes, fmt.Sprintf("%s, %s: %s", c.Case, c.Target, untoldOf(c.Runs)))
			}
			continue
		}
		note := fmt.Sprintf("%s, %s: TPS of the last quarter of a run × %.2f %s of that of the first",
			c.Case, c.Target, c.Summary.Kept.Median, figure.ShownSpread(c.Summary.Kept))
		if beside := figure.NewStat(ratioTo(targetDirect, keptOf)(d, c)); beside != nil {
			note += fmt.Sprintf("; × %.2f %s of what direct keeps, to be at least %.1f: %s", beside.Median, figure.ShownSpread(beside), keptGoal,
				map[bool]string{true: "reached", false: "MISSED"}[beside.Median >= keptGoal])
		}
		notes = append(notes, note)
	}
	return notes
}
