package page

import (
	"fmt"
	"slices"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// OrderEntryNotes say of each target that the conditions held, and what its transactions
// were: of all runs, p95 as their median. One without them has failed, or is of a document
// that does not know.
func OrderEntryNotes(d *document.Document) []string {
	var notes []string
	for _, c := range d.Cells {
		if c.Failed() || slices.ContainsFunc(c.Runs, func(r document.Run) bool { return r.OrderEntry == nil }) {
			continue
		}
		notes = append(notes, fmt.Sprintf("%s, %s: all %d conditions held after each of %d runs; %s",
			c.Case, c.Target, c.Runs[0].OrderEntry.Conditions, len(c.Runs), mixOf(c.Runs)))
	}
	return notes
}

// mixOf says in what shares the kinds were carried out.
func mixOf(runs []document.Run) string {
	counts, all, rolledBack := map[string]int{}, 0, 0
	p95 := map[string][]float64{}
	for _, r := range runs {
		rolledBack += r.OrderEntry.RolledBack
		for _, k := range r.OrderEntry.Transactions {
			counts[k.Name] += k.Count
			all += k.Count
			if k.Count > 0 {
				p95[k.Name] = append(p95[k.Name], k.P95Ms)
			}
		}
	}
	var kinds []string
	for _, k := range runs[0].OrderEntry.Transactions {
		kinds = append(kinds, fmt.Sprintf("%s %s (%.1f%%), p95 %s ms",
			k.Name, figure.Grouped(float64(counts[k.Name])), 100*float64(counts[k.Name])/float64(max(all, 1)), figure.Shown(figure.NewStat(p95[k.Name]), figure.Decimals(1))))
	}
	return fmt.Sprintf("%s; %d rolled back by their clients", strings.Join(kinds, ", "), rolledBack)
}
