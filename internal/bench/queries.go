package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"tunic/internal/bench/queries"
	"tunic/internal/sandbox"
)

// QueriesFormat is DocumentFormat for a QueriesDocument.
const QueriesFormat = "tunic-bench-queries/1"

// QueriesOptions say how single queries are measured.
type QueriesOptions struct {
	Set         queries.Set
	Rows        int // of the set's largest table
	Rounds      int
	TunicBinary string
	TunicArgs   []string // more flags of the tunic that protects
	OutDir      string
	Stdout      io.Writer // the table
	Stderr      io.Writer // progress
	ProcessLog  io.Writer // what the servers and tunic print; may be nil
}

// QueriesDocument is the outcome: each question asked of a plain server and through
// tunic of protected tables, in turns.
type QueriesDocument struct {
	Format      string            `json:"format"`
	Set         string            `json:"set"`
	Started     time.Time         `json:"started"`
	Rows        int               `json:"rows"`
	Rounds      int               `json:"rounds"`
	Machine     Machine           `json:"machine"`
	Versions    map[string]string `json:"versions"`
	Commit      string            `json:"commit"`
	ServerFlags []string          `json:"server_flags"`
	RSSPeak     float64           `json:"hop_rss_peak_mb"` // MiB, of tunic while it was asked
	Questions   []QuestionCost    `json:"questions"`
}

// QuestionCost is what one question took.
type QuestionCost struct {
	queries.Question
	Failed    string  `json:"failed,omitempty"`
	Plain     *Stat   `json:"plain_ms,omitempty"`
	Protected *Stat   `json:"protected_ms,omitempty"`
	Ratio     *Stat   `json:"ratio,omitempty"` // of the two, in each round
	HopCPU    float64 `json:"hop_cpu_ms"`      // of tunic, each time
	ServerCPU float64 `json:"server_cpu_ms"`   // of the server with protected tables, each time
	PlainCPU  float64 `json:"plain_cpu_ms"`    // of the plain server, each time
}

// queriesFlags are serverFlags with room for a million protected rows: they take half a
// gigabyte as they are filled, their primary key being in no order.
var queriesFlags = append(slices.Clone(serverFlags), "--innodb-buffer-pool-size=2G")

// Queries measures a set and shows what came of it. It fails if a question has another
// answer through tunic.
func Queries(ctx context.Context, o QueriesOptions) (err error) {
	machine := thisMachine()
	bed, err := openBed(ctx, o.TunicBinary, o.ProcessLog, queriesFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.close()) }()
	server, err := bed.startServer(ctx)
	if err != nil {
		return err
	}
	bed.others = append(bed.others, server)
	proc, err := sandbox.StartTunic(ctx, sandbox.TunicOptions{Binary: o.TunicBinary, Backend: server.Addr, Protect: true, Args: o.TunicArgs, Log: o.ProcessLog})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, proc.Stop()) }()
	d := &QueriesDocument{
		Format: QueriesFormat, Set: o.Set.Name, Started: time.Now().Truncate(time.Second), Rows: o.Rows, Rounds: o.Rounds,
		Machine: machine, Versions: versions(ctx, bed, []string{targetProtected}), Commit: commitOf(o.TunicBinary), ServerFlags: queriesFlags,
	}
	m := &questioner{options: o, document: d, plain: side{addr: bed.server.Addr, server: bed.server.PID}, protected: side{addr: proc.Addr, hop: proc.PID, server: server.PID}}
	if err := m.measure(ctx); err != nil {
		return err
	}
	return d.publish(o)
}

// questioner asks.
type questioner struct {
	options          QueriesOptions
	document         *QueriesDocument
	plain, protected side
}

// side is where questions are asked.
type side struct {
	addr        string
	hop, server int // process ids
	conn        *sql.Conn
}

// queriesDatabase is where the tables are.
const queriesDatabase = "queries"

func (q *questioner) measure(ctx context.Context) error {
	for _, s := range [...]*side{&q.plain, &q.protected} {
		fmt.Fprintf(q.options.Stderr, "filling the tables of %s with %s rows at %s\n", q.options.Set.Name, grouped(float64(q.options.Rows)), s.addr)
		if err := execute(ctx, s.addr, "", "CREATE DATABASE "+queriesDatabase); err != nil {
			return err
		}
		db, err := sql.Open("mysql", dsn(s.addr, queriesDatabase))
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // what matters was answered
		if s.conn, err = db.Conn(ctx); err != nil {
			return err
		}
		if err := q.options.Set.Load(ctx, s.conn, q.options.Rows); err != nil {
			return fmt.Errorf("%s: %w", s.addr, err)
		}
	}
	for i := range q.options.Set.Questions {
		cost := q.ask(ctx, &q.options.Set.Questions[i])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.document.Questions = append(q.document.Questions, cost)
		fmt.Fprintln(q.options.Stderr, cost.line())
	}
	return nil
}

