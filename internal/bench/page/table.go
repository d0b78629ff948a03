package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
)

// Table renders the document for a terminal: the conditions, a row for each cell,
// and what failed.
func Table(d *document.Document) string {
	var b strings.Builder
	writeConditions(d, &b)
	for _, s := range Sections(d) {
		b.WriteByte('\n')
		if s.Heading != "" {
			b.WriteString(s.Heading + "\n\n")
		}
		writeAligned(&b, s.columns, s.Rows())
	}
	b.WriteByte('\n')
	for _, note := range notesOf(d) {
		b.WriteString(note + "\n")
	}
	writeReferences(d, &b)
	return b.String()
}

// writeReferences says what others have measured, apart from what was measured here.
func writeReferences(d *document.Document, b *strings.Builder) {
	if len(d.References) == 0 {
		return
	}
	b.WriteString("\nMeasured elsewhere, by others, on other machines; for orientation only:\n")
	for _, r := range d.References {
		fmt.Fprintf(b, "  %s (%s): %s\n", r.System, r.Where, r.Figures)
	}
}

// What is said of a measurement that tells less than it might.
const (
	busyNote        = "the machine had other work when this began: trust ratios and CPU a query, not TPS"
	interruptedNote = "interrupted: the last lines have fewer rounds, and some are missing"
)

// measuredText says how.
func measuredText(d *document.Document) string {
	s := d.Settings
	switch {
	case asksQuestions(d):
		return measuredQuestions(s)
	case isBeside(d):
		return measuredBeside(d)
	case d.Name == matrix.Values.Name:
		return fmt.Sprintf("each operation in %d rounds, one after the other", s.Rounds)
	}
	return fmt.Sprintf("each line %d × %s, the targets taking turns after %s of warm-up; %s",
		s.Rounds, lengthOfRun(s), WarmedUp(s), filled(s))
}

// lengthOfRun says when a measurement ends.
func lengthOfRun(s document.Settings) string {
	if s.Transactions > 0 {
		return figure.Grouped(float64(s.Transactions)) + " transactions"
	}
	return fmt.Sprintf("%d s", s.Seconds)
}

// WarmedUp says for how long each target is, before a case.
func WarmedUp(s document.Settings) string {
	text := fmt.Sprintf("%d s", s.WarmUpSeconds)
	for _, target := range s.Targets {
		if length := matrix.LengthOf(s, matrix.WarmUp, target); length != s.WarmUpSeconds {
			text += fmt.Sprintf(" (%s %d s)", target, length)
		}
	}
	return text
}

