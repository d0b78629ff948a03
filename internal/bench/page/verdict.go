package page

import (
	"fmt"
	"slices"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// verdictOf is what the figures come to, in one sentence.
func verdictOf(d *document.Document) string {
	var said string
	switch {
	case asksQuestions(d):
		said = questionVerdict(d)
	case isBeside(d):
		said = besideVerdict(d)
	case plotBaseline(d) != "":
		said = throughputVerdict(d)
	default:
		said = valueVerdict(d)
	}
	runs, failed := 0, 0
	for _, c := range d.Cells {
		for _, r := range c.Runs {
			runs++
			if r.Failed != "" {
				failed++
			}
		}
	}
	switch {
	case runs == 0:
		return "Nothing was measured."
	case said == "":
		said = fmt.Sprintf("%s measurements were made, and there is nothing to compare them with", figure.Grouped(float64(runs)))
	}
	if failed > 0 {
		said += fmt.Sprintf("; %d of %d measurements failed", failed, runs)
	}
	return said + "."
}

// throughputVerdict says how much of the throughput of what the others are compared with is left.
func throughputVerdict(d *document.Document) string {
	base := plotBaseline(d)
	var parts []string
	cases := 0
	for _, target := range d.Settings.Targets {
		var ratios []float64
		for i := range d.Cells {
			if c := &d.Cells[i]; c.Target == target && !c.Failed() && c.Summary.Ratio[base] != nil {
				ratios = append(ratios, 100*c.Summary.Ratio[base].Median)
			}
		}
		s := figure.NewStat(ratios)
		if target == base || s == nil {
			continue
		}
		cases = max(cases, len(ratios))
		part := fmt.Sprintf("%.0f %% with %s", s.Median, target)
		if len(ratios) > 1 {
			part += fmt.Sprintf(" (%.0f to %.0f)", s.Min, s.Max)
		}
		parts = append(parts, part)
	}
	switch {
	case len(parts) == 0:
		return ""
	case cases == 1:
		return fmt.Sprintf("The throughput, as a share of %s, is %s", base, listed(parts))
	}
	return fmt.Sprintf("The throughput, as a share of %s, is %s: medians of %d cases, with the lowest and the highest", base, listed(parts), cases)
}

// questionVerdict says how many questions are answered, and how long that takes.
func questionVerdict(d *document.Document) string {
	asked, answered := 0, 0
	var ratios []float64
	slowest, which := 0.0, ""
	for i := range d.Cells {
		c := &d.Cells[i]
		if c.Target != document.TargetProtected || c.Value != "" {
			continue
		}
		if asked++; c.Failed() {
			continue
		}
		answered++
		base := d.Cell(c.Case, document.TargetDirect)
		if base == nil || base.Failed() {
			continue
		}
		if s := figure.NewStat(document.Pairwise(c.Runs, base.Runs, averageMsOf)); s != nil {
			ratios = append(ratios, s.Median)
			if s.Median > slowest {
				slowest, which = s.Median, c.Workload
			}
		}
	}
	if asked == 0 {
		return ""
	}
	said := fmt.Sprintf("Of %d questions over protected tables %d are answered", asked, answered)
	if s := figure.NewStat(ratios); s != nil {
		said += fmt.Sprintf(", in %.1f times the time of plain tables (median), and %.1f times at most (%s)", s.Median, slowest, which)
	}
	return said
}

// besideVerdict says what clients met while something was done beside them.
func besideVerdict(d *document.Document) string {
	checked, wrong, told := int64(0), 0, 0
	stall, of := 0.0, ""
	for _, c := range d.Cells {
		for _, r := range c.Runs {
			if r.Beside == nil {
				continue
			}
			checked += r.Beside.Checked
			wrong += r.Beside.Wrong
			for _, n := range r.Beside.Errors {
				told += n
			}
			if !slices.Contains(document.Quiets, c.Target) && r.Beside.StallMs >= stall {
				stall, of = r.Beside.StallMs, c.Target
			}
		}
	}
	if of == "" {
		return ""
	}
	return fmt.Sprintf("Clients got %d wrong answers of %s, and %d errors; the longest time in which none of them got on was %.0f ms (%s)",
		wrong, figure.Grouped(float64(checked)), told, stall, of)
}

// valueVerdict says how long operations on single values take.
func valueVerdict(d *document.Document) string {
	var least, most *document.Cell
	ns := func(c *document.Cell) float64 { return figure.NewStat(document.ValuesOf(c.Runs, nsOf)).Median }
	n := 0
	for i := range d.Cells {
		c := &d.Cells[i]
		if c.Value == "" || c.Failed() || len(c.Runs) == 0 {
			continue
		}
		n++
		if least == nil || ns(c) < ns(least) {
			least = c
		}
		if most == nil || ns(c) > ns(most) {
			most = c
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The %d operations on single values take from %s ns (%s, %s) to %s ns (%s, %s)",
		n, figure.Grouped(ns(least)), least.Value, least.Workload, figure.Grouped(ns(most)), most.Value, most.Workload)
}

// listed joins parts as a sentence has them.
func listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
