package bench

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/bench/page"
	"tunic/internal/sandbox"
)

// LayersOptions say how transactions are measured while layers go up and down.
type LayersOptions struct {
	Tables, Rows int // rows of a table
	Threads      int
	Rounds       int
	Seconds      int // of each half of a round
	TunicBinary  string
	OutDir       string
	Stdout       io.Writer // the table
	Stderr       io.Writer // progress
	ProcessLog   io.Writer // what the server and the tunics print; may be nil
}

// layersCase is the one case.
func (o *LayersOptions) layersCase() document.Case {
	return document.Case{Workload: "oltp_read_write, compared", PSMode: matrix.PSModes[0], Threads: o.Threads}
}

func (o *LayersOptions) newDocument(ctx context.Context, m meter.Machine, bed *bed) *document.Document {
	return &document.Document{
		Format: document.Format, Name: matrix.LayersKind.Name, Started: time.Now().Truncate(time.Second),
		Command: fmt.Sprintf("bin/tunic bench layers --tables=%d --rows=%d --threads=%d --rounds=%d --seconds=%d", o.Tables, o.Rows, o.Threads, o.Rounds, o.Seconds),
		Machine: m, Versions: versions(ctx, bed, []string{document.TargetProtected}), Commit: meter.CommitOf(o.TunicBinary), ServerFlags: queriesFlags,
		Settings: o.settings(),
	}
}

func (o *LayersOptions) settings() document.Settings {
	return document.Settings{
		Workloads: []string{o.layersCase().Workload}, Targets: []string{document.TargetQuiet, matrix.TargetChanging}, PSModes: matrix.PSModes[:1],
		Threads: []int{o.Threads}, Rounds: o.Rounds, Seconds: o.Seconds, WarmUpSeconds: 1, Tables: o.Tables, Rows: o.Rows,
	}
}

// check refuses what each tunic has no table of its own for: two changes of one layer would
// undo each other.
func (o *LayersOptions) check() error {
	const tunics = 2
	if o.Tables < tunics {
		return fmt.Errorf("tables is %d; it must be at least %d: each of two tunics changes the layers of its own", o.Tables, tunics)
	}
	return nil
}

// Layers measures, and fails if an answer is wrong, if a client is told of an error that a
// plain server would not have told it of, or if a layer may not come or go.
func Layers(ctx context.Context, o LayersOptions) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	machine := meter.AtStart()
	bed, err := openBed(ctx, o.TunicBinary, o.ProcessLog, queriesFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.close()) }()
	tunics, err := bed.startPair(ctx)
	for _, p := range tunics {
		defer func() { err = errors.Join(err, p.Stop()) }()
	}
	if err != nil {
		return err
	}
	l := &layersLoad{options: o, server: bed.server.PID}
	for _, p := range tunics {
		l.tunics = append(l.tunics, p.PID)
		db, err := sql.Open("mysql", dsn(p.Addr, layersDatabase))
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // what matters was answered
		db.SetMaxIdleConns(o.Threads + 2)
		l.dbs = append(l.dbs, db)
	}
	fmt.Fprintf(o.Stderr, "filling %d tables with %s rows\n", o.Tables, figure.Grouped(float64(o.Rows)))
	if err := errors.Join(execute(ctx, tunics[0].Addr, "", "CREATE DATABASE "+layersDatabase), l.fill(ctx)); err != nil {
		return err
	}
	d := o.newDocument(ctx, machine, bed)
	return finishDocument(d, l.measure(ctx, d), o.OutDir, o.Stdout)
}

// layersDatabase is where the tables are.
const layersDatabase = "layers"

// startPair starts two tunics with one key before the server.
func (b *bed) startPair(ctx context.Context) (pair []*sandbox.Proc, err error) {
	for len(pair) < 2 {
		o := sandbox.TunicOptions{Binary: b.tunicBinary, Backend: b.server.Addr, Protect: true, Log: b.log}
		if len(pair) > 0 {
			o.Args = []string{"--key", filepath.Join(pair[0].Dir, "key")} // the last one wins
		}
		p, err := sandbox.StartTunic(ctx, o)
		if err != nil {
			return pair, err
		}
		pair = append(pair, p)
	}
	return pair, nil
}

// measure runs the rounds. Which half comes first alternates.
func (l *layersLoad) measure(ctx context.Context, d *document.Document) error {
	if warm, err := l.judged(ctx, matrix.WarmUp, false, time.Second); err != nil || warm.Failed != "" {
		return l.file(ctx, d, document.TargetQuiet, warm, err)
	}
	for round := 1; round <= l.options.Rounds; round++ {
		for half := range 2 {
			target := []string{document.TargetQuiet, matrix.TargetChanging}[(half+round+1)%2]
			run, err := l.judged(ctx, round, target == matrix.TargetChanging, time.Duration(l.options.Seconds)*time.Second)
			if err := l.file(ctx, d, target, run, err); err != nil {
				return err
			}
			fmt.Fprintf(l.options.Stderr, "round %d of %d, %s: %s\n", round, l.options.Rounds, target, page.LayersLine(run))
		}
	}
	return nil
}

// file has the document keep a run, also one that has failed; one that was interrupted is no
// measurement.
func (l *layersLoad) file(ctx context.Context, d *document.Document, target string, run document.Run, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		met := run.Beside
		run = document.FailedRun(run.Round, err)
		run.Beside = met
	}
	if run.Round == matrix.WarmUp {
		run.Failed = "warm-up: " + run.Failed
		err = cmp.Or(err, errors.New(run.Failed))
	}
	d.Add(l.options.layersCase(), target, run)
	return err
}

// judged is run, whose answers are judged.
func (l *layersLoad) judged(ctx context.Context, round int, changing bool, long time.Duration) (document.Run, error) {
	run, err := l.run(ctx, round, changing, long)
	run.Round = round
	judgeRun(&run, true)
	return run, err
}

// run runs the load for a time, with changes beside it or not. What is under way when the
// time is over is given up, so that the next run begins without layers and without jobs.
func (l *layersLoad) run(ctx context.Context, round int, changing bool, long time.Duration) (document.Run, error) {
	timed, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	l.begin()
	first, second := &meter.Meter{Hop: l.tunics[0], Server: l.server}, &meter.Meter{Hop: l.tunics[1]}
	first.Start()
	second.Start()
	var clients, changes sync.WaitGroup
	for n := range l.options.Threads {
		clients.Go(func() { l.thread(timed, n) })
	}
	if changing {
		for n := range l.dbs {
			changes.Go(func() { l.change(timed, n) })
		}
	}
	began := time.Now()
	clients.Wait()
	took := time.Since(began)
	first.Stop()
	second.Stop()
	first.Join(second)
	changes.Wait()
	measured, met, err := l.end(took)
	err = errors.Join(err, first.Err)
	if changing {
		err = errors.Join(err, l.clear(ctx))
	} else {
		met.Layers = nil
	}
	run := newRun(round, measured, first)
	run.Beside = met
	return run, err
}
