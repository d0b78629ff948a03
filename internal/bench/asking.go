package bench

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/bench/queries"
)

// side is where questions are asked.
type side struct {
	target      string
	addr        string
	stored      string // the address of its server
	admin       string // where tunic answers for profiles; "" if it does not
	hop, server int    // process ids

	db      *sql.DB // of the tables of a size
	clients []*asker
}

// ask asks a question in turns: once for warmth, then in every round of both sides, of
// which each comes first in every other one. An answer that differs from any other of the
// question is a failure.
func (q *questioner) ask(ctx context.Context, c document.Case, of *queries.Question) {
	var all []*queries.Answer
	for round := range q.options.Rounds + 1 {
		var runs [2]document.Run
		asked := q.options.AskedFor
		if round == matrix.WarmUp {
			asked = 0
		}
		for i := range q.sides {
			at := (i + round) % len(q.sides)
			var answers []*queries.Answer
			answers, runs[at] = q.sides[at].ask(ctx, q.limited(of, asked), round, nil)
			all = append(all, answers...)
		}
		if runs[0].Failed == "" && runs[1].Failed == "" && !queries.Alike(all) {
			runs[1] = document.FailedRun(round, errors.New("the answers differ"))
		}
		if ctx.Err() != nil { // what that made of a question is no failure of it
			return
		}
		failed := runs[0].Failed != "" || runs[1].Failed != ""
		for at, s := range q.sides {
			if round != matrix.WarmUp || failed {
				q.document.Add(c, s.target, runs[at])
			}
		}
		if failed {
			return
		}
		all = all[:1] // that the others are like
	}
}

// asking is a question, how long it is asked again and again, and how long an answer may take.
type asking struct {
	of     *queries.Question
	long   time.Duration
	atMost time.Duration
}

func (q *questioner) limited(of *queries.Question, long time.Duration) asking {
	return asking{of: of, long: long, atMost: cmp.Or(q.options.AtMost, answerAtMost)}
}

// answerAtMost is how long an answer may take unless another time is said.
const answerAtMost = 10 * time.Minute

// ask has all clients ask a question for as long, and once at least.
func (s *side) ask(ctx context.Context, a asking, round int, p *meter.Profiling) ([]*queries.Answer, document.Run) {
	m := &meter.Meter{Hop: s.hop, Server: s.server, Profile: p}
	for _, c := range s.clients {
		if err := c.open(ctx, s.db); err != nil {
			return nil, document.FailedRun(round, err)
		}
	}
	m.Start()
	var all sync.WaitGroup
	for _, c := range s.clients {
		all.Go(func() { c.ask(ctx, a) })
	}
	all.Wait()
	m.Stop()
	err := m.Err
	var answers []*queries.Answer
	var took []time.Duration
	for _, c := range s.clients {
		answers, err = append(answers, c.answers...), errors.Join(err, c.err)
		if c.err != nil {
			c.giveUp(ctx, s.db)
		}
	}
	if err != nil {
		return nil, document.FailedRun(round, err)
	}
	for _, answer := range answers {
		took = append(took, answer.Took)
	}
	return answers, newRun(round, latencies(took, len(s.clients)), m)
}

// asker is a client, and what it was answered.
type asker struct {
	conn    *sql.Conn // nil before it is opened, and once it has failed
	number  int64     // the server's, of the connection
	reader  queries.Reader
	answers []*queries.Answer
	err     error
}

// open connects a client that is not.
func (c *asker) open(ctx context.Context, db *sql.DB) (err error) {
	if c.conn != nil {
		return nil
	}
	if c.conn, err = db.Conn(ctx); err != nil {
		c.conn = nil
		return err
	}
	return c.conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&c.number)
}

func (c *asker) close() error {
	if c.conn == nil {
		return nil
	}
	err := c.conn.Close()
	c.conn = nil
	return err
}

// giveUp ends a connection that has failed. What it has asked may be under way still,
// beside which nothing else is to be measured.
func (c *asker) giveUp(ctx context.Context, db *sql.DB) {
	_ = c.close()
	_, _ = db.ExecContext(ctx, fmt.Sprintf("KILL %d", c.number))
}

func (c *asker) ask(ctx context.Context, a asking) {
	c.answers, c.err = nil, nil
	for began := time.Now(); c.err == nil && (len(c.answers) == 0 || time.Since(began) < a.long); {
		c.err = c.askOnce(ctx, a)
	}
}

func (c *asker) askOnce(ctx context.Context, a asking) error {
	limited, cancel := context.WithTimeoutCause(ctx, a.atMost, fmt.Errorf("not answered within %s", a.atMost))
	defer cancel()
	answer, err := c.reader.Ask(limited, c.conn, a.of)
	switch {
	case err != nil && limited.Err() != nil:
		return context.Cause(limited)
	case err != nil:
		return err
	}
	c.answers = append(c.answers, answer)
	return nil
}

// askedInProfile is how long a question is asked while tunic is profiled, at least: of a
// second there are a hundred samples, if tunic has all of it.
const askedInProfile = 3 * time.Second

// profile asks a question of protected tables once more while tunic is profiled. What fails
// is told, and no failure of the question.
func (q *questioner) profile(ctx context.Context, c document.Case, of *queries.Question) {
	cell := q.document.Cell(c, document.TargetProtected)
	if cell == nil || cell.Failed() {
		return
	}
	profiling, cancel := context.WithCancel(ctx)
	defer cancel()
	side := q.sides[1]
	long := max(q.options.AskedFor, askedInProfile)
	p := meter.NewProfiling(profiling, side.admin, long)
	_, outcome := side.ask(ctx, q.limited(of, long), matrix.Profiled, p)
	if outcome.Failed == "" {
		if err := keepProfile(q.document, q.options.OutDir, cell, p); err != nil {
			outcome = document.FailedRun(matrix.Profiled, err)
		}
	}
	if outcome.Failed != "" && ctx.Err() == nil {
		withoutProfile(q.document, c, side.target, outcome.Failed)
	}
}
