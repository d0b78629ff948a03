package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// CPUProfile is where a tunic's processor time went in a turn of its own, which no figure
// of the cell is of.
type CPUProfile struct {
	File    string         `json:"file"`        // beside the document, for go tool pprof
	Seconds float64        `json:"cpu_seconds"` // of processor time
	Flat    []FunctionCost `json:"flat"`        // the functions in which most was spent
	Total   []FunctionCost `json:"cumulative"`  // those in which, or below which, most was
}

const (
	profileSecondsMost = 60 // that are asked for at a time: tunic ends an answer after 90
	profileTop         = 20
)

// profiling asks a tunic for a profile of some seconds.
type profiling struct {
	ctx     context.Context //nolint:containedctx // it lives as long as the step
	url     string
	done    chan struct{}
	content []byte
	err     error
}

func newProfiling(ctx context.Context, admin string, long time.Duration) *profiling {
	seconds := min(int(long/time.Second), profileSecondsMost)
	return &profiling{ctx: ctx, url: fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", admin, seconds)}
}

// begin asks for it.
func (p *profiling) begin() {
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		p.content, p.err = p.fetch()
	}()
}

func (p *profiling) fetch() ([]byte, error) {
	request, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Timeout: 2 * profileSecondsMost * time.Second}
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // it is read to its end
	content, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("tunic answers %s", answer.Status)
	}
	return content, err
}

// wait returns the profile when the seconds are over.
func (p *profiling) wait() ([]byte, error) {
	if p.done == nil {
		return nil, errors.New("the load has not begun")
	}
	<-p.done
	return p.content, p.err
}

// takeProfile takes a step beside which tunic is profiled. What fails is told, and no
// failure of the cell.
func (b *bench) takeProfile(ctx context.Context, s step) (outcome Run) {
	cell := b.document.cell(s.Case, s.Target)
	if cell == nil || cell.failed() {
		return failedRun(s.Round, errors.New("what has failed is not profiled"))
	}
	asking, cancel := context.WithCancel(ctx)
	defer cancel() // a load that has failed leaves no profile under way: there is one at a time
	p := newProfiling(asking, b.hops[s.Target].admin, s.Length)
	outcome = b.takeWith(ctx, s, p)
	if outcome.Failed == "" {
		if err := b.document.keepProfile(b.outDir, cell, p); err != nil {
			outcome = failedRun(s.Round, err)
		}
	}
	if outcome.Failed != "" && ctx.Err() == nil {
		b.document.withoutProfile(s.Case, s.Target, outcome.Failed)
	}
	return outcome
}

// withoutProfile says why there is none.
func (d *Document) withoutProfile(c Case, target, reason string) {
	d.Skipped = append(d.Skipped, fmt.Sprintf("no profile of %s, %s: %s", c, target, reason))
}

// keepProfile writes the profile, and what it says in short into the cell.
func (d *Document) keepProfile(dir string, cell *Cell, p *profiling) error {
	content, err := p.wait()
	if err != nil {
		return err
	}
	read, err := readCosts(content)
	if err != nil {
		return err
	}
	path := resultBase(dir, d.Name, d.Started) + "-" + cell.fileName() + ".pprof"
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // results are for everybody to read
		return err
	}
	if err := os.WriteFile(path, content, 0o644); err != nil { //nolint:gosec // as above
		return err
	}
	cell.Profile = &CPUProfile{File: filepath.Base(path), Seconds: read.seconds, Flat: read.topFlat(profileTop), Total: read.topTotal(profileTop)}
	return nil
}

// fileName tells the cell from others of its document.
func (c *Cell) fileName() string {
	name := fmt.Sprintf("%s-%s-%d-%s", c.Workload, c.PSMode, c.Threads, c.Target)
	if c.Rows > 0 {
		name = fmt.Sprintf("%s-%d-%s", c.Workload, c.Rows, c.Target)
	}
	return notInFileNames.ReplaceAllString(name, "-")
}

// notInFileNames are the spaces and commas of questions' names.
var notInFileNames = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

// profileNotes name the files, and what costs most.
func (d *Document) profileNotes() []string {
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
func (d *Document) profileTables() []pageTable {
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
func costFields(p *CPUProfile, i int) (fields []pageField) {
	for _, list := range []struct {
		costs []FunctionCost
		of    func(FunctionCost) float64
	}{
		{p.Flat, func(c FunctionCost) float64 { return c.Flat }},
		{p.Total, func(c FunctionCost) float64 { return c.Total }},
	} {
		name, share := "", ""
		if i < len(list.costs) {
			name, share = list.costs[i].Function, decimals(1)(100*list.of(list.costs[i]))
		}
		fields = append(fields, pageField{name, true}, pageField{share, false})
	}
	return fields
}
