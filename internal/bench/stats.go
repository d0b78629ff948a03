package bench

import (
	"slices"

	"tunic/internal/bench/figure"
)

// summarise fills in the summary of every cell.
func (d *Document) summarise() {
	for i := range d.Cells {
		cell := &d.Cells[i]
		cell.Summary = summaryOf(cell.Runs)
		if cell.Summary.FailedRuns > 0 {
			continue
		}
		cell.Summary.Ratio = d.ratios(cell, tpsOf)
		if hasHop(cell.Runs) {
			cell.Summary.HopCPURatio = d.ratios(cell, cpuOf)
		}
	}
}

// ratios compares a number of a cell with that of every baseline that has it; nil
// if none has.
func (d *Document) ratios(cell *Cell, of func(Run) float64) map[string]*figure.Stat {
	var ratios map[string]*figure.Stat
	for _, baseline := range baselines {
		base := d.cell(cell.Case, baseline)
		if base == nil || base.failed() || !measuredBy(cell.Target, baseline) {
			continue
		}
		stat := figure.NewStat(pairwise(cell.Runs, base.Runs, of))
		if stat == nil {
			continue
		}
		if ratios == nil {
			ratios = map[string]*figure.Stat{}
		}
		ratios[baseline] = stat
	}
	return ratios
}

func (c *Cell) failed() bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Failed != "" })
}

// refused tells whether tunic refuses what the load sends: no run of it ended in
// another way.
func (c *Cell) refused() bool {
	return len(c.Runs) > 0 && !slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Refused == "" })
}

func summaryOf(runs []Run) Summary {
	var s Summary
	for _, r := range runs {
		s.IgnoredErrors += r.IgnoredErrors
		s.Reconnects += r.Reconnects
		if r.Failed == "" {
			continue
		}
		if s.FailedRuns == 0 {
			s.Failure = r.Failed
		}
		s.FailedRuns++
	}
	if s.FailedRuns > 0 {
		return s
	}
	s.TPS = figure.NewStat(valuesOf(runs, tpsOf))
	s.QPS = figure.NewStat(valuesOf(runs, func(r Run) float64 { return r.QPS }))
	s.P95Ms = figure.NewStat(valuesOf(runs, p95Of))
	s.Kept = figure.NewStat(keptOfAll(runs))
	if hasHop(runs) {
		s.HopCPU = figure.NewStat(valuesOf(runs, cpuOf))
		s.HopRSSPeak = figure.NewStat(valuesOf(runs, rssPeakOf))
		s.HopRSSDrift = figure.NewStat(drifts(runs))
	}
	return s
}

// hasHop tells whether there was a process between client and server.
func hasHop(runs []Run) bool {
	return slices.ContainsFunc(runs, func(r Run) bool { return len(r.HopRSS) > 0 })
}

func tpsOf(r Run) float64 { return r.TPS }
func p95Of(r Run) float64 { return r.P95Ms }
func cpuOf(r Run) float64 { return r.HopCPU }
func rssPeakOf(r Run) float64 {
	if len(r.HopRSS) == 0 {
		return 0
	}
	return slices.Max(r.HopRSS)
}

// valuesOf reads one number of each run.
func valuesOf(runs []Run, of func(Run) float64) []float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = of(r)
	}
	return values
}

// pairwise returns the ratio of a number round by round, for the rounds both have.
func pairwise(runs, base []Run, of func(Run) float64) []float64 {
	var ratios []float64
	for _, r := range runs {
		for _, b := range base {
			if r.Round == b.Round && of(b) > 0 {
				ratios = append(ratios, of(r)/of(b))
			}
		}
	}
	return ratios
}
