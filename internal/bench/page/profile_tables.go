package page

import (
	"fmt"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/meter"
)

// profileNotes name the files, and what costs most.
func profileNotes(d *document.Document) []string {
	const named = 5
	var notes []string
	for _, c := range d.Cells {
		if c.Profile == nil {
			continue
		}
		var most []string
		for _, cost := range c.Profile.Flat[:min(named, len(c.Profile.Flat))] {
			most = append(most, fmt.Sprintf("%s %.0f%%", cost.Function, 100*cost.Flat))
		}
		notes = append(notes, fmt.Sprintf("profile of %s, %s (%.1f s of CPU): %s; most in %s", c.Case, c.Target, c.Profile.Seconds, c.Profile.File, strings.Join(most, ", ")))
	}
	return notes
}

// profileTables are the report's: for each profile the functions that cost most, in
// themselves and with all that they call.
func profileTables(d *document.Document) []Grid {
	var all []Grid
	for _, c := range d.Cells {
		if c.Profile == nil {
			continue
		}
		t := Grid{
			Heading:  fmt.Sprintf("%s, %s: %.1f s of CPU, %s", c.Case, c.Target, c.Profile.Seconds, c.Profile.File),
			Headings: []Field{{"in itself", true}, {"%", false}, {"with what it calls", true}, {"%", false}},
		}
		for i := range max(len(c.Profile.Flat), len(c.Profile.Total)) {
			t.Rows = append(t.Rows, Row{Fields: costFields(c.Profile, i)})
		}
		all = append(all, t)
	}
	return all
}

// costFields are the i-th of both lists, side by side.
func costFields(p *meter.CPUProfile, i int) (fields []Field) {
	for _, list := range []struct {
		costs []meter.FunctionCost
		of    func(meter.FunctionCost) float64
	}{
		{p.Flat, func(c meter.FunctionCost) float64 { return c.Flat }},
		{p.Total, func(c meter.FunctionCost) float64 { return c.Total }},
	} {
		name, share := "", ""
		if i < len(list.costs) {
			name, share = list.costs[i].Function, figure.Decimals(1)(100*list.of(list.costs[i]))
		}
		fields = append(fields, Field{name, true}, Field{share, false})
	}
	return fields
}
