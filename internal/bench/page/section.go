package page

import (
	"strconv"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// Section is cells that are told of in the same words: a table of a line each, and one of
// each of their runs.
type Section struct {
	Heading string          // "" of the only one
	Cells   []document.Cell // that have a line
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

// Sections are what the document's tables are made of: single values have one of their
// own.
func Sections(d *document.Document) []Section {
	var values, others []document.Cell
	for _, c := range d.Cells {
		if c.Value != "" {
			values = append(values, c)
		} else {
			others = append(others, c)
		}
	}
	var all []Section
	switch {
	case asksQuestions(d):
		all = append(all, questionSection(d, others))
	case isBeside(d):
		all = append(all, BesideSection(d, others))
	case len(others) > 0:
		all = append(all, Section{
			Cells: others, columns: presentColumns(d), all: others, runs: matrixRuns,
			begins: func(c, before document.Case) bool { return c != before },
		})
	}
	if len(values) > 0 {
		all = append(all, valueSection(values))
	}
	return all
}

// Rows returns the heading and the cells; nil is an empty line between two cases.
func (s *Section) Rows() [][]string {
	rows := [][]string{rowOf(s.columns, func(c column) string { return c.heading })}
	for i, cell := range s.Cells {
		if i == 0 || s.begins(cell.Case, s.Cells[i-1].Case) {
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
func (s *Section) figures() Grid {
	t := Grid{Heading: s.Heading}
	for _, c := range s.columns {
		t.Headings = append(t.Headings, Field{c.heading, c.text})
	}
	for i, cell := range s.Cells {
		row := Row{Begins: i > 0 && s.begins(cell.Case, s.Cells[i-1].Case)}
		for _, c := range s.columns {
			row.Fields = append(row.Fields, Field{c.of(cell), c.text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// EveryRun lists the runs, so that a reader can form other medians.
func (s *Section) EveryRun() Grid {
	t := Grid{Heading: s.Heading, Headings: []Field{{"case", true}, {"target", true}, {"round", false}}}
	for _, c := range s.runs {
		t.Headings = append(t.Headings, Field{c.heading, c.text})
	}
	t.Headings = append(t.Headings, Field{"what failed", true})
	for i, cell := range s.all {
		for j, r := range cell.Runs {
			row := Row{Begins: j == 0 && i > 0, Fields: []Field{{cell.Case.String(), true}, {cell.Target, true}, {strconv.Itoa(r.Round), false}}}
			for _, c := range s.runs {
				row.Fields = append(row.Fields, Field{c.of(r), c.text})
			}
			row.Fields = append(row.Fields, Field{r.Failed, true})
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
