package page

import (
	"fmt"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
)

// LayersLine says in one line what a run has shown.
func LayersLine(r document.Run) string {
	b := r.Beside
	s := fmt.Sprintf("%.1f transactions/s, %.1f ms of CPU each, %d deadlocks, %d outdated, %s answers checked, longest stall %.0f ms (of one thread %.0f ms)",
		r.TPS, bothCPUOf(r), b.Deadlocks, b.Outdated, figure.Grouped(float64(b.Checked)), b.StallMs, b.OneStallMs)
	changes := b.Layers
	if changes == nil {
		changes = &document.LayerChanges{}
	}
	s += fmt.Sprintf(", %d changes to their end", changes.Came+changes.Went)
	if changes.Came+changes.Unfinished > 0 {
		s += fmt.Sprintf(" (%d layers came, in %.1f s at most; %d went, in %.1f s; %d under way at the end)",
			changes.Came, changes.LongestCame, changes.Went, changes.LongestWent, changes.Unfinished)
	}
	if len(changes.Refused) > 0 {
		s += fmt.Sprintf(", changes refused %v", changes.Refused)
	}
	if len(b.Errors) > 0 {
		s += fmt.Sprintf(", ERRORS %v", b.Errors)
	}
	if b.Wrong > 0 {
		s += fmt.Sprintf(", WRONG ANSWERS %d: %s", b.Wrong, b.First)
	}
	return s
}

// layersNotes list the runs, round by round, and say what the changes cost.
func layersNotes(d *document.Document) []string {
	notes := []string{
		"TPS, p95, CPU (of the server and both tunics, a transaction): median of the rounds; × quiet formed round by round; layers, deadlocks and answers of all rounds; longest times of any.",
	}
	for _, c := range d.Cases() {
		quiet, changing := d.Cell(c, document.TargetQuiet), d.Cell(c, matrix.TargetChanging)
		for round := 1; round <= d.Settings.Rounds; round++ {
			for _, cell := range []*document.Cell{quiet, changing} {
				if r := cell.Round(round); r != nil && r.Beside != nil {
					notes = append(notes, fmt.Sprintf("round %d   %-9s %s", round, cell.Target, LayersLine(*r)))
				}
			}
		}
		if quiet == nil || changing == nil {
			continue
		}
		if quiet.Failed() || changing.Failed() {
			continue
		}
		ratio := figure.NewStat(document.Pairwise(changing.Runs, quiet.Runs, document.TPSOf))
		cpu := figure.NewStat(document.Pairwise(quiet.Runs, changing.Runs, bothCPUOf))
		if ratio == nil || cpu == nil {
			continue
		}
		ended := layersOf(func(l *document.LayerChanges) float64 { return float64(l.Came + l.Went) })
		if sum(document.ValuesOf(changing.Runs, ended)) == 0 {
			notes = append(notes, "no layer had the time to come or to go: this tells nothing of what that costs")
			continue
		}
		notes = append(notes,
			fmt.Sprintf("layers come or gone to their end: %.0f quiet, %.0f changing", sum(document.ValuesOf(quiet.Runs, ended)), sum(document.ValuesOf(changing.Runs, ended))),
			fmt.Sprintf("transactions while layers go up and down: %.2f of the quiet ones (%.2f to %.2f), by CPU %.2f (%.2f to %.2f)",
				ratio.Median, ratio.Min, ratio.Max, cpu.Median, cpu.Min, cpu.Max))
	}
	return notes
}
