package document

import (
	"slices"

	"tunic/internal/bench/figure"
)

// Summarise fills in the summary of every cell.
func (d *Document) Summarise() {
	for i := range d.Cells {
		cell := &d.Cells[i]
		cell.Summary = summaryOf(cell.Runs)
		if cell.Summary.FailedRuns > 0 {
			continue
		}
		cell.Summary.Ratio = d.ratios(cell, TPSOf)
		if HasHop(cell.Runs) {
			cell.Summary.HopCPURatio = d.ratios(cell, CPUOf)
		}
	}
}

// ratios compares a number of a cell with that of every baseline that has it; nil
// if none has.
func (d *Document) ratios(cell *Cell, of func(Run) float64) map[string]*figure.Stat {
	var ratios map[string]*figure.Stat
	for _, baseline := range Baselines {
		base := d.Cell(cell.Case, baseline)
		if base == nil || base.Failed() || !MeasuredBy(cell.Target, baseline) {
			continue
		}
		stat := figure.NewStat(Pairwise(cell.Runs, base.Runs, of))
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

// Failed tells whether a run of the cell has failed.
func (c *Cell) Failed() bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Failed != "" })
}

// Refused tells whether tunic refuses what the load sends: no run of it ended in
// another way.
func (c *Cell) Refused() bool {
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
	s.TPS = figure.NewStat(ValuesOf(runs, TPSOf))
	s.QPS = figure.NewStat(ValuesOf(runs, func(r Run) float64 { return r.QPS }))
	s.P95Ms = figure.NewStat(ValuesOf(runs, P95Of))
	s.Kept = figure.NewStat(KeptOfAll(runs))
	if HasHop(runs) {
		s.HopCPU = figure.NewStat(ValuesOf(runs, CPUOf))
		s.HopRSSPeak = figure.NewStat(ValuesOf(runs, RSSPeakOf))
		s.HopRSSDrift = figure.NewStat(drifts(runs))
	}
	return s
}

// HasHop tells whether there was a process between client and server.
func HasHop(runs []Run) bool {
	return slices.ContainsFunc(runs, func(r Run) bool { return len(r.HopRSS) > 0 })
}

// TPSOf reads a run's throughput.
func TPSOf(r Run) float64 { return r.TPS }

// P95Of reads what 95 % of a run's transactions took at most.
func P95Of(r Run) float64 { return r.P95Ms }

// CPUOf reads the hop's processor time a query.
func CPUOf(r Run) float64 { return r.HopCPU }

// RSSPeakOf reads the hop's largest memory, 0 where there is none.
func RSSPeakOf(r Run) float64 {
	if len(r.HopRSS) == 0 {
		return 0
	}
	return slices.Max(r.HopRSS)
}

// ValuesOf reads one number of each run.
func ValuesOf(runs []Run, of func(Run) float64) []float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = of(r)
	}
	return values
}

// Pairwise returns the ratio of a number round by round, for the rounds both have.
func Pairwise(runs, base []Run, of func(Run) float64) []float64 {
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
