package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/bench/page"
)

// Options say how a benchmark runs and where its outcome goes.
type Options struct {
	matrix.Kind
	document.Settings
	TunicBinary string    // what the target "tunic" runs; "" builds it from the present sources
	OutDir      string    // folder of the JSON, SVG and HTML files; made if needed
	Stdout      io.Writer // the table
	Stderr      io.Writer // progress
	ProcessLog  io.Writer // what the server and the hops print; may be nil
	// Status shows progress in a line that changes, and takes it away if it is empty; nil if there
	// is no such line: then progress is written in lines to Stderr.
	Status func(line string)
}

// Measure measures the targets under every case, prints the table and writes the
// JSON document, the plot and the report. When the context ends it stops, and shows and writes
// what it has. It returns an error if any run failed, after showing all.
func Measure(ctx context.Context, o Options) error {
	d, err := measureAll(ctx, o)
	if d == nil || len(d.Cells) == 0 {
		return errors.Join(err, ctx.Err())
	}
	if err := errors.Join(err, publishDocument(d, o.OutDir, o.Stdout)); err != nil {
		return err
	}
	return page.Failures(d)
}

// finishDocument shows and writes what was measured, also beside an error; what has failed is one.
func finishDocument(d *document.Document, err error, dir string, stdout io.Writer) error {
	d.Complete = err == nil
	d.Seconds = time.Since(d.Started).Round(time.Second).Seconds()
	d.Summarise()
	if len(d.Cells) == 0 {
		return err
	}
	return errors.Join(err, publishDocument(d, dir, stdout), page.Failures(d))
}

// publishDocument shows and writes the outcome.
func publishDocument(d *document.Document, dir string, stdout io.Writer) error {
	base, err := writeResult(dir, d.Name, d.Started, d)
	if err != nil {
		return err
	}
	written := base + ".json and .html"
	if page.HasPlot(d) {
		if err := os.WriteFile(base+".svg", []byte(page.Plot(d)), 0o644); err != nil { //nolint:gosec // as above
			return fmt.Errorf("write plot: %w", err)
		}
		written = base + ".json, .svg and .html"
	}
	if err := page.Write(d, base+".html"); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s\nwritten: %s\n", page.Table(d), written)
	return err
}

// bench is a benchmark under way.
type bench struct {
	kind      matrix.Kind
	settings  document.Settings
	workloads []matrix.Workload
	sysbench  sysbench
	ycsb      ycsb
	hops      map[string]*hop
	skipped   []string // targets and workloads that cannot be had, and why
	progress  *progress
	document  *document.Document
	outDir    string // of profiles

	// unprepared has, for all tables that were to be made, why they were not; nil
	// if they were. Its keys are from madeAs.
	unprepared map[string]error
}

// measureAll returns the document with whatever was measured, also beside an
// error.
func measureAll(ctx context.Context, o Options) (d *document.Document, err error) {
	if err := checkSettings(o.Settings); err != nil {
		return nil, err
	}
	b := &bench{kind: o.Kind, settings: o.Settings, outDir: o.OutDir, progress: newProgress(o.Stderr, o.Status)}
	if err := b.findClients(); err != nil {
		return nil, err
	}
	machine := meter.AtStart() // before we load it ourselves
	b.progress.note("starting the server and the targets")
	bed, err := openBed(ctx, o.TunicBinary, o.ProcessLog, serverFlags)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bed.close()) }()
	bed.profile = o.Profile
	if err := b.open(ctx, bed); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeHops(b.hops)) }()
	b.document = b.newDocument(ctx, o, machine, bed)
	err = b.run(ctx)
	return b.document, err
}

