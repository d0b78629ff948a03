package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tunic/internal/bench/queries"
)

// QueriesOptions say how single queries are measured: each question is asked of a plain
// server and through tunic of protected tables, in turns.
type QueriesOptions struct {
	Name        string // of the document
	Command     string // that measures the same again
	Set         queries.Set
	Sizes       []int // rows of the set's largest table, one after the other
	Rounds      int
	AskedFor    time.Duration // how long a question is asked again and again in one measurement; 0 for once
	TunicBinary string
	OutDir      string
	Stdout      io.Writer // the table
	Stderr      io.Writer // progress
	ProcessLog  io.Writer // what the servers and tunic print; may be nil
}

func (o *QueriesOptions) check() error {
	if o.Rounds < 1 {
		return fmt.Errorf("rounds is %d; it must be at least 1", o.Rounds)
	}
	if len(o.Sizes) == 0 || slices.Min(o.Sizes) < queriesRowsLeast {
		return fmt.Errorf("rows are %v; each must be at least %d", o.Sizes, queriesRowsLeast)
	}
	if n := firstRepeated(o.Sizes); n != 0 {
		return fmt.Errorf("%d rows are named twice", n)
	}
	return nil
}

// queriesRowsLeast is what every question finds a row in.
const queriesRowsLeast = 200

// queriesFlags are serverFlags with room for a million protected rows: they take half a
// gigabyte as they are filled, their primary key being in no order.
var queriesFlags = append(slices.Clone(serverFlags), "--innodb-buffer-pool-size=2G")

// Queries measures a set and shows what came of it. It fails if a question has another
// answer through tunic.
func Queries(ctx context.Context, o QueriesOptions) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	machine := thisMachine()
	bed, err := openBed(ctx, o.TunicBinary, o.ProcessLog, queriesFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.close()) }()
	protected, err := openProtected(ctx, bed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, protected.close()) }()
	d := o.newDocument(ctx, machine, bed)
	q := &questioner{options: o, document: d, sides: [2]*side{
		{target: targetDirect, addr: bed.server.Addr, server: bed.server.PID},
		{target: targetProtected, addr: protected.addr, hop: protected.pid(), server: protected.server.PID},
	}}
	err = q.measure(ctx)
	d.Complete = err == nil
	d.Seconds = time.Since(d.Started).Round(time.Second).Seconds()
	d.summarise()
	if len(d.Cells) == 0 {
		return err
	}
	return errors.Join(err, d.publish(o.OutDir, o.Stdout), d.failures())
}

func (o *QueriesOptions) newDocument(ctx context.Context, m Machine, bed *bed) *Document {
	d := &Document{
		Format: DocumentFormat, Name: o.Name, Command: o.Command, Started: time.Now().Truncate(time.Second),
		Machine: m, Versions: versions(ctx, bed, []string{targetProtected}), Commit: commitOf(o.TunicBinary), ServerFlags: queriesFlags,
		Settings: Settings{
			Targets: []string{targetDirect, targetProtected}, PSModes: []string{questionMode}, Threads: []int{1}, Rounds: o.Rounds, Sizes: o.Sizes,
			AskedMs: int(o.AskedFor / time.Millisecond),
		},
	}
	for _, question := range o.Set.Questions {
		d.Settings.Workloads = append(d.Settings.Workloads, question.Name)
	}
	return d
}

// questionMode is how questions are sent: as text.
const questionMode = "disable"

// questioner asks.
type questioner struct {
	options  QueriesOptions
	document *Document
	sides    [2]*side
}

// side is where questions are asked.
type side struct {
	target      string
	addr        string
	hop, server int // process ids
	conn        *sql.Conn
}

// measure asks everything over tables of one size after the other.
func (q *questioner) measure(ctx context.Context) error {
	for _, size := range q.options.Sizes {
		if err := q.measureSize(ctx, size); err != nil {
			return err
		}
	}
	return nil
}

