package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/meter"
)

// takeProfile takes a step beside which tunic is profiled. What fails is told, and no
// failure of the cell.
func (b *bench) takeProfile(ctx context.Context, s step) (outcome document.Run) {
	cell := b.document.Cell(s.Case, s.Target)
	if cell == nil || cell.Failed() {
		return failedRun(s.Round, errors.New("what has failed is not profiled"))
	}
	asking, cancel := context.WithCancel(ctx)
	defer cancel() // a load that has failed leaves no profile under way: there is one at a time
	p := meter.NewProfiling(asking, b.hops[s.Target].admin, s.Length)
	outcome = b.takeWith(ctx, s, p)
	if outcome.Failed == "" {
		if err := keepProfile(b.document, b.outDir, cell, p); err != nil {
			outcome = failedRun(s.Round, err)
		}
	}
	if outcome.Failed != "" && ctx.Err() == nil {
		withoutProfile(b.document, s.Case, s.Target, outcome.Failed)
	}
	return outcome
}

// withoutProfile says why there is none.
func withoutProfile(d *document.Document, c document.Case, target, reason string) {
	d.Skipped = append(d.Skipped, fmt.Sprintf("no profile of %s, %s: %s", c, target, reason))
}

// keepProfile writes the profile, and what it says in short into the cell.
func keepProfile(d *document.Document, dir string, cell *document.Cell, p *meter.Profiling) error {
	content, err := p.Wait()
	if err != nil {
		return err
	}
	read, err := meter.ReadCosts(content)
	if err != nil {
		return err
	}
	path := resultBase(dir, d.Name, d.Started) + "-" + profileName(cell) + ".pprof"
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // results are for everybody to read
		return err
	}
	if err := os.WriteFile(path, content, 0o644); err != nil { //nolint:gosec // as above
		return err
	}
	cell.Profile = read.InFile(filepath.Base(path))
	return nil
}

// profileName tells the cell from others of its document.
func profileName(c *document.Cell) string {
	name := fmt.Sprintf("%s-%s-%d-%s", c.Workload, c.PSMode, c.Threads, c.Target)
	if c.Rows > 0 {
		name = fmt.Sprintf("%s-%d-%s", c.Workload, c.Rows, c.Target)
	}
	return notInFileNames.ReplaceAllString(name, "-")
}

// notInFileNames are the spaces and commas of questions' names.
var notInFileNames = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

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
func profileTables(d *document.Document) []pageTable {
	var all []pageTable
	for _, c := range d.Cells {
		if c.Profile == nil {
			continue
		}
		t := pageTable{
			Heading:  fmt.Sprintf("%s, %s: %.1f s of CPU, %s", c.Case, c.Target, c.Profile.Seconds, c.Profile.File),
			Headings: []pageField{{"in itself", true}, {"%", false}, {"with what it calls", true}, {"%", false}},
		}
		for i := range max(len(c.Profile.Flat), len(c.Profile.Total)) {
			t.Rows = append(t.Rows, pageRow{Fields: costFields(c.Profile, i)})
		}
		all = append(all, t)
	}
	return all
}

// costFields are the i-th of both lists, side by side.
func costFields(p *meter.CPUProfile, i int) (fields []pageField) {
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
		fields = append(fields, pageField{name, true}, pageField{share, false})
	}
	return fields
}
