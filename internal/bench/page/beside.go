package page

import (
	"fmt"
	"slices"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
)

// isBeside tells whether the document is of one of them.
func isBeside(d *document.Document) bool {
	return slices.ContainsFunc(matrix.BesideKinds, func(k matrix.Kind) bool { return k.Name == d.Name })
}

// ofBeside reads a number of what was met.
func ofBeside(of func(*document.Beside) float64) func(document.Run) float64 {
	return func(r document.Run) float64 {
		if r.Beside == nil {
			return 0 // of a run that has failed
		}
		return of(r.Beside)
	}
}

// eachBeside returns a number of each run of a cell of clients beside whom something was
// done, none of the quiet ones: how long those are is chosen.
func eachBeside(of func(document.Run) float64) func(*document.Document, *document.Cell) []float64 {
	return func(d *document.Document, c *document.Cell) []float64 {
		if !isBeside(d) || slices.Contains(document.Quiets, c.Target) {
			return nil
		}
		return document.ValuesOf(c.Runs, of)
	}
}

var (
	besideSecondsOf = ofBeside(func(b *document.Beside) float64 { return b.Seconds })
	stallOf         = ofBeside(func(b *document.Beside) float64 { return b.StallMs })
	oneStallOf      = ofBeside(func(b *document.Beside) float64 { return b.OneStallMs })
	ownCPUOf        = ofBeside(func(b *document.Beside) float64 { return b.CPUSeconds })
	besideLoadOf    = ofBeside(func(b *document.Beside) float64 { return b.Load })
)

// layersOf reads a number of the layers that came and went.
func layersOf(of func(*document.LayerChanges) float64) func(document.Run) float64 {
	return ofBeside(func(b *document.Beside) float64 {
		if b.Layers == nil {
			return 0 // of a quiet run
		}
		return of(b.Layers)
	})
}

// bothCPUOf is the processor time of the server and the tunics for each transaction, in ms.
// The load of others on the machine changes it less than it changes throughput.
func bothCPUOf(r document.Run) float64 {
	return (r.HopCPU + r.ServerCPU) * r.QPS / max(r.TPS, 1e-9) / 1000
}

// BesideSection is the table of such a document.
func BesideSection(d *document.Document, cells []document.Cell) Section {
	s := Section{
		Cells: cells, all: cells, columns: encryptColumns, begins: func(c, before document.Case) bool { return c != before },
		runs: slices.Concat(matrixRuns, []runColumn{
			{heading: "time s", of: besideNumber(besideSecondsOf)},
			{heading: "stall ms", of: besideNumber(stallOf)},
			{heading: "of one ms", of: besideNumber(oneStallOf)},
		}),
	}
	if d.Name == matrix.LayersKind.Name {
		s.columns = layersColumns
	} else {
		s.runs = append(s.runs, runColumn{heading: "its own CPU s", of: besideNumber(ownCPUOf)})
	}
	return s
}

// ofRuns makes a column's text of a number of each run that has not failed.
func ofRuns(number func(document.Run) float64, join func([]float64) float64, format func(float64) string) func(document.Cell) string {
	return func(c document.Cell) string {
		good := slices.DeleteFunc(slices.Clone(c.Runs), func(r document.Run) bool { return r.Failed != "" })
		if len(good) == 0 {
			return figure.Absent
		}
		return format(join(document.ValuesOf(good, number)))
	}
}

// orFailed tells of a cell instead that some of its runs have failed.
func orFailed(of func(document.Cell) string) func(document.Cell) string {
	return func(c document.Cell) string {
		if n := c.Summary.FailedRuns; n > 0 {
			return fmt.Sprintf("FAILED %d/%d", n, len(c.Runs))
		}
		return of(c)
	}
}

// besideNumber is numberOf, of what a run has met.
func besideNumber(of func(document.Run) float64) func(document.Run) string {
	return func(r document.Run) string {
		if r.Beside == nil {
			return figure.Absent // it has failed
		}
		return numberOf(of)(r)
	}
}

func most(values []float64) float64 { return slices.Max(values) }

func sum(values []float64) float64 {
	all := 0.0
	for _, v := range values {
		all += v
	}
	return all
}

// besideQuiet is the throughput beside that of the clients alone.
func besideQuiet(c document.Cell) *figure.Stat {
	for _, quiet := range document.Quiets {
		if s := c.Summary.Ratio[quiet]; s != nil && c.Target != quiet {
			return s
		}
	}
	return nil
}

