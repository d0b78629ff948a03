package bench

import (
	"fmt"

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

// driftNotes says for each target how far its memory moved at worst.
func (d *Document) driftNotes() []string {
	var notes []string
	for _, target := range d.Settings.Targets {
		var worst *Cell
		for i, cell := range d.Cells {
			if cell.Target == target && cell.Summary.HopRSSDrift != nil &&
				(worst == nil || cell.Summary.HopRSSDrift.Max > worst.Summary.HopRSSDrift.Max) {
				worst = &d.Cells[i]
			}
		}
		if worst != nil {
			notes = append(notes, fmt.Sprintf("memory of %s after the first %d s of a run: moved by %.1f%% at most (%s)",
				target, figure.SettleSamples, 100*worst.Summary.HopRSSDrift.Max, worst.Case))
		}
	}
	return notes
}