// findClients finds the workloads that the settings name, and what drives them.
func (b *bench) findClients() (err error) {
	if b.workloads, err = matrix.WorkloadsNamed(b.settings.Workloads); err != nil {
		return err
	}
	for _, w := range b.workloads {
		switch {
		case w.BySysbench():
			b.sysbench, err = findSysbench()
		case w.YCSB != nil:
			b.ycsb, err = findYCSB()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) newDocument(ctx context.Context, o Options, m meter.Machine, bed *bed) *document.Document {
	return &document.Document{
		Format:      document.Format,
		Name:        o.Kind.Name,
		Command:     matrix.CommandOf(b.settings, o.Kind.Name),
		References:  o.References,
		Started:     time.Now().Truncate(time.Second),
		Machine:     m,
		Versions:    b.versions(ctx, bed),
		Commit:      meter.CommitOf(bed.tunicBinary),
		ServerFlags: serverFlags,
		Settings:    b.settings,
		Skipped:     b.skipped,
	}
}

// open opens the targets that the settings name.
func (b *bench) open(ctx context.Context, bed *bed) (err error) {
	targets, err := targetsNamed(b.settings.Targets)
	if err != nil {
		return err
	}
	if b.hops, b.skipped, err = bed.openTargets(ctx, targets); err != nil {
		return err
	}
	b.settings.Targets = slices.DeleteFunc(slices.Clone(b.settings.Targets), func(name string) bool { return b.hops[name] == nil })
	if len(b.settings.Targets) == 0 {
		return fmt.Errorf("no target is left: %s", strings.Join(b.skipped, "; "))
	}
	b.skipped = append(b.skipped, leftOut(b.settings)...)
	if len(stepsOf(b.settings)) == 0 {
		return fmt.Errorf("nothing is left to measure: %s", strings.Join(b.skipped, "; "))
	}
	for _, reason := range b.skipped {
		b.progress.result(reason)
	}
	b.progress.plan(stepsOf(b.settings))
	return nil
}

// run makes the tables and takes every step.
func (b *bench) run(ctx context.Context) error {
	defer b.progress.close()
	defer b.finish()
	if err := b.prepareTables(ctx); err != nil {
		return err
	}
	if err := b.measureStorage(ctx); err != nil {
		return err
	}
	b.document.Complete = b.takeAll(ctx)
	if !b.document.Complete {
		return nil
	}
	return b.measureGrown(ctx)
}

// takeAll takes step after step. One that fails is an outcome, not an error; only
// the end of the context ends it early, and then it returns false.
func (b *bench) takeAll(ctx context.Context) bool {
	steps := stepsOf(b.settings)
	for i, s := range steps {
		b.progress.begin(s)
		outcome := b.take(ctx, s)
		if ctx.Err() != nil {
			return false
		}
		if s.Round != matrix.WarmUp && s.Round != matrix.Profiled {
			b.document.Add(s.Case, s.Target, outcome)
		}
		b.progress.end(s, outcome)
		if i+1 == len(steps) || steps[i+1].Case != s.Case {
			b.document.Summarise()
			b.progress.result(caseLine(b.document, s.Case))
		}
	}
	return true
}

func (b *bench) finish() {
	b.document.Seconds = time.Since(b.document.Started).Round(time.Second).Seconds()
	b.document.Summarise() // once more: an interrupted case has not been
}

// take runs one step.
func (b *bench) take(ctx context.Context, s step) document.Run {
	if s.Round == matrix.Profiled {
		return b.takeProfile(ctx, s)
	}
	return b.takeWith(ctx, s, nil)
}

// takeWith runs one step, with a profile beside it or none.
func (b *bench) takeWith(ctx context.Context, s step, p *meter.Profiling) document.Run {
	h, w := b.hops[s.Target], b.workload(s.Workload)
	l := b.load(w, h.addr)
	l.PSMode, l.Threads, l.Seed = s.PSMode, s.Threads, s.Round
	if s.Round == matrix.Profiled {
		l.Seed = b.settings.Rounds + 1
	}
	l.Seconds = int(s.Length / time.Second)
	if s.Round > matrix.WarmUp {
		l.Transactions = b.settings.Transactions
	}
	l.Intervals = b.kind.Timeline
	m := meter.Meter{Hop: h.pid(), Server: h.server.PID, Profile: p}
	err := errors.Join(b.unprepared[madeAs(b.prepares(s.Target), databaseOf(w))], h.failed)
	var r report
	if err == nil {
		r, err = b.measure(ctx, w, l, h, &m)
	}
	if ended := h.ended(); ended != nil {
		err = errors.Join(ended, err)
	}
	if err != nil {
		return document.FailedRun(s.Round, err)
	}
	return newRun(s.Round, r, &m)
}

// measure runs sysbench with the meter on for as long as sysbench itself counts.
func (b *bench) measure(ctx context.Context, w matrix.Workload, l load, h *hop, m *meter.Meter) (report, error) {
	if err := b.restoreTables(ctx, w, h, l.Threads); err != nil {
		return report{}, err
	}
	switch {
	case w.TPCC:
		return b.measureOrderEntry(ctx, l, m)
	case w.YCSB != nil:
		return b.measureYCSB(ctx, w, l, m)
	}
	var timeline []document.Second
	output, err := b.sysbench.run(ctx, l, func(line string) {
		switch second, ok := parseInterval(line); {
		case ok:
			timeline = append(timeline, second)
		case line == lineStarted:
			m.Start()
		case line == lineStopped:
			m.Stop()
		}
	})
	m.Stop()
	if err == nil {
		err = m.Err
	}
	if err != nil {
		return report{}, err
	}
	r, err := parseReport(output)
	r.Timeline = timeline
	if w.Bulk {
		r.Queries, r.QPS = r.Transactions, r.TPS
	}
	return r, err
}

// load returns what every command for the workload has in common.
func (b *bench) load(w matrix.Workload, addr string) load {
	return load{
		Script: w.Name, Command: "run",
		Addr: addr, Database: databaseOf(w),
		Tables: b.settings.Tables, Rows: b.settings.Rows,
	}
}

func (b *bench) workload(name string) matrix.Workload {
	for _, w := range b.workloads {
		if w.Name == name {
			return w
		}
	}
	panic("bench: a step of an unknown workload: " + name) // steps are made from the same settings
}

// bytesPerMiB turns bytes into the unit of the document.
const bytesPerMiB = 1 << 20

func newRun(round int, r report, m *meter.Meter) document.Run {
	run := document.Run{
		Round:         round,
		TPS:           r.TPS,
		QPS:           r.QPS,
		Queries:       r.Queries,
		AverageMs:     r.AverageMs,
		P95Ms:         r.P95Ms,
		MaximumMs:     r.MaximumMs,
		IgnoredErrors: r.IgnoredErrors,
		Reconnects:    r.Reconnects,
		HopCPU:        perQuery(m.HopCPU, r.Queries),
		ServerCPU:     perQuery(m.ServerCPU, r.Queries),
		Timeline:      r.Timeline,
		OrderEntry:    r.OrderEntry,
	}
	run.HopRSS, run.ServerRSS = inMiB(m.HopRSS), inMiB(m.ServerRSS)
	return run
}

func inMiB(samples []int64) []float64 {
	var all []float64
	for _, bytes := range samples {
		all = append(all, float64(bytes)/bytesPerMiB)
	}
	return all
}

// perQuery returns microseconds; 0 where there were no queries.
func perQuery(used time.Duration, queries int64) float64 {
	if queries == 0 {
		return 0
	}
	return float64(used) / float64(time.Microsecond) / float64(queries)
}
