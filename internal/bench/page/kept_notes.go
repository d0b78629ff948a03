package page

import (
	"fmt"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
)

// keptGoal is how much of its throughput a target is to keep to the end of a run beyond
// what the plain server loses.
const keptGoal = 0.8

// keptNotes say for each target how throughput went on, and whether the goal is
// reached: within each round beside the plain server's. Of a benchmark that is about that,
// they say as well where it cannot be told.
func keptNotes(d *document.Document) []string {
	var notes []string
	for i := range d.Cells {
		c := &d.Cells[i]
		if c.Summary.Kept == nil {
			if matrix.KindOf(d).Timeline && !c.Failed() {
				notes = append(notes, fmt.Sprintf("%s, %s: %s", c.Case, c.Target, document.UntoldOf(c.Runs)))
			}
			continue
		}
		note := fmt.Sprintf("%s, %s: TPS of the last quarter of a run × %.2f %s of that of the first",
			c.Case, c.Target, c.Summary.Kept.Median, figure.ShownSpread(c.Summary.Kept))
		if beside := figure.NewStat(ratioTo(document.TargetDirect, document.KeptOf)(d, c)); beside != nil {
			note += fmt.Sprintf("; × %.2f %s of what direct keeps, to be at least %.1f: %s", beside.Median, figure.ShownSpread(beside), keptGoal,
				map[bool]string{true: "reached", false: "MISSED"}[beside.Median >= keptGoal])
		}
		notes = append(notes, note)
	}
	return notes
}
