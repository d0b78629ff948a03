package page

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
)

// changeLeast is the smallest change of a median worth a line: below it two runs
// of the very same program differ.
const changeLeast = 0.03

// roundsLeast is with how many rounds a difference can be told from chance.
const roundsLeast = 3

// Metric is a number of a cell that two documents are compared by.
type Metric struct {
	Name     string
	more     string // "better" or "worse": what a larger number is
	absolute bool   // depends on the machine, so that other machines' are left out
	Values   func(d *document.Document, c *document.Cell) []float64
	format   func(float64) string
}

// Metrics are compared in this order. Throughput and latency are compared as ratios
// only: from one day to the next they move more on the same machine than by any
// change of ours.
var Metrics = []Metric{
	{Name: "TPS × direct", more: better, Values: ratioTo(document.TargetDirect, document.TPSOf), format: figure.Decimals(2)},
	{Name: "TPS × haproxy", more: better, Values: ratioTo(document.TargetHAProxy, document.TPSOf), format: figure.Decimals(2)},
	{Name: "TPS × tunic", more: better, Values: ratioTo(document.TargetTunic, document.TPSOf), format: figure.Decimals(2)},
	{Name: "TPS × quiet", more: better, Values: ratioTo(document.TargetQuiet, document.TPSOf), format: figure.Decimals(2)},
	{Name: "TPS × quiet", more: better, Values: ratioTo(document.TargetQuietPlain, document.TPSOf), format: figure.Decimals(2)},
	{Name: "TPS × quiet", more: better, Values: ratioTo(document.TargetQuietProtected, document.TPSOf), format: figure.Decimals(2)},
	{Name: "p95 × direct", more: worse, Values: ratioTo(document.TargetDirect, document.P95Of), format: figure.Decimals(2)},
	{Name: "CPU × haproxy", more: worse, Values: ratioTo(document.TargetHAProxy, document.CPUOf), format: figure.Decimals(2)},
	{Name: "server CPU × direct", more: worse, Values: ratioTo(document.TargetDirect, serverCPUOf), format: figure.Decimals(2)},
	{Name: "kept", more: better, Values: func(_ *document.Document, c *document.Cell) []float64 { return document.KeptOfAll(c.Runs) }, format: figure.Decimals(2)},
	{Name: "server CPU µs/query", more: worse, absolute: true, Values: serverCPUValues, format: figure.Decimals(1)},
	{Name: "CPU µs/query", more: worse, absolute: true, Values: hopValues(document.CPUOf), format: figure.Decimals(1)},
	{Name: "RSS MB", more: worse, Values: hopValues(document.RSSPeakOf), format: figure.Decimals(0)},
	{Name: "time s", more: worse, absolute: true, Values: eachBeside(besideSecondsOf), format: figure.Decimals(1)},
	{Name: "CPU s of its own", more: worse, absolute: true, Values: ownCPUValues, format: figure.Decimals(1)},
	{Name: "longest stall ms", more: worse, absolute: true, Values: eachBeside(stallOf), format: figure.Decimals(0)},
	{Name: "ns", more: worse, absolute: true, Values: eachValue(nsOf), format: figure.Decimals(0)},
	{Name: "bytes", more: worse, Values: eachValue(bytesOf), format: figure.Decimals(0)},
	{Name: "allocations", more: worse, Values: eachValue(allocationsOf), format: figure.Decimals(0)},
}

const (
	better = "better"
	worse  = "worse"
)

// ratioTo returns the ratios to a baseline round by round; none for the baseline
// itself.
func ratioTo(baseline string, of func(document.Run) float64) func(*document.Document, *document.Cell) []float64 {
	return func(d *document.Document, c *document.Cell) []float64 {
		base := d.Cell(c.Case, baseline)
		if base == nil || base.Failed() || c.Target == baseline || !document.MeasuredBy(c.Target, baseline) {
			return nil
		}
		return document.Pairwise(c.Runs, base.Runs, of)
	}
}

// hopValues returns a number of each run of a cell that has a hop which is what is measured:
// beside encrypt's clients it only serves them.
func hopValues(of func(document.Run) float64) func(*document.Document, *document.Cell) []float64 {
	return func(d *document.Document, c *document.Cell) []float64 {
		if !document.HasHop(c.Runs) || d.Name == matrix.EncryptKind.Name {
			return nil
		}
		return document.ValuesOf(c.Runs, of)
	}
}

// ownCPUValues are the seconds of CPU of what is done beside clients, where it has a process.
func ownCPUValues(_ *document.Document, c *document.Cell) []float64 {
	if OwnCPU(c) == nil {
		return nil
	}
	return document.ValuesOf(c.Runs, ownCPUOf)
}

// serverCPUValues are the server's, where queries were asked of one.
func serverCPUValues(_ *document.Document, c *document.Cell) []float64 {
	values := document.ValuesOf(c.Runs, serverCPUOf)
	if len(values) == 0 || slices.Max(values) == 0 {
		return nil
	}
	return values
}