func (q *questioner) measureSize(ctx context.Context, size int) error {
	for _, s := range q.sides {
		_, _ = fmt.Fprintf(q.options.Stderr, "filling the tables of %s with %s rows, %s\n", q.options.Set.Name, grouped(float64(size)), s.target)
		db, err := s.fill(ctx, q.options.Set, size)
		if err != nil {
			return fmt.Errorf("%s: %w", s.target, err)
		}
		defer db.Close() //nolint:errcheck // what matters was answered
	}
	for i := range q.options.Set.Questions {
		c := Case{Workload: q.options.Set.Questions[i].Name, PSMode: questionMode, Threads: 1, Rows: size}
		q.ask(ctx, c, &q.options.Set.Questions[i])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.document.summarise()
		_, _ = fmt.Fprintln(q.options.Stderr, q.document.questionLine(c))
	}
	return nil
}

// fill makes a database with the tables of a size, and leaves the side's connection in
// it.
func (s *side) fill(ctx context.Context, set queries.Set, size int) (*sql.DB, error) {
	database := fmt.Sprintf("queries_%d", size)
	if err := execute(ctx, s.addr, "", "CREATE DATABASE "+database); err != nil {
		return nil, err
	}
	db, err := sql.Open("mysql", dsn(s.addr, database))
	if err != nil {
		return nil, err
	}
	if s.conn, err = db.Conn(ctx); err == nil {
		err = set.Load(ctx, s.conn, size)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// ask asks a question in turns: once for warmth, then in every round of both sides, of
// which each comes first in every other one. Answers that differ are a failure.
func (q *questioner) ask(ctx context.Context, c Case, of *queries.Question) {
	for round := range q.options.Rounds + 1 {
		var answers [2]*queries.Answer
		var runs [2]Run
		asked := q.options.AskedFor
		if round == warmUp {
			asked = 0
		}
		for i := range q.sides {
			at := (i + round) % len(q.sides)
			answers[at], runs[at] = q.sides[at].ask(ctx, of, round, asked)
		}
		if runs[0].Failed == "" && runs[1].Failed == "" && !answers[0].Same(answers[1]) {
			runs[1] = failedRun(round, errors.New("the answers differ"))
		}
		failed := runs[0].Failed != "" || runs[1].Failed != ""
		for at, s := range q.sides {
			if round != warmUp || failed {
				q.document.add(step{Case: c, Target: s.target}, runs[at])
			}
		}
		if failed || ctx.Err() != nil {
			return
		}
	}
}

// ask asks a question for as long, and once at least.
func (s *side) ask(ctx context.Context, of *queries.Question, round int, asked time.Duration) (answer *queries.Answer, r Run) {
	m := &meter{hop: s.hop, server: s.server}
	var took []time.Duration
	var err error
	m.start()
	began := time.Now()
	for err == nil && (len(took) == 0 || time.Since(began) < asked) {
		if answer, err = of.Ask(ctx, s.conn); err == nil {
			took = append(took, answer.Took)
		}
	}
	m.stop()
	if err = errors.Join(err, m.err); err != nil {
		return nil, failedRun(round, err)
	}
	return answer, newRun(round, latencies(took), m)
}

// latencies is what answers one after the other come to.
func latencies(took []time.Duration) report {
	total, n := time.Duration(0), len(took)
	for _, t := range took {
		total += t
	}
	r := report{Transactions: int64(n), Queries: int64(n), TotalSeconds: total.Seconds()}
	r.TPS = float64(n) / max(r.TotalSeconds, 1e-9)
	r.QPS = r.TPS
	r.latencies(took, total)
	return r
}

// latencies fills in those of a report, and sorts them.
func (r *report) latencies(all []time.Duration, total time.Duration) {
	slices.Sort(all)
	n := len(all)
	r.AverageMs = milliseconds(total / time.Duration(n))
	r.P95Ms = milliseconds(all[(n*95+99)/100-1])
	r.MaximumMs = milliseconds(all[n-1])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
