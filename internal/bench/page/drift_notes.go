package page

import (
	"fmt"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// driftNotes says for each target how far its memory moved at worst.
func driftNotes(d *document.Document) []string {
	var notes []string
	for _, target := range d.Settings.Targets {
		var worst *document.Cell
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