var layersColumns = []column{
	{heading: "threads", of: func(c document.Cell) string { return fmt.Sprint(c.Threads) }},
	{heading: "layers", text: true, of: func(c document.Cell) string { return c.Target }},
	{heading: "TPS", of: orFailed(ofRuns(document.TPSOf, figure.Median, figure.Grouped))},
	{heading: "× quiet", of: func(c document.Cell) string { return figure.Shown(besideQuiet(c), figure.Decimals(2)) }},
	{continues: true, of: func(c document.Cell) string { return figure.ShownSpread(besideQuiet(c)) }},
	{heading: "p95 ms", of: ofRuns(document.P95Of, figure.Median, figure.Decimals(1))},
	{heading: "CPU ms", of: ofRuns(bothCPUOf, figure.Median, figure.Decimals(1))},
	{heading: "came", of: ofRuns(layersOf(func(l *document.LayerChanges) float64 { return float64(l.Came) }), sum, figure.Decimals(0))},
	{heading: "in s", of: ofRuns(layersOf(func(l *document.LayerChanges) float64 { return l.LongestCame }), most, figure.Decimals(1))},
	{heading: "went", of: ofRuns(layersOf(func(l *document.LayerChanges) float64 { return float64(l.Went) }), sum, figure.Decimals(0))},
	{heading: "in s", of: ofRuns(layersOf(func(l *document.LayerChanges) float64 { return l.LongestWent }), most, figure.Decimals(1))},
	{heading: "deadlocks", of: ofRuns(ofBeside(func(b *document.Beside) float64 { return float64(b.Deadlocks) }), sum, figure.Decimals(0))},
	{heading: "outdated", of: ofRuns(ofBeside(func(b *document.Beside) float64 { return float64(b.Outdated) }), sum, figure.Decimals(0))},
	{heading: "checked", of: ofRuns(ofBeside(func(b *document.Beside) float64 { return float64(b.Checked) }), sum, figure.Grouped)},
	{heading: "stall ms", of: ofRuns(stallOf, most, figure.Decimals(0))},
	{heading: "of one thread", of: ofRuns(oneStallOf, most, figure.Decimals(0))},
}

var encryptColumns = []column{
	{heading: "writes/s", text: true, of: func(c document.Cell) string { return c.Rate }},
	{heading: "way", text: true, of: func(c document.Cell) string { return c.Target }},
	{heading: "time s", of: orFailed(ofRuns(besideSecondsOf, figure.Median, figure.Decimals(1)))},
	{heading: "statements/s", of: ofRuns(document.TPSOf, figure.Median, figure.Decimals(0))},
	{heading: "× quiet", of: func(c document.Cell) string { return figure.Shown(besideQuiet(c), figure.Decimals(2)) }},
	{heading: "p95 ms", of: ofRuns(document.P95Of, figure.Median, figure.Decimals(1))},
	{heading: "longest stall ms", of: ofRuns(stallOf, most, figure.Decimals(0))},
	{heading: "of one client ms", of: ofRuns(func(r document.Run) float64 { return r.MaximumMs }, most, figure.Decimals(0))},
	{heading: "its own CPU s", of: func(c document.Cell) string { return figure.Shown(OwnCPU(&c), figure.Decimals(1)) }},
	{heading: "machine's load", of: ofRuns(besideLoadOf, figure.Median, figure.Decimals(1))},
}

// besideNotes say what is no number.
func besideNotes(d *document.Document) []string {
	if d.Name == matrix.LayersKind.Name {
		return layersNotes(d)
	}
	return encryptNotes(d)
}

// measuredBeside says how.
func measuredBeside(d *document.Document) string {
	s := d.Settings
	if d.Name == matrix.LayersKind.Name {
		return fmt.Sprintf("%d tables of %s rows, %d threads through two tunics; %s go up and down, or do not, in turns: each line %d × %d s",
			s.Tables, figure.Grouped(float64(s.Rows)), s.Threads[0], matrix.LayersChanging, s.Rounds, s.Seconds)
	}
	return fmt.Sprintf("a table of %s rows, %d clients through tunic, each line %d × until it is done, or %d s",
		figure.Grouped(float64(s.Rows)), s.Threads[0], s.Rounds, s.Seconds)
}