// ask asks a question in turns: once for warmth, then in every round of both sides, of
// which each comes first in every other one.
func (q *questioner) ask(ctx context.Context, of *queries.Question) QuestionCost {
	cost := QuestionCost{Question: *of}
	var plain, protected, ratios []float64
	var used [3]time.Duration
	for round := range q.options.Rounds + 1 {
		sides := [2]*side{&q.plain, &q.protected}
		var answers [2]*queries.Answer
		for i := range sides {
			at := (i + round) % len(sides)
			answer, m, err := sides[at].ask(ctx, of)
			if err != nil {
				cost.Failed = err.Error()
				return cost
			}
			answers[at] = answer
			if round == 0 {
				continue
			}
			if at == 0 {
				used[2] += m.serverCPU
			} else {
				used[0], used[1] = used[0]+m.hopCPU, used[1]+m.serverCPU
			}
			for _, bytes := range m.hopRSS {
				q.document.RSSPeak = max(q.document.RSSPeak, float64(bytes)/bytesPerMiB)
			}
		}
		if !answers[0].Same(answers[1]) {
			cost.Failed = "the answers differ"
			return cost
		}
		if round > 0 {
			a, b := milliseconds(answers[0].Took), milliseconds(answers[1].Took)
			plain, protected, ratios = append(plain, a), append(protected, b), append(ratios, b/a)
		}
	}
	cost.Plain, cost.Protected, cost.Ratio = newStat(plain), newStat(protected), newStat(ratios)
	rounds := float64(q.options.Rounds)
	cost.HopCPU, cost.ServerCPU, cost.PlainCPU = milliseconds(used[0])/rounds, milliseconds(used[1])/rounds, milliseconds(used[2])/rounds
	return cost
}

func (s *side) ask(ctx context.Context, of *queries.Question) (*queries.Answer, *meter, error) {
	m := &meter{hop: s.hop, server: s.server}
	m.start()
	answer, err := of.Ask(ctx, s.conn)
	m.stop()
	return answer, m, errors.Join(err, m.err)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// line says in one line what a question took.
func (c *QuestionCost) line() string {
	if c.Failed != "" {
		return c.Name + ": FAILED: " + c.Failed
	}
	return fmt.Sprintf("%s: %.1f ms plain, %.1f ms protected, × %.2f", c.Name, c.Plain.Median, c.Protected.Median, c.Ratio.Median)
}

// publish shows and writes the outcome.
func (d *QueriesDocument) publish(o QueriesOptions) error {
	base, err := writeResult(o.OutDir, "queries-"+d.Set, d.Started, d)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(o.Stdout, "%s\nwritten: %s.json\n", d.table(), base); err != nil {
		return err
	}
	failed := 0
	for i := range d.Questions {
		if d.Questions[i].Failed != "" {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d questions failed; the table names them", failed, len(d.Questions))
	}
	return nil
}

// table renders the document for a terminal.
func (d *QueriesDocument) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "queries, %s of %s rows, %s; medians of %d rounds in turns\n", d.Set, grouped(float64(d.Rows)), d.Started.Format("2006-01-02 15:04 MST"), d.Rounds)
	fmt.Fprintf(&b, "  machine   %s\n  software  %s, tunic %s\n  memory    tunic's RSS at most %.0f MiB\n\n", d.Machine, d.Versions["server"], d.Versions["tunic"], d.RSSPeak)
	lines := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(lines, "question\tplain ms\tprotected ms\tratio\t\tCPU ms of tunic\tserver\tplain server\t")
	for i := range d.Questions {
		c := &d.Questions[i]
		if c.Failed != "" {
			fmt.Fprintf(lines, "%s\tFAILED\t\t\t\t\t\t\t\n", c.Name)
			continue
		}
		fmt.Fprintf(lines, "%s\t%.1f\t%.1f\t%.2f\t±%.0f %%\t%.1f\t%.1f\t%.1f\t\n", c.Name, c.Plain.Median, c.Protected.Median,
			c.Ratio.Median, 100*c.Ratio.Spread(), c.HopCPU, c.ServerCPU, c.PlainCPU)
	}
	_ = lines.Flush() // into memory
	for i := range d.Questions {
		if c := &d.Questions[i]; c.Failed != "" {
			fmt.Fprintf(&b, "%s: %s\n", c.Name, c.Failed)
		}
	}
	return b.String()
}
