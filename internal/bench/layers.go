package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tunic/internal/sandbox"
)

// LayersFormat is DocumentFormat for a LayersDocument.
const LayersFormat = "tunic-bench-layers/1"

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

// LayersDocument is the outcome: the same transactions through two tunics, quiet and while
// layers go up and down, in turns.
type LayersDocument struct {
	Format   string            `json:"format"`
	Started  time.Time         `json:"started"`
	Tables   int               `json:"tables"`
	Rows     int               `json:"rows"`
	Threads  int               `json:"threads"`
	Seconds  int               `json:"seconds"`
	Changing string            `json:"changing"` // what goes up and down
	Machine  Machine           `json:"machine"`
	Versions map[string]string `json:"versions"`
	Commit   string            `json:"commit"`
	Rounds   []LayersRound     `json:"rounds"`
	Ratio    *Stat             `json:"ratio"`     // of transactions a second, in each round
	CPURatio *Stat             `json:"cpu_ratio"` // of CPU, quiet over changing
}

// LayersRound is a quiet half and one with changes.
type LayersRound struct {
	Quiet    LayersRun `json:"quiet"`
	Changing LayersRun `json:"changing"`
}

// LayersRun is one half of a round.
type LayersRun struct {
	TPS float64 `json:"tps"`
	// CPU is the processor time of the server and the tunics for each transaction, in ms. The
	// load of others on the machine changes it less than it changes TPS.
	CPU float64 `json:"cpu_ms_per_transaction"`
	// Changes are the layers that have come, and those that have gone, to their end in the time.
	// Only where there are some of both does the run tell what they cost.
	Changes int `json:"changes"`
	Came    int `json:"layers_came"`
	Went    int `json:"layers_went"`
	// LongestCame and LongestWent are how long the slowest of each took, in seconds.
	LongestCame float64 `json:"longest_to_come_s"`
	LongestWent float64 `json:"longest_to_go_s"`
	// Unfinished are changes that were under way at the end of the time.
	Unfinished int `json:"changes_unfinished"`
	// Deadlocks are transactions that the server has broken off. Outdated are those whose
	// view of the rows is older than a key that was made in place, which a plain server
	// refuses to go on with as well (ER_TABLE_DEF_CHANGED, 1412).
	Deadlocks int            `json:"deadlocks"`
	Outdated  int            `json:"outdated"`
	Errors    map[string]int `json:"errors,omitempty"`  // of clients, others than those, by number
	Refused   map[string]int `json:"refused,omitempty"` // changes that were not done, by number
	Checked   int64          `json:"answers_checked"`
	Wrong     int            `json:"wrong_answers"`
	First     string         `json:"first_wrong_answer,omitempty"`
	Stall     float64        `json:"stall_ms"`        // in which no statement of any thread has ended
	OneStall  float64        `json:"stall_of_one_ms"` // the same, of the thread that has waited longest
}

