package tpcc

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Options say how many terminals there are and how long they work.
type Options struct {
	Scale     Scale
	Seed      uint64
	Terminals int
	Mode      Mode

	// Transactions is how many each terminal carries out; with 0 they go on for as long as
	// For says, from the moment that all are connected, and without either until the context
	// that Drive is given ends.
	Transactions int
	For          time.Duration

	// Ready is called once every terminal has its connection, and Done once the last one has
	// ended its work, before prepared statements and connections are given back; either may
	// be nil.
	Ready, Done func()
}

// Result is what the terminals have done.
type Result struct {
	Latencies  [Kinds][]time.Duration // of each transaction of a kind, retries included
	RolledBack int                    // New-Orders, by the client
	Retries    int                    // after deadlocks and lock timeouts
	Statements int
	Took       time.Duration // from when all were connected to the end of the last one's work
}

// Total is the number of transactions.
func (r *Result) Total() int {
	total := 0
	for _, took := range r.Latencies {
		total += len(took)
	}
	return total
}

func (r *Result) add(o Outcome, took time.Duration) {
	r.Latencies[o.Kind] = append(r.Latencies[o.Kind], took)
	r.Retries += o.Retries
	if o.RolledBack {
		r.RolledBack++
	}
}

func (r *Result) merge(other *Result) {
	for kind, took := range other.Latencies {
		r.Latencies[kind] = append(r.Latencies[kind], took...)
	}
	r.RolledBack += other.RolledBack
	r.Retries += other.Retries
	r.Statements += other.Statements
}

// Drive lets the terminals work until each has done its transactions, the time is over or
// the context ends, which is no error; transactions under way are then rolled back. The
// first error of a terminal ends all.
func Drive(ctx context.Context, db *sql.DB, o Options) (*Result, error) {
	if err := o.Scale.check(); err != nil {
		return nil, err
	}
	terminals, err := connect(ctx, db, o)
	defer func() {
		for _, t := range terminals {
			_ = t.Close()
			_ = t.conn.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	if o.Ready != nil {
		o.Ready()
	}
	r, err := driveAll(ctx, terminals, o)
	if o.Done != nil {
		o.Done()
	}
	return r, err
}

func connect(ctx context.Context, db *sql.DB, o Options) ([]*Terminal, error) {
	var terminals []*Terminal
	for number := range o.Terminals {
		conn, err := db.Conn(ctx)
		if err != nil {
			return terminals, fmt.Errorf("tpcc: connect terminal %d: %w", number, err)
		}
		terminals = append(terminals, NewTerminal(conn, o.Scale, o.Seed, number, o.Mode, nil))
	}
	return terminals, nil
}

func driveAll(ctx context.Context, terminals []*Terminal, o Options) (*Result, error) {
	started := time.Now()
	if o.For > 0 {
		timed, cancel := context.WithDeadline(ctx, started.Add(o.For))
		defer cancel()
		ctx = timed
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]Result, len(terminals))
	var all sync.WaitGroup
	for i, t := range terminals {
		all.Go(func() {
			if err := t.drive(ctx, o.Transactions, &results[i]); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	total := &Result{Took: time.Since(started)}
	for i := range results {
		total.merge(&results[i])
	}
	if cause := context.Cause(ctx); cause != nil && !isEnd(cause) {
		return total, cause
	}
	return total, nil
}

func isEnd(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// drive returns no error of a transaction that the end of the context has cut off.
func (t *Terminal) drive(ctx context.Context, transactions int, r *Result) (err error) {
	for n := 0; ctx.Err() == nil && err == nil && (transactions == 0 || n < transactions); n++ {
		started := time.Now()
		var o Outcome
		if o, err = t.Next(ctx); err == nil {
			r.add(o, time.Since(started))
		}
	}
	r.Statements = t.statements
	if ctx.Err() != nil {
		err = nil
	}
	return err
}
