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

	// Transactions is how many each terminal carries out; 0 leaves the end to the
	// context that Drive is given.
	Transactions int

	// Ready is called once every terminal has its connection; it may be nil.
	Ready func()
}

// Result is what the terminals have done.
type Result struct {
	Transactions [Kinds]int
	RolledBack   int // New-Orders, by the client
	Retries      int // after deadlocks and lock timeouts
	Statements   int
	Latencies    []time.Duration // of all transactions, retries included
}

// Total is the number of transactions.
func (r *Result) Total() int {
	total := 0
	for _, n := range r.Transactions {
		total += n
	}
	return total
}

func (r *Result) add(o Outcome, took time.Duration) {
	r.Transactions[o.Kind]++
	r.Retries += o.Retries
	if o.RolledBack {
		r.RolledBack++
	}
	r.Latencies = append(r.Latencies, took)
}

func (r *Result) merge(other *Result) {
	for kind, n := range other.Transactions {
		r.Transactions[kind] += n
	}
	r.RolledBack += other.RolledBack
	r.Retries += other.Retries
	r.Statements += other.Statements
	r.Latencies = append(r.Latencies, other.Latencies...)
}

// Drive lets the terminals work until each has done its transactions or the context
// ends, which is no error; transactions under way are then rolled back. The first
// error of a terminal ends all.
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
	return driveAll(ctx, terminals, o.Transactions)
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

func driveAll(ctx context.Context, terminals []*Terminal, transactions int) (*Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]Result, len(terminals))
	var all sync.WaitGroup
	for i, t := range terminals {
		all.Go(func() {
			if err := t.drive(ctx, transactions, &results[i]); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	total := new(Result)
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
