package page

import (
	"fmt"
	"slices"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// EncryptLine says in one line what a run has shown.
func EncryptLine(r document.Run) string {
	b := r.Beside
	s := fmt.Sprintf("%.1f s, %.0f statements/s, p95 %.1f ms, longest stall %.0f ms (of one client %.0f ms), load %.1f",
		b.Seconds, r.QPS, r.P95Ms, b.StallMs, r.MaximumMs, b.Load)
	if len(b.Errors) > 0 {
		s += fmt.Sprintf(", ERRORS %v", b.Errors)
	}
	if b.Wrong > 0 {
		s += fmt.Sprintf(", WRONG ANSWERS %d", b.Wrong)
	}
	return s
}

// encryptNotes say what became of the table and of its values.
func encryptNotes(d *document.Document) []string {
	notes := []string{
		"time, statements/s, p95: median of the rounds; × quiet formed round by round, of a table that was as this one at first; longest times of any round.",
		"its own CPU: user and system time of the process that does it, none where the server does; the hop is the tunic that serves the clients.",
	}
	for i := range d.Cells {
		c := &d.Cells[i]
		for _, r := range c.Runs {
			b := r.Beside
			if b == nil {
				continue
			}
			if len(b.Errors) > 0 {
				notes = append(notes, fmt.Sprintf("%s writes/s, %s: clients were told %v", c.Rate, c.Target, b.Errors))
			}
			if b.Same != nil {
				notes = append(notes, fmt.Sprintf("%s writes/s: made plain again, it is what was written, by CHECKSUM and SHOW CREATE TABLE: %t", c.Rate, *b.Same))
			}
			for _, s := range b.Files {
				notes = append(notes, fmt.Sprintf("%s writes/s: values in the clear in %d files, %s: logs %v, others %v", c.Rate, s.Files, s.When, s.Logs, s.Other))
			}
		}
	}
	return notes
}

// OwnCPU is the processor time of a way's own process; nil where it has none, or has failed.
func OwnCPU(c *document.Cell) *figure.Stat {
	values := document.ValuesOf(c.Runs, ownCPUOf)
	if c.Failed() || len(values) == 0 || slices.Max(values) == 0 {
		return nil
	}
	return figure.NewStat(values)
}

// ownCost is the panel of a plot in the place of the hop's cost: the hop only serves, and what
// works is a process of its own.
func ownCost() panel {
	return panel{title: "CPU of the way's own process, s", least: 1, of: OwnCPU, format: figure.Decimals(1)}
}
