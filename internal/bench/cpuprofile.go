package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"tunic/internal/bench/document"
	"tunic/internal/bench/meter"
)

// takeProfile takes a step beside which tunic is profiled. What fails is told, and no
// failure of the cell.
func (b *bench) takeProfile(ctx context.Context, s step) (outcome document.Run) {
	cell := b.document.Cell(s.Case, s.Target)
	if cell == nil || cell.Failed() {
		return document.FailedRun(s.Round, errors.New("what has failed is not profiled"))
	}
	asking, cancel := context.WithCancel(ctx)
	defer cancel() // a load that has failed leaves no profile under way: there is one at a time
	p := meter.NewProfiling(asking, b.hops[s.Target].admin, s.Length)
	outcome = b.takeWith(ctx, s, p)
	if outcome.Failed == "" {
		if err := keepProfile(b.document, b.outDir, cell, p); err != nil {
			outcome = document.FailedRun(s.Round, err)
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
