package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/bench/page"
	"tunic/internal/sandbox"
)

// EncryptOptions say how clients of a table are measured while it is protected, and made plain
// again.
type EncryptOptions struct {
	Rows        int
	Rates       []int // writes a second; Unlimited for as many as there can be
	Threads     int
	Rounds      int
	Seconds     int // of each quiet measurement
	TunicBinary string
	OutDir      string
	Stdout      io.Writer // the table
	Stderr      io.Writer // progress
	ProcessLog  io.Writer // what the server and tunic print; may be nil
}

// encryptDatabase is where the table is.
const encryptDatabase = "encrypt"

// Encrypt measures. It fails if the table is not what was written, if a value is found in a
// file that is not a log, or if a client is told of an error.
func Encrypt(ctx context.Context, o EncryptOptions) (err error) {
	machine := meter.AtStart()
	bed, err := openBed(ctx, o.TunicBinary, o.ProcessLog, queriesFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.close()) }()
	tunic, err := sandbox.StartTunic(ctx, sandbox.TunicOptions{Binary: o.TunicBinary, Backend: bed.server.Addr, Protect: true, Args: []string{"--policy-default", "plain"}, Log: o.ProcessLog})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tunic.Stop()) }()
	e := &encryption{options: o, server: bed.server, tunic: tunic}
	for _, to := range []struct {
		db  **sql.DB
		dsn string
	}{{&e.root, bed.server.DSN("root", "root", "")}, {&e.clients, dsn(tunic.Addr, encryptDatabase)}} {
		if *to.db, err = sql.Open("mysql", to.dsn); err != nil {
			return err
		}
		defer (*to.db).Close() //nolint:errcheck // what matters was answered
	}
	e.clients.SetMaxIdleConns(0) // clients come and go, and the server is restarted
	e.document = o.newDocument(ctx, machine, bed)
	err = e.prepare(ctx)
	if err == nil {
		err = e.measure(ctx)
	}
	return finishDocument(e.document, err, o.OutDir, o.Stdout)
}

func (o *EncryptOptions) newDocument(ctx context.Context, m meter.Machine, bed *bed) *document.Document {
	d := &document.Document{
		Format: document.Format, Name: matrix.EncryptKind.Name, Command: o.command(), Started: time.Now().Truncate(time.Second),
		Machine: m, Versions: versions(ctx, bed, []string{document.TargetProtected}), Commit: meter.CommitOf(o.TunicBinary), ServerFlags: queriesFlags,
		Settings: o.settings(),
	}
	for _, w := range encryptWays {
		if w.program == "" || present(w.program) {
			d.Settings.Targets = append(d.Settings.Targets, w.name)
			continue
		}
		d.Skipped = append(d.Skipped, w.name+": "+w.program+" is not installed")
	}
	return d
}

func (o *EncryptOptions) settings() document.Settings {
	return document.Settings{
		Workloads: []string{"updates"}, PSModes: matrix.PSModes[:1], Threads: []int{o.Threads}, Rates: o.Rates,
		Rounds: o.Rounds, Seconds: o.Seconds, WarmUpSeconds: 1, Tables: 1, Rows: o.Rows,
	}
}

func (o *EncryptOptions) command() string {
	var rates []string
	for _, rate := range o.Rates {
		rates = append(rates, matrix.RateFlag(rate))
	}
	return fmt.Sprintf("bin/tunic bench encrypt --rows=%d --rates=%s --threads=%d --rounds=%d --seconds=%d",
		o.Rows, strings.Join(rates, ","), o.Threads, o.Rounds, o.Seconds)
}

// encryption is the measurement under way.
type encryption struct {
	options  EncryptOptions
	document *document.Document
	server   *sandbox.Server
	tunic    *sandbox.Proc
	root     *sql.DB // at the server
	clients  *sql.DB // through tunic
	model    tableModel
	used     time.Duration // of a CPU, by the commands of the run under way
}

// measure goes through the rates, round after round. What was measured is kept, whatever
// comes.
func (e *encryption) measure(ctx context.Context) error {
	for _, skipped := range e.document.Skipped {
		fmt.Fprintln(e.options.Stderr, skipped)
	}
	for round := 1; round <= e.options.Rounds; round++ {
		for i, rate := range e.options.Rates {
			last := round == e.options.Rounds && i == len(e.options.Rates)-1
			if err := e.under(ctx, round, rate, last); err != nil {
				return err
			}
			e.document.Summarise()
			if _, err := writeResult(e.options.OutDir, e.document.Name, e.document.Started, e.document); err != nil {
				return err
			}
		}
	}
	return nil
}

// under measures all ways under one rate of writes. What has harmed the table, or has shown
// its values, is that of the way that was to keep them.
func (e *encryption) under(ctx context.Context, round, rate int, last bool) error {
	var runs []document.Run
	var ways []string
	defer func() {
		for i := range runs {
			judgeRun(&runs[i], ofTunic(ways[i]))
			e.document.Add(matrix.RateCase(e.document.Settings, rate), ways[i], runs[i])
		}
	}()
	for _, w := range encryptWays {
		if rate == 0 && w.quiet || !slices.Contains(e.document.Settings.Targets, w.name) {
			continue
		}
		run, err := e.run(ctx, round, rate, &w)
		if err != nil {
			runs, ways = append(runs, document.FailedRun(round, err)), append(ways, w.name)
			return fmt.Errorf("%s: %w", w.name, err)
		}
		runs, ways = append(runs, run), append(ways, w.name)
		fmt.Fprintf(e.options.Stderr, "%s writes/s, %s: %s\n", matrix.RateName(rate), w.name, page.EncryptLine(run))
		if w.after != nil {
			if err := w.after(ctx, e); err != nil {
				return fmt.Errorf("after %s: %w", w.name, err)
			}
		}
		if w.protects {
			if err := e.searchAll(ctx, run.Beside, last); err != nil {
				return err
			}
		}
	}
	return e.compare(ctx, runs[len(runs)-1].Beside)
}

// run lets clients write at a rate while something is done, from a second before.
func (e *encryption) run(ctx context.Context, round, rate int, w *encryptWay) (run document.Run, err error) {
	load := &encryptLoad{encryption: e, rate: rate}
	if err := load.start(ctx); err != nil {
		return run, err
	}
	if rate != 0 {
		time.Sleep(time.Second)
	}
	load.begin()
	m := &meter.Meter{Hop: e.tunic.PID, Server: e.server.PID}
	m.Start()
	began := time.Now()
	e.used = 0
	report, err := w.do(ctx, e)
	took := time.Since(began)
	m.Stop()
	measured, met := load.end(took)
	if err = errors.Join(err, load.stop(), m.Err); err != nil {
		return run, err
	}
	met.Seconds, met.Report, met.Load = took.Seconds(), report, meter.ThisMachine().LoadAtStart
	met.CPUSeconds = e.used.Seconds()
	run = newRun(round, measured, m)
	run.Beside = met
	return run, nil
}

// ofTunic reports whether what clients are told is tunic's doing: they all go through tunic, and
// other tools may do to them what they do.
func ofTunic(way string) bool {
	at := slices.IndexFunc(encryptWays, func(w encryptWay) bool { return w.name == way })
	return at >= 0 && !encryptWays[at].foreign
}
