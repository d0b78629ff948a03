package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/bench/page"
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
	Threads     int           // clients that ask at the same time
	Profile     bool          // a CPU profile of tunic is taken of each question
	Values      bool          // single values are measured first, before there are servers
	AskedFor    time.Duration // how long a question is asked again and again in one measurement; 0 for once
	AtMost      time.Duration // how long an answer may take; 0 for ten minutes
	TunicBinary string
	Another     bool // TunicBinary is not this program, and may lack what this one has
	OutDir      string
	Stdout      io.Writer // the table
	Stderr      io.Writer // progress
	ProcessLog  io.Writer // what the servers and tunic print; may be nil
}

func (o *QueriesOptions) check() error {
	if o.Rounds < 1 {
		return fmt.Errorf("rounds is %d; it must be at least 1", o.Rounds)
	}
	if o.Threads < 1 || o.Threads > threadsMax {
		return fmt.Errorf("threads is %d; it must be between 1 and %d", o.Threads, threadsMax)
	}
	if o.AskedFor < 0 {
		return fmt.Errorf("a question cannot be asked for %s", o.AskedFor)
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
	machine := meter.AtStart()
	var values []document.Cell
	var skipped string
	if o.Values {
		_, _ = fmt.Fprintln(o.Stderr, "measuring single values")
		if values, skipped, err = o.valueCells(ctx); err != nil {
			return err
		}
	}
	bed, err := openBed(ctx, o.TunicBinary, o.ProcessLog, queriesFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.close()) }()
	bed.profile = o.Profile
	protected, err := openProtected(ctx, bed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, protected.close()) }()
	d := o.newDocument(ctx, machine, bed)
	d.Cells = values
	if skipped != "" {
		d.Skipped = []string{skipped}
	}
	q := &questioner{options: o, document: d, sides: [2]*side{
		{target: document.TargetDirect, addr: bed.server.Addr, stored: bed.server.Addr, server: bed.server.PID},
		{
			target: document.TargetProtected, addr: protected.addr, stored: protected.server.Addr, admin: protected.admin,
			hop: protected.pid(), server: protected.server.PID,
		},
	}}
	return finishDocument(d, q.measure(ctx), o.OutDir, o.Stdout)
}

func (o *QueriesOptions) newDocument(ctx context.Context, m meter.Machine, bed *bed) *document.Document {
	d := &document.Document{
		Format: document.Format, Name: o.Name, Command: o.Command, Started: time.Now().Truncate(time.Second),
		Machine: m, Versions: versions(ctx, bed, []string{document.TargetProtected}), Commit: meter.CommitOf(o.TunicBinary), ServerFlags: queriesFlags,
		Settings: document.Settings{
			Targets: []string{document.TargetDirect, document.TargetProtected}, PSModes: []string{matrix.QuestionMode}, Threads: []int{o.Threads}, Rounds: o.Rounds, Sizes: o.Sizes,
			AskedMs: int(o.AskedFor / time.Millisecond), Profile: o.Profile,
		},
	}
	for _, question := range o.Set.Questions {
		d.Settings.Workloads = append(d.Settings.Workloads, question.Name)
	}
	return d
}

// questioner asks.
type questioner struct {
	options  QueriesOptions
	document *document.Document
	sides    [2]*side
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
		_, _ = fmt.Fprintf(q.options.Stderr, "filling the tables of %s with %s rows, %s\n", q.options.Set.Name, figure.Grouped(float64(size)), s.target)
		defer s.close() //nolint:errcheck // what matters was answered
		if err := s.fill(ctx, q.options.Set, size, q.options.Threads); err != nil {
			return fmt.Errorf("%s: %w", s.target, err)
		}
	}
	if err := q.measureStorage(ctx, size); err != nil {
		return err
	}
	for _, question := range q.options.Set.At(size) {
		c := document.Case{Workload: question.Name, PSMode: matrix.QuestionMode, Threads: q.options.Threads, Rows: size}
		q.ask(ctx, c, &question)
		if q.options.Profile {
			q.profile(ctx, c, &question)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.document.Summarise()
		_, _ = fmt.Fprintln(q.options.Stderr, page.QuestionLine(q.document, c))
	}
	return nil
}

// measureStorage asks both servers for the room of the tables of a size, instead of those of
// the size before.
func (q *questioner) measureStorage(ctx context.Context, size int) error {
	q.document.Storage = nil
	for _, s := range q.sides {
		stored, err := storageOf(ctx, s.stored, questionsDatabase(size))
		if err != nil {
			return fmt.Errorf("measure the room of the tables, %s: %w", s.target, err)
		}
		stored.Target = s.target
		q.document.Storage = append(q.document.Storage, stored)
	}
	return nil
}

// questionsDatabase is where the tables of a size are.
func questionsDatabase(size int) string { return fmt.Sprintf("queries_%d", size) }

// fill makes a database with the tables of a size, and leaves as many connections in it as
// there are clients, also if it fails.
func (s *side) fill(ctx context.Context, set queries.Set, size, clients int) (err error) {
	database := questionsDatabase(size)
	if err := execute(ctx, s.addr, "", "CREATE DATABASE "+database); err != nil {
		return err
	}
	if s.db, err = sql.Open("mysql", dsn(s.addr, database)); err != nil {
		return err
	}
	s.clients = make([]*asker, clients)
	for i := range s.clients {
		s.clients[i] = &asker{}
		if err == nil {
			err = s.clients[i].open(ctx, s.db)
		}
	}
	if err != nil {
		return err
	}
	return set.Load(ctx, s.clients[0].conn, size)
}

// close ends the connections of a size: each client's as well, which a closed DB leaves open.
func (s *side) close() (err error) {
	for _, c := range s.clients {
		err = errors.Join(err, c.close())
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
	s.clients, s.db = nil, nil
	return err
}

// latencies is what the answers come to of clients that ask one after the other each.
func latencies(took []time.Duration, clients int) report {
	total, n := time.Duration(0), len(took)
	for _, t := range took {
		total += t
	}
	r := report{Transactions: int64(n), Queries: int64(n), TotalSeconds: total.Seconds() / float64(clients)}
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
