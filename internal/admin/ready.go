package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// readyTimeout is how long the database may take to answer for tunic to
	// count as ready.
	readyTimeout = 2 * time.Second
	// readyFresh is how long an answer holds. Probes of several balancers then
	// cost the database one question a second at most.
	readyFresh = time.Second
)

// errSlow is the answer of a database that does not answer.
var errSlow = fmt.Errorf("the database server did not answer within %v", readyTimeout)

// errDraining is the answer while tunic ends.
var errDraining = errors.New("draining")

// readyPage is /readyz.
type readyPage struct {
	draining func() bool
	ready    *cached
}

// ServeHTTP implements [http.Handler].
func (p *readyPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := p.why(r.Context()); err != nil {
		plain(w, http.StatusServiceUnavailable, "not ready: "+err.Error()+"\n")
		return
	}
	plain(w, http.StatusOK, "ready\n")
}

// why is why no client would be served now, nil if one would.
func (p *readyPage) why(ctx context.Context) error {
	if p.draining() {
		return errDraining
	}
	return p.ready.ask(ctx)
}

// cached asks a question of which the answer holds for a while. Those who ask
// while it is being answered wait for that answer.
type cached struct {
	question func(context.Context) error
	// turn holds one token: who has it may read and write the fields below.
	turn     chan struct{}
	answer   error
	answered time.Time
}

func newCached(question func(context.Context) error) *cached {
	return &cached{question: question, turn: make(chan struct{}, 1)}
}

// ask gives the answer, or the context's error if it ends while another asks.
// The question itself outlives a probe that hangs up, so that impatient probes
// cannot ask it over and over.
func (c *cached) ask(ctx context.Context) error {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-c.turn }()
	if !c.answered.IsZero() && time.Since(c.answered) < readyFresh {
		return c.answer
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
	defer cancel()
	c.answer = c.question(limited)
	if errors.Is(c.answer, context.DeadlineExceeded) {
		c.answer = errSlow
	}
	c.answered = time.Now()
	return c.answer
}
