package bench

import (
	"strconv"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// section is cells that are told of in the same words: a table of a line each, and one of
// each of their runs.
type section struct {
	heading string          // "" of the only one
	cells   []document.Cell // that have a line
	columns []column

	all  []document.Cell // whose runs are listed
	runs []runColumn

	// begins tells whether a line is to stand apart from the one before it.
	begins func(c, before document.Case) bool
}

// runColumn is a number, or a word, of every run.
type runColumn struct {
	heading string
	text    bool // flush left
	of      func(document.Run) string
}

// sectionsOf are what the document's tables are made of: single values have one of their
// own.
func sectionsOf(d *document.Document) []section {
	var values, others []document.Cell
	for _, c := range d.Cells {
		if c.Value != "" {
			values = append(values, c)
		} else {
			others = append(others, c)
		}
	}
	var all []section
	switch {
	case asksQuestions(d):
		all = append(all, questionSection(d, others))
	case isBeside(d):
		all = append(all, besideSection(d, others))
	case len(others) > 0:
		all = append(all, section{
			cells: others, columns: presentColumns(d), all: others, runs: matrixRuns,
			begins: func(c, before document.Case) bool { return c != before },
		})
	}
	if len(values) > 0 {
		all = append(all, valueSection(values))
	}
	return all
}

// rows returns the heading and the cells; nil is an empty line between two cases.
func (s *section) rows() [][]string {
	rows := [][]string{rowOf(s.columns, func(c column) string { return c.heading })}
	for i, cell := range s.cells {
		if i == 0 || s.begins(cell.Case, s.cells[i-1].Case) {
			rows = append(rows, nil)
		}
		rows = append(rows, rowOf(s.columns, func(c column) string { return c.of(cell) }))
	}
	return rows
}

func rowOf(columns []column, text func(column) string) []string {
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = text(c)
	}
	return row
}

// figures is the table that a terminal shows as well.
func (s *section) figures() pageTable {
	t := pageTable{Heading: s.heading}
	for _, c := range s.columns {
		t.Headings = append(t.Headings, pageField{c.heading, c.text})
	}
	for i, cell := range s.cells {
		row := pageRow{Begins: i > 0 && s.begins(cell.Case, s.cells[i-1].Case)}
		for _, c := range s.columns {
			row.Fields = append(row.Fields, pageField{c.of(cell), c.text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// everyRun lists the runs, so that a reader can form other medians.
func (s *section) everyRun() pageTable {
	t := pageTable{Heading: s.heading, Headings: []pageField{{"case", true}, {"target", true}, {"round", false}}}
	for _, c := range s.runs {
		t.Headings = append(t.Headings, pageField{c.heading, c.text})
	}
	t.Headings = append(t.Headings, pageField{"what failed", true})
	for i, cell := range s.all {
		for j, r := range cell.Runs {
			row := pageRow{Begins: j == 0 && i > 0, Fields: []pageField{{cell.Case.String(), true}, {cell.Target, true}, {strconv.Itoa(r.Round), false}}}
			for _, c := range s.runs {
				row.Fields = append(row.Fields, pageField{c.of(r), c.text})
			}
			row.Fields = append(row.Fields, pageField{r.Failed, true})
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// matrixRuns are what is told of a run of a matrix, and of a question.
var matrixRuns = []runColumn{
	{heading: "TPS", of: func(r document.Run) string { return figure.Grouped(r.TPS) }},
	{heading: "average ms", of: numberOf(averageMsOf)},
	{heading: "p95 ms", of: numberOf(document.P95Of)},
	{heading: "maximum ms", of: numberOf(func(r document.Run) float64 { return r.MaximumMs })},
	{heading: "CPU µs/query, hop", of: numberOf(document.CPUOf)},
	{heading: "server", of: numberOf(serverCPUOf)},
	{heading: "RSS MB", of: numberOf(document.RSSPeakOf)},
}

func numberOf(of func(document.Run) float64) func(document.Run) string {
	return func(r document.Run) string { return figure.Decimals(2)(of(r)) }
}
