package page

import (
	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// valueSection tells of values.
func valueSection(cells []document.Cell) Section {
	median := func(of func(document.Run) float64) func(document.Cell) *figure.Stat {
		return func(c document.Cell) *figure.Stat { return figure.NewStat(document.ValuesOf(c.Runs, of)) }
	}
	return Section{
		Heading: "Single values, in tunic", Cells: cells, all: cells,
		begins: func(c, before document.Case) bool { return c.Value != before.Value },
		columns: []column{
			{heading: "value", text: true, of: func(c document.Cell) string { return c.Value }},
			{heading: "operation", text: true, of: func(c document.Cell) string { return c.Workload }},
			{heading: "ns", of: func(c document.Cell) string { return figure.Shown(median(nsOf)(c), figure.Decimals(0)) }},
			{continues: true, of: func(c document.Cell) string { return figure.ShownSpread(median(nsOf)(c)) }},
			{heading: "bytes", of: func(c document.Cell) string { return figure.Shown(median(bytesOf)(c), figure.Decimals(0)) }},
			{heading: "allocations", of: func(c document.Cell) string { return figure.Shown(median(allocationsOf)(c), figure.Decimals(0)) }},
			{heading: "allocated bytes", of: func(c document.Cell) string { return figure.Shown(median(allocatedOf)(c), figure.Decimals(0)) }},
		},
		runs: []runColumn{
			{heading: "operations", of: func(r document.Run) string { return figure.Grouped(float64(r.Queries)) }},
			{heading: "ns", of: numberOf(nsOf)},
			{heading: "bytes", of: numberOf(bytesOf)},
			{heading: "allocations", of: numberOf(allocationsOf)},
		},
	}
}

// valueNotes explain the columns.
func valueNotes(d *document.Document) []string {
	for _, c := range d.Cells {
		if c.Value != "" {
			return []string{"Values: ns of one operation, and what comes out of it: the sealed form, the value, a layer's token; the median of the rounds. Allocations are whole ones, for each operation."}
		}
	}
	return nil
}

func ofValue(of func(*document.ValueRun) float64) func(document.Run) float64 {
	return func(r document.Run) float64 {
		if r.Value == nil {
			return 0 // of a run that is none of a value
		}
		return of(r.Value)
	}
}

var (
	nsOf          = ofValue(func(v *document.ValueRun) float64 { return v.Ns })
	bytesOf       = ofValue(func(v *document.ValueRun) float64 { return v.Bytes })
	allocationsOf = ofValue(func(v *document.ValueRun) float64 { return v.Allocations })
	allocatedOf   = ofValue(func(v *document.ValueRun) float64 { return v.AllocatedBytes })
)

// eachValue returns a number of each run of a cell of values.
func eachValue(of func(document.Run) float64) func(*document.Document, *document.Cell) []float64 {
	return func(_ *document.Document, c *document.Cell) []float64 {
		if c.Value == "" {
			return nil
		}
		return document.ValuesOf(c.Runs, of)
	}
}