// Layers measures, and fails if an answer is wrong or a client is told of an error that a
// plain server would not have told it of.
func Layers(ctx context.Context, o LayersOptions) (err error) {
	machine := thisMachine()
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
	l := &layersLoad{options: o, pids: []int{bed.server.PID}}
	for _, p := range tunics {
		l.pids = append(l.pids, p.PID)
		db, err := sql.Open("mysql", dsn(p.Addr, layersDatabase))
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // what matters was answered
		db.SetMaxIdleConns(o.Threads + 2)
		l.dbs = append(l.dbs, db)
	}
	fmt.Fprintf(o.Stderr, "filling %d tables with %s rows\n", o.Tables, grouped(float64(o.Rows)))
	if err := errors.Join(execute(ctx, tunics[0].Addr, "", "CREATE DATABASE "+layersDatabase), l.fill(ctx)); err != nil {
		return err
	}
	d := &LayersDocument{
		Format: LayersFormat, Started: time.Now().Truncate(time.Second), Tables: o.Tables, Rows: o.Rows, Threads: o.Threads, Seconds: o.Seconds,
		Changing: "equality layers of k and c",
		Machine:  machine, Versions: versions(ctx, bed, []string{targetProtected}), Commit: commitOf(o.TunicBinary),
	}
	if err := d.measure(ctx, l); err != nil {
		return err
	}
	return d.publish(o)
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
func (d *LayersDocument) measure(ctx context.Context, l *layersLoad) error {
	var ratios, cpu []float64
	if _, err := l.run(ctx, false, time.Second); err != nil { // for warmth
		return err
	}
	for round := range l.options.Rounds {
		var r LayersRound
		for half := range 2 {
			changing := half == (round+1)%2
			run, err := l.run(ctx, changing, time.Duration(l.options.Seconds)*time.Second)
			if err != nil {
				return err
			}
			into := &r.Quiet
			if changing {
				into = &r.Changing
			}
			*into = run
			fmt.Fprintf(l.options.Stderr, "round %d of %d, %s: %s\n", round+1, l.options.Rounds, halfName(changing), run.line())
		}
		d.Rounds = append(d.Rounds, r)
		ratios = append(ratios, r.Changing.TPS/r.Quiet.TPS)
		cpu = append(cpu, r.Quiet.CPU/r.Changing.CPU)
	}
	d.Ratio, d.CPURatio = newStat(ratios), newStat(cpu)
	return nil
}

func halfName(changing bool) string {
	if changing {
		return "changing"
	}
	return "quiet"
}

// line says in one line what a run has shown.
func (r *LayersRun) line() string {
	s := fmt.Sprintf("%.1f transactions/s, %.1f ms of CPU each, %d deadlocks, %d outdated, %s answers checked, longest stall %.0f ms (of one thread %.0f ms)",
		r.TPS, r.CPU, r.Deadlocks, r.Outdated, grouped(float64(r.Checked)), r.Stall, r.OneStall)
	s += fmt.Sprintf(", %d changes to their end", r.Changes)
	if r.Came+r.Unfinished > 0 {
		s += fmt.Sprintf(" (%d layers came, in %.1f s at most; %d went, in %.1f s; %d under way at the end)", r.Came, r.LongestCame, r.Went, r.LongestWent, r.Unfinished)
	}
	if len(r.Refused) > 0 {
		s += fmt.Sprintf(", changes refused %v", r.Refused)
	}
	if len(r.Errors) > 0 {
		s += fmt.Sprintf(", ERRORS %v", r.Errors)
	}
	if r.Wrong > 0 {
		s += fmt.Sprintf(", WRONG ANSWERS %d: %s", r.Wrong, r.First)
	}
	return s
}

// publish shows and writes the outcome.
func (d *LayersDocument) publish(o LayersOptions) error {
	base, err := writeResult(o.OutDir, "layers", d.Started, d)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(o.Stdout, "%s\nwritten: %s.json\n", d.table(), base); err != nil {
		return err
	}
	wrong, failed := 0, 0
	for i := range d.Rounds {
		for _, r := range []*LayersRun{&d.Rounds[i].Quiet, &d.Rounds[i].Changing} {
			wrong += r.Wrong
			for _, n := range r.Errors {
				failed += n
			}
		}
	}
	if wrong+failed > 0 {
		return fmt.Errorf("%d wrong answers, %d errors of clients", wrong, failed)
	}
	return nil
}

// table renders the document for a terminal.
func (d *LayersDocument) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "layers, %d tables of %s rows, %d threads through two tunics, %s; %s go up and down\n",
		d.Tables, grouped(float64(d.Rows)), d.Threads, d.Started.Format("2006-01-02 15:04 MST"), d.Changing)
	fmt.Fprintf(&b, "  machine   %s\n  software  %s, tunic %s\n\n", d.Machine, d.Versions["server"], d.Versions["tunic"])
	for i := range d.Rounds {
		fmt.Fprintf(&b, "round %d   quiet     %s\n          changing  %s\n", i+1, d.Rounds[i].Quiet.line(), d.Rounds[i].Changing.line())
	}
	if d.Ratio != nil {
		fmt.Fprintf(&b, "\nlayers come or gone to their end: %d quiet, %d changing\ntransactions while layers go up and down: %.2f of the quiet ones (%.2f to %.2f), by CPU %.2f (%.2f to %.2f)\n",
			d.changes(false), d.changes(true), d.Ratio.Median, d.Ratio.Min, d.Ratio.Max, d.CPURatio.Median, d.CPURatio.Min, d.CPURatio.Max)
	}
	return b.String()
}

// changes are those of all halves of one sort.
func (d *LayersDocument) changes(changing bool) (n int) {
	for i := range d.Rounds {
		half := &d.Rounds[i].Quiet
		if changing {
			half = &d.Rounds[i].Changing
		}
		n += half.Changes
	}
	return n
}

// run runs the load for a time, with changes beside it or not. What is under way when the
// time is over is given up, so that the next run begins without layers and without jobs.
func (l *layersLoad) run(ctx context.Context, changing bool, long time.Duration) (LayersRun, error) {
	before, err := processorTime(l.pids)
	if err != nil {
		return LayersRun{}, err
	}
	timed, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	l.begin()
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
	after, err := processorTime(l.pids)
	changes.Wait()
	r, broken := l.end(took)
	r.CPU = milliseconds(after-before) / max(r.TPS*took.Seconds(), 1)
	err = errors.Join(err, broken)
	if changing {
		err = errors.Join(err, l.clear(ctx))
	}
	return r, err
}

// processorTime is the processor time that processes have used.
func processorTime(pids []int) (sum time.Duration, err error) {
	for _, pid := range pids {
		used, err := sandbox.CPU(pid)
		if err != nil {
			return 0, err
		}
		sum += used
	}
	return sum, nil
}
