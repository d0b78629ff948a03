package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tunic/internal/sandbox"
)

// EncryptFormat is DocumentFormat for an EncryptDocument.
const EncryptFormat = "tunic-bench-encrypt/1"

// EncryptOptions say how clients of a table are measured while it is protected, and made plain
// again.
type EncryptOptions struct {
	Rows        int
	Rates       []int // writes a second; Unlimited for as many as there can be
	Threads     int
	Seconds     int // of each quiet measurement
	TunicBinary string
	OutDir      string
	Stdout      io.Writer // the table
	Stderr      io.Writer // progress
	ProcessLog  io.Writer // what the server and tunic print; may be nil
}

// Unlimited is a rate without a bound.
const Unlimited = -1

// EncryptDocument is the outcome: one table, changed in each way under each rate of writes.
type EncryptDocument struct {
	Format      string            `json:"format"`
	Started     time.Time         `json:"started"`
	Rows        int               `json:"rows"`
	Threads     int               `json:"threads"`
	Machine     Machine           `json:"machine"`
	Versions    map[string]string `json:"versions"`
	Commit      string            `json:"commit"`
	ServerFlags []string          `json:"server_flags"`
	Skipped     []string          `json:"skipped,omitempty"` // ways for which there is no program
	Rates       []EncryptRate     `json:"rates"`
}

// EncryptRate is what was measured under one rate of writes.
type EncryptRate struct {
	Rate int          `json:"writes_per_second"` // Unlimited without a bound
	Runs []EncryptRun `json:"runs"`              // in the order in which they were
	// Searches are what files of the server had of the values while the table was protected.
	Searches []FileSearch `json:"searches"`
	// Same says that the table was what clients had written, by CHECKSUM TABLE and by SHOW
	// CREATE TABLE, when it was plain again; Checksum is that of it.
	Same     bool  `json:"same_as_written"`
	Checksum int64 `json:"checksum"`
}

// EncryptRun is the clients' lot while something was done to the table.
type EncryptRun struct {
	Way     string  `json:"way"`
	Seconds float64 `json:"seconds"` // that it took
	QPS     float64 `json:"qps"`
	P95     float64 `json:"p95_ms"`
	Stall   float64 `json:"stall_ms"` // in which no statement of any client has ended
	Longest float64 `json:"longest_ms"`
	Load    float64 `json:"machine_load"` // processes that wanted a CPU in its last minute
	// Errors are what clients were told, by number; Wrong are answers other than what was written.
	Errors map[string]int  `json:"errors,omitempty"`
	Wrong  int             `json:"wrong_answers"`
	Report json.RawMessage `json:"report,omitempty"` // of the command
}

// encryptDatabase is where the table is.
const encryptDatabase = "encrypt"

// Encrypt measures. It fails if the table is not what was written, if a value is found in a
// file that is not a log, or if a client is told of an error.
func Encrypt(ctx context.Context, o EncryptOptions) (err error) {
	machine := thisMachine()
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
	e.document = &EncryptDocument{
		Format: EncryptFormat, Started: time.Now().Truncate(time.Second), Rows: o.Rows, Threads: o.Threads,
		Machine: machine, Versions: versions(ctx, bed, []string{targetProtected}), Commit: commitOf(o.TunicBinary), ServerFlags: queriesFlags,
	}
	if err := e.prepare(ctx); err != nil {
		return err
	}
	for i, rate := range o.Rates {
		if err := e.under(ctx, rate, i == len(o.Rates)-1); err != nil {
			return errors.Join(err, e.document.publish(o))
		}
		if _, err := e.document.write(o.OutDir); err != nil { // what was measured is kept, whatever comes
			return err
		}
	}
	return errors.Join(e.document.publish(o), e.document.failed())
}

// encryption is the measurement under way.
type encryption struct {
	options  EncryptOptions
	document *EncryptDocument
	server   *sandbox.Server
	tunic    *sandbox.Proc
	root     *sql.DB // at the server
	clients  *sql.DB // through tunic
	model    tableModel
}

// under measures all ways under one rate of writes.
func (e *encryption) under(ctx context.Context, rate int, last bool) error {
	e.document.Rates = append(e.document.Rates, EncryptRate{Rate: rate})
	r := &e.document.Rates[len(e.document.Rates)-1]
	for _, w := range encryptWays {
		if rate == 0 && w.quiet {
			continue
		}
		if w.program != "" && !present(w.program) {
			e.skip(w)
			continue
		}
		run, err := e.run(ctx, rate, &w)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		r.Runs = append(r.Runs, run)
		fmt.Fprintf(e.options.Stderr, "%s writes/s, %s: %s\n", rateName(rate), w.name, run.line())
		if w.after != nil {
			if err := w.after(ctx, e); err != nil {
				return fmt.Errorf("after %s: %w", w.name, err)
			}
		}
		if w.protects {
			if err := e.searchAll(ctx, r, last); err != nil {
				return err
			}
		}
	}
	return e.compare(ctx, r)
}

// skip notes a way for which there is no program.
func (e *encryption) skip(w encryptWay) {
	if text := w.name + ": " + w.program + " is not installed"; !slices.Contains(e.document.Skipped, text) {
		e.document.Skipped = append(e.document.Skipped, text)
		fmt.Fprintln(e.options.Stderr, text)
	}
}

// run lets clients write at a rate while something is done, from a second before.
func (e *encryption) run(ctx context.Context, rate int, w *encryptWay) (run EncryptRun, err error) {
	load := &encryptLoad{encryption: e, rate: rate}
	if err := load.start(ctx); err != nil {
		return run, err
	}
	if rate != 0 {
		time.Sleep(time.Second)
	}
	load.begin()
	began := time.Now()
	report, err := w.do(ctx, e)
	took := time.Since(began)
	run = load.end(took)
	if err = errors.Join(err, load.stop()); err != nil {
		return run, err
	}
	run.Way, run.Seconds, run.Report, run.Load = w.name, took.Seconds(), report, thisMachine().LoadAtStart
	return run, nil
}

// failed says what is not as it is to be.
func (d *EncryptDocument) failed() error {
	var all error
	for i := range d.Rates {
		r := &d.Rates[i]
		for j := range r.Runs {
			if run := &r.Runs[j]; run.Wrong > 0 || len(run.Errors) > 0 && ofTunic(run.Way) {
				all = errors.Join(all, fmt.Errorf("%s writes/s, %s: %d wrong answers, errors %v", rateName(r.Rate), run.Way, run.Wrong, run.Errors))
			}
		}
		for _, s := range r.Searches {
			if len(s.Other) > 0 {
				all = errors.Join(all, fmt.Errorf("%s writes/s, %s: values in the clear in %v", rateName(r.Rate), s.When, s.Other))
			}
		}
		if !r.Same {
			all = errors.Join(all, fmt.Errorf("%s writes/s: the table is not what was written", rateName(r.Rate)))
		}
	}
	return all
}

// ofTunic reports whether what clients are told is tunic's doing. Triggers and the exchange of
// tables of other tools have errors of their own.
func ofTunic(way string) bool { return strings.HasPrefix(way, "tunic ") }

// publish shows and writes the outcome.
func (d *EncryptDocument) publish(o EncryptOptions) error {
	base, err := d.write(o.OutDir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.Stdout, "%s\nwritten: %s.json\n", d.table(), base)
	return err
}

func (d *EncryptDocument) write(dir string) (base string, err error) {
	return writeResult(dir, "encrypt", d.Started, d)
}
