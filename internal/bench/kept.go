package bench

import (
	"fmt"
)

// A run's start and its end are a quarter of it each; a run of fewer seconds than
// keptLeast says nothing of either.
const (
	keptShare = 4
	keptLeast = 20
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

// keptNotes say for each target how throughput went on, and whether the goal is
// reached: within each round beside the plain server's.
func (d *Document) keptNotes() []string {
	var notes []string
	for i := range d.Cells {
		c := &d.Cells[i]
		if c.Summary.Kept == nil {
			continue
		}
		note := fmt.Sprintf("%s, %s: TPS of the last quarter of a run × %.2f %s of that of the first",
			c.Case, c.Target, c.Summary.Kept.Median, c.Summary.Kept.spread())
		if beside := newStat(ratioTo(targetDirect, keptOf)(d, c)); beside != nil {
			note += fmt.Sprintf("; × %.2f %s of what direct keeps, to be at least %.1f: %s", beside.Median, beside.spread(), keptGoal,
				map[bool]string{true: "reached", false: "MISSED"}[beside.Median >= keptGoal])
		}
		notes = append(notes, note)
	}
	return notes
}