// filled says what the tables hold.
func filled(s document.Settings) string {
	var all []string
	for _, name := range s.Workloads {
		text := fmt.Sprintf("%d tables of %s rows, picked uniformly", s.Tables, figure.Grouped(float64(s.Rows)))
		switch {
		case name == matrix.TPCC.Name:
			text = fmt.Sprintf("%d warehouses with × %g of the specification's rows", s.Warehouses, s.Share)
		case strings.HasPrefix(name, matrix.YCSB.Prefix):
			text = fmt.Sprintf("%s records of %d × %d bytes", figure.Grouped(float64(s.Rows)), matrix.YCSBFields, matrix.YCSBFieldLength)
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

func writeConditions(d *document.Document, b *strings.Builder) {
	fmt.Fprintf(b, "%s, %s, took %.0f s\n", d.Name, d.Started.Format("2006-01-02 15:04 MST"), d.Seconds)
	fmt.Fprintf(b, "  measured  %s\n", measuredText(d))
	fmt.Fprintf(b, "  machine   %s\n", d.Machine)
	fmt.Fprintf(b, "  software  %s\n", softwareOf(d))
	if len(d.ServerFlags) > 0 {
		fmt.Fprintf(b, "  server    %s\n", strings.Join(d.ServerFlags, " "))
	}
	if stored := storageText(d); stored != "" {
		fmt.Fprintf(b, "  stored    %s\n", stored)
	}
	if d.Machine.Busy() {
		b.WriteString("  NOTE      " + busyNote + "\n")
	}
	if !d.Complete {
		b.WriteString("  NOTE      " + interruptedNote + "\n")
	}
}

// softwareOf lists the programs in a fixed order, the ones that took part only.
func softwareOf(d *document.Document) string {
	var all []string
	for _, program := range []string{"server", "sysbench", "go-ycsb", "haproxy", "shardingsphere", "tunic", "go"} {
		version, ok := d.Versions[program]
		switch {
		case !ok:
		case program == "server":
			all = append(all, version)
		case program == "tunic" && d.Commit != "":
			all = append(all, fmt.Sprintf("tunic %s (commit %s)", version, shortCommit(d.Commit)))
		default:
			all = append(all, program+" "+strings.TrimPrefix(version, "go"))
		}
	}
	return strings.Join(all, ", ")
}

// shortCommit keeps enough of a commit's name to find it, and the mark of changes.
func shortCommit(commit string) string {
	name, _, changed := strings.Cut(commit, meter.ChangesMark)
	short := fmt.Sprintf("%.12s", name)
	if changed {
		short += meter.ChangesMark
	}
	return short
}

// A column of the table. One that continues holds the spread of the column before
// it, close to it and without a heading.
type column struct {
	heading   string
	text      bool // flush left
	continues bool
	baseline  string // the target that must have been measured as well
	of        func(document.Cell) string
}

// presentColumns are the matrix's, from left to right, without those of a target that did
// not take part.
func presentColumns(d *document.Document) []column {
	var present []column
	for _, c := range matrixColumns {
		if c.baseline == "" || slices.Contains(d.Settings.Targets, c.baseline) {
			present = append(present, c)
		}
	}
	return present
}

// matrixColumns are what can be told of a cell.
var matrixColumns = slices.Concat(
	[]column{
		{heading: "workload", text: true, of: func(c document.Cell) string { return strings.TrimPrefix(c.Workload, "oltp_") }},
		{heading: "ps-mode", text: true, of: func(c document.Cell) string { return c.PSMode }},
		{heading: "threads", of: func(c document.Cell) string { return strconv.Itoa(c.Threads) }},
		{heading: "target", text: true, of: func(c document.Cell) string { return c.Target }},
		{heading: "TPS", of: TPSOrFailure},
		{continues: true, of: func(c document.Cell) string { return figure.ShownSpread(c.Summary.TPS) }},
		{heading: "QPS", of: func(c document.Cell) string { return figure.Shown(c.Summary.QPS, figure.Grouped) }},
		{heading: "p95 ms", of: func(c document.Cell) string { return figure.Shown(c.Summary.P95Ms, figure.Decimals(2)) }},
	},
	ratioColumns("× ", document.TargetDirect, func(s document.Summary) map[string]*figure.Stat { return s.Ratio }),
	ratioColumns("× ", document.TargetHAProxy, func(s document.Summary) map[string]*figure.Stat { return s.Ratio }),
	ratioColumns("× ", document.TargetTunic, func(s document.Summary) map[string]*figure.Stat { return s.Ratio }),
	[]column{
		{heading: "CPU µs/query", of: func(c document.Cell) string { return figure.Shown(c.Summary.HopCPU, figure.Decimals(1)) }},
		{continues: true, of: func(c document.Cell) string { return figure.ShownSpread(c.Summary.HopCPU) }},
	},
	ratioColumns("CPU × ", document.TargetHAProxy, func(s document.Summary) map[string]*figure.Stat { return s.HopCPURatio }),
	[]column{
		{heading: "RSS MB", of: func(c document.Cell) string { return figure.Shown(c.Summary.HopRSSPeak, figure.Decimals(0)) }},
		{heading: "ignored", of: func(c document.Cell) string { return strconv.FormatInt(c.Summary.IgnoredErrors, 10) }},
		{heading: "reconn.", of: func(c document.Cell) string { return strconv.FormatInt(c.Summary.Reconnects, 10) }},
	},
)

func ratioColumns(heading, baseline string, of func(document.Summary) map[string]*figure.Stat) []column {
	return []column{
		{heading: heading + baseline, baseline: baseline, of: func(c document.Cell) string { return figure.Shown(of(c.Summary)[baseline], figure.Decimals(2)) }},
		{continues: true, baseline: baseline, of: func(c document.Cell) string {
			if c.Target == baseline {
				return ""
			}
			return figure.ShownSpread(of(c.Summary)[baseline])
		}},
	}
}

// TPSOrFailure is the throughput of a cell, or what has become of it.
func TPSOrFailure(c document.Cell) string {
	if c.Refused() {
		return "refused"
	}
	if n := c.Summary.FailedRuns; n > 0 {
		return fmt.Sprintf("FAILED %d/%d", n, len(c.Runs))
	}
	return figure.Shown(c.Summary.TPS, figure.Grouped)
}

// notesOf explain the columns and list the failures.
func notesOf(d *document.Document) []string {
	var notes []string
	switch {
	case asksQuestions(d):
		notes = questionNotes(d)
	case isBeside(d):
		notes = besideNotes(d)
	case d.Name != matrix.Values.Name:
		notes = matrixNotes()
	}
	notes = append(notes, valueNotes(d)...)
	notes = append(notes, d.Skipped...)
	notes = append(notes, keptNotes(d)...)
	notes = append(notes, OrderEntryNotes(d)...)
	notes = append(notes, driftNotes(d)...)
	notes = append(notes, profileNotes(d)...)
	for _, cell := range d.Cells {
		switch s := cell.Summary; {
		case cell.Refused():
			notes = append(notes, fmt.Sprintf("refused: %s, %s: %s", cell.Case, cell.Target, s.Failure))
		case s.FailedRuns > 0:
			notes = append(notes, fmt.Sprintf("FAILED: %s, %s: %s", cell.Case, cell.Target, s.Failure))
		}
	}
	return notes
}

func matrixNotes() []string {
	return []string{
		"TPS, QPS, p95, CPU: median of the rounds; ±: half the distance between the extremes, in % of the median.",
		"×: TPS, or CPU, over that of the other target, formed round by round, then the median.",
		"CPU: user and system time of the hop's process. RSS: its largest. ignored: deadlocks and lock timeouts, which the client goes on after.",
	}
}

// writeAligned writes rows in columns.
func writeAligned(b *strings.Builder, columns []column, rows [][]string) {
	widths := make([]int, len(columns))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			line.WriteString(columns[i].gap(i) + columns[i].aligned(text, widths[i]))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// gap is what stands before the i-th column.
func (c column) gap(i int) string {
	switch {
	case i == 0:
		return ""
	case c.continues:
		return " "
	default:
		return "  "
	}
}

func (c column) aligned(text string, width int) string {
	pad := strings.Repeat(" ", width-utf8.RuneCountInString(text))
	if c.text {
		return text + pad
	}
	return pad + text
}
