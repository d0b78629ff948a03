package page

import (
	"fmt"
	"slices"
	"strconv"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// asksQuestions tells whether the document is of one of them.
func asksQuestions(d *document.Document) bool { return len(d.Settings.Sizes) > 0 }

// measuredQuestions is measured of those.
func measuredQuestions(s document.Settings) string {
	sizes := ""
	for i, n := range s.Sizes {
		if i > 0 {
			sizes += ", "
		}
		sizes += figure.Grouped(float64(n))
	}
	return fmt.Sprintf("each question in %d rounds, both sides taking turns after once for warmth, each time for %d ms and once at least; %s rows; %s",
		s.Rounds, s.AskedMs, sizes, clientsText(s))
}

// clientsText says how many ask at the same time.
func clientsText(s document.Settings) string {
	if s.Threads[0] == 1 {
		return "one client"
	}
	return fmt.Sprintf("%d clients", s.Threads[0])
}

// questionSection has a line for each question: that of protected tables, which has the
// plain one's figures beside its own.
func questionSection(d *document.Document, cells []document.Cell) Section {
	s := Section{all: cells, columns: questionColumns(d), runs: matrixRuns, begins: func(c, before document.Case) bool { return c.Rows != before.Rows }}
	for _, c := range cells {
		if c.Target == document.TargetProtected {
			s.Cells = append(s.Cells, c)
		}
	}
	return s
}

// questionColumns are the table's of questions.
func questionColumns(d *document.Document) []column {
	plain := func(c document.Cell) []document.Run {
		if base := d.Cell(c.Case, document.TargetDirect); base != nil && !base.Failed() && !c.Failed() {
			return base.Runs
		}
		return nil
	}
	own := func(c document.Cell) []document.Run {
		if c.Failed() {
			return nil
		}
		return c.Runs
	}
	ratio := func(c document.Cell) *figure.Stat {
		return figure.NewStat(document.Pairwise(c.Runs, plain(c), averageMsOf))
	}
	return []column{
		{heading: "question", text: true, of: func(c document.Cell) string { return c.Workload }},
		{heading: "rows", of: func(c document.Cell) string { return figure.Grouped(float64(c.Rows)) }},
		{heading: "plain ms", of: func(c document.Cell) string {
			return figure.Shown(figure.NewStat(document.ValuesOf(plain(c), averageMsOf)), figure.Decimals(2))
		}},
		{heading: "protected ms", of: func(c document.Cell) string {
			if c.Failed() {
				return "FAILED"
			}
			return figure.Shown(figure.NewStat(document.ValuesOf(own(c), averageMsOf)), figure.Decimals(2))
		}},
		{heading: "time, × plain", of: func(c document.Cell) string { return figure.Shown(ratio(c), figure.Decimals(2)) }},
		{continues: true, of: func(c document.Cell) string { return figure.ShownSpread(ratio(c)) }},
		{heading: "CPU ms of tunic", of: func(c document.Cell) string { return meanMs(own(c), document.CPUOf) }},
		{heading: "its server", of: func(c document.Cell) string { return meanMs(own(c), serverCPUOf) }},
		{heading: "plain server", of: func(c document.Cell) string { return meanMs(plain(c), serverCPUOf) }},
	}
}

// meanMs is of microseconds: processor time is counted in steps that a median would show.
func meanMs(runs []document.Run, of func(document.Run) float64) string {
	if len(runs) == 0 {
		return figure.Absent
	}
	sum := 0.0
	for _, r := range runs {
		sum += of(r)
	}
	return figure.Decimals(2)(sum / float64(len(runs)) / 1000)
}

func averageMsOf(r document.Run) float64 { return r.AverageMs }
func serverCPUOf(r document.Run) float64 { return r.ServerCPU }

// questionNotes explain the columns and sum up.
func questionNotes(d *document.Document) []string {
	notes := []string{
		"ms: median of the rounds. time, × plain: formed round by round, then the median; ±: half the distance between the extremes, in % of the median.",
		"CPU: user and system time of tunic, of the server with protected tables, and of the plain one, each time; the mean.",
	}
	for _, size := range d.Settings.Sizes {
		var ratios []float64
		asked := 0
		for _, c := range d.Cells {
			if c.Target == document.TargetProtected && c.Rows == size {
				asked++
			}
			if base := d.Cell(c.Case, document.TargetDirect); c.Target == document.TargetProtected && c.Rows == size && !c.Failed() && base != nil && !base.Failed() {
				ratios = append(ratios, figure.Median(document.Pairwise(c.Runs, base.Runs, averageMsOf)))
			}
		}
		if len(ratios) > 0 {
			notes = append(notes, fmt.Sprintf("%s rows: the median of %s questions takes × %.2f of the plain server's time, the extremes × %.2f and × %.2f",
				figure.Grouped(float64(size)), shareOf(len(ratios), asked), figure.Median(ratios), slices.Min(ratios), slices.Max(ratios)))
		}
	}
	return append(notes, fmt.Sprintf("RSS of tunic: %.0f MiB at most", rssPeakOfAll(d)))
}

// shareOf is "22", or "21 of 22".
func shareOf(some, all int) string {
	if some == all {
		return strconv.Itoa(all)
	}
	return fmt.Sprintf("%d of %d", some, all)
}

func rssPeakOfAll(d *document.Document) float64 {
	peak := 0.0
	for _, c := range d.Cells {
		for _, r := range c.Runs {
			peak = max(peak, document.RSSPeakOf(r))
		}
	}
	return peak
}

// QuestionLine says in one line what a question took.
func QuestionLine(d *document.Document, c document.Case) string {
	plain, protected := d.Cell(c, document.TargetDirect), d.Cell(c, document.TargetProtected)
	for _, cell := range []*document.Cell{plain, protected} {
		if cell != nil && cell.Failed() {
			return fmt.Sprintf("%s, %s: FAILED: %s", c, cell.Target, cell.Summary.Failure)
		}
	}
	if plain == nil || protected == nil {
		return c.String()
	}
	return fmt.Sprintf("%s: %.2f ms plain, %.2f ms protected, × %.2f", c, figure.Median(document.ValuesOf(plain.Runs, averageMsOf)),
		figure.Median(document.ValuesOf(protected.Runs, averageMsOf)), figure.Median(document.Pairwise(protected.Runs, plain.Runs, averageMsOf)))
}
