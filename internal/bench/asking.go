package bench

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"

	"tunic/internal/bench/queries"
)

// side is where questions are asked.
type side struct {
	target      string
	addr        string
	stored      string      // the address of its server
	admin       string      // where tunic answers for profiles; "" if it does not
	hop, server int         // process ids
	conns       []*sql.Conn // a client has one each
}

// ask asks a question in turns: once for warmth, then in every round of both sides, of
// which each comes first in every other one. Answers that differ are a failure.
func (q *questioner) ask(ctx context.Context, c Case, of *queries.Question) {
	for round := range q.options.Rounds + 1 {
		var answers [2][]*queries.Answer
		var runs [2]Run
		asked := q.options.AskedFor
		if round == warmUp {
			asked = 0
		}
		for i := range q.sides {
			at := (i + round) % len(q.sides)
			answers[at], runs[at] = q.sides[at].ask(ctx, of, round, asked, nil)
		}
		if runs[0].Failed == "" && runs[1].Failed == "" && !queries.Alike(slices.Concat(answers[0], answers[1])) {
			runs[1] = failedRun(round, errors.New("the answers differ"))
		}
		if ctx.Err() != nil { // what that made of a question is no failure of it
			return
		}
		failed := runs[0].Failed != "" || runs[1].Failed != ""
		for at, s := range q.sides {
			if round != warmUp || failed {
				q.document.add(step{Case: c, Target: s.target}, runs[at])
			}
		}
		if failed {
			return
		}
	}
}

// ask has all clients ask a question for as long, and once at least. The answers are the
// last of each.
func (s *side) ask(ctx context.Context, of *queries.Question, round int, asked time.Duration, p *profiling) ([]*queries.Answer, Run) {
	m := &meter{hop: s.hop, server: s.server, profile: p}
	clients := make([]asker, len(s.conns))
	m.start()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { clients[i].ask(ctx, of, s.conns[i], asked) })
	}
	all.Wait()
	m.stop()
	err := m.err
	var answers []*queries.Answer
	var took []time.Duration
	for _, c := range clients {
		answers, took, err = append(answers, c.answer), append(took, c.took...), errors.Join(err, c.err)
	}
	if err != nil {
		return nil, failedRun(round, err)
	}
	return answers, newRun(round, latencies(took, len(clients)), m)
}

// asker is what a client was answered.
type asker struct {
	answer *queries.Answer // the last
	took   []time.Duration
	err    error
}

func (a *asker) ask(ctx context.Context, of *queries.Question, conn *sql.Conn, asked time.Duration) {
	for began := time.Now(); a.err == nil && (len(a.took) == 0 || time.Since(began) < asked); {
		if a.answer, a.err = of.Ask(ctx, conn); a.err == nil {
			a.took = append(a.took, a.answer.Took)
		}
	}
}

// askedInProfile is how long a question is asked while tunic is profiled, at least: of a
// second there are a hundred samples, if tunic has all of it.
const askedInProfile = 3 * time.Second

// profile asks a question of protected tables once more while tunic is profiled. What fails
// is told, and no failure of the question.
func (q *questioner) profile(ctx context.Context, c Case, of *queries.Question) {
	cell := q.document.cell(c, targetProtected)
	if cell == nil || cell.failed() {
		return
	}
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	side := q.sides[1]
	long := max(q.options.AskedFor, askedInProfile)
	p := newProfiling(asking, side.admin, long)
	_, outcome := side.ask(ctx, of, profiled, long, p)
	if outcome.Failed == "" {
		if err := q.document.keepProfile(q.options.OutDir, cell, p); err != nil {
			outcome = failedRun(profiled, err)
		}
	}
	if outcome.Failed != "" && ctx.Err() == nil {
		q.document.withoutProfile(c, side.target, outcome.Failed)
	}
}