// difference is a metric that has changed, of a cell or of a server.
type difference struct {
	of       string
	metric   Metric
	old, new float64 // medians
	apart    bool    // it may be of what else the machine did: it is told of, and not judged
}

func (d difference) String() string {
	verdict := d.metric.more
	if d.new < d.old {
		verdict = map[string]string{better: worse, worse: better}[verdict]
	}
	if d.apart {
		verdict = "apart"
	}
	return fmt.Sprintf("%-6s  %s: %s %s -> %s (%+.0f%%)", verdict, d.of,
		d.metric.Name, d.metric.format(d.old), d.metric.format(d.new), 100*(d.new/d.old-1))
}

// Comparison is what has changed between two documents.
type Comparison struct {
	notes       []string
	differences []difference
	compared    int // numbers that both have, and that are judged
	tested      int // those of them that chance has a part in
}

// Compare looks at every cell that one of the documents has and keeps the metrics that
// differ by more than chance and by more than changeLeast.
func Compare(older, newer *document.Document) Comparison {
	c := Comparison{notes: conditions(older, newer)}
	c.notes = append(c.notes, gone(older, newer)...)
	c.storage(older, newer)
	sameMachine := older.Machine.SameAs(newer.Machine)
	loaded := older.Machine.Busy() || newer.Machine.Busy()
	for i := range newer.Cells {
		after := &newer.Cells[i]
		before := older.Cell(after.Case, after.Target)
		if note, ok := comparableCells(before, after); !ok {
			c.notes = append(c.notes, note)
			continue
		}
		for _, m := range Metrics {
			if m.absolute && !sameMachine {
				continue
			}
			c.add(m, after, m.Values(older, before), m.Values(newer, after), m.absolute && loaded)
		}
	}
	return c
}

// add compares a number of a cell. One that stands apart is not judged.
func (c *Comparison) add(m Metric, cell *document.Cell, before, after []float64, apart bool) {
	if len(before) == 0 || len(after) == 0 {
		return
	}
	if !apart {
		c.compared++
		if min(len(before), len(after)) > 1 {
			c.tested++
		}
	}
	d := difference{cell.Case.String() + ", " + cell.Target, m, figure.Median(before), figure.Median(after), apart}
	if d.large() && figure.Differ(before, after) {
		c.differences = append(c.differences, d)
	}
}

// large tells whether a change is worth a line.
func (d difference) large() bool { return math.Abs(d.new-d.old) >= changeLeast*math.Abs(d.old) }

// storage compares what rows take: there chance has no part, and one number of each is enough.
func (c *Comparison) storage(older, newer *document.Document) {
	m := Metric{Name: "bytes a row", more: worse, format: figure.Decimals(0)}
	for _, after := range newer.Storage {
		i := slices.IndexFunc(older.Storage, func(s document.Storage) bool { return s.Target == after.Target })
		if i < 0 || older.Storage[i].BytesPerRow == 0 {
			continue
		}
		c.compared++
		d := difference{of: "stored, " + after.Target, metric: m, old: older.Storage[i].BytesPerRow, new: after.BytesPerRow}
		if d.large() {
			c.differences = append(c.differences, d)
		}
	}
}

// comparableCells returns why two cells cannot be compared.
func comparableCells(before, after *document.Cell) (note string, ok bool) {
	switch {
	case before == nil:
		return fmt.Sprintf("only in the new one: %s, %s", after.Case, after.Target), false
	case after.Refused() && before.Refused():
		return fmt.Sprintf("refused in both: %s, %s", after.Case, after.Target), false
	case after.Failed() && !before.Failed():
		return fmt.Sprintf("FAILED now, did not before: %s, %s: %s", after.Case, after.Target, after.Summary.Failure), false
	case after.Failed():
		return fmt.Sprintf("failed in both: %s, %s", after.Case, after.Target), false
	case before.Failed():
		return fmt.Sprintf("failed before, works now: %s, %s", after.Case, after.Target), false
	}
	return "", true
}

// WriteTo prints notes, then differences, then how much was compared, and how much of that
// would differ if nothing had changed.
func (c Comparison) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for _, note := range c.notes {
		fmt.Fprintf(&b, "note    %s\n", note)
	}
	judged := 0
	for _, d := range c.differences {
		fmt.Fprintln(&b, d)
		if !d.apart {
			judged++
		}
	}
	fmt.Fprintf(&b, "%d of %d numbers differ by at least %.0f%% and by more than their spread explains (Welch's t-test, 1%%)\n",
		judged, c.compared, 100*changeLeast)
	if apart := len(c.differences) - judged; apart > 0 {
		fmt.Fprintf(&b, "%d more are apart: they depend on the machine, which had other work\n", apart)
	}
	fmt.Fprintf(&b, "%d were put to the test: at that level chance alone finds up to %.1f of them\n", c.tested, figure.ChanceLevel*float64(c.tested))
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
