package ddl

import (
	"context"
	"errors"
	"time"

	"tunic/internal/ddl/upkeep"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// A session under LOCK TABLES, or in a transaction that has used something, must not wait for
// whoever waits for its tables: another definition that does, or statements that are inside the
// gate of a table to be changed and that the server keeps waiting. Nobody can tell these from
// others, so the session waits for a while and then gives up, with an error that servers know.

// WaitLocked is how long.
const WaitLocked = time.Second

// patience is how long a session waits for others.
type patience struct {
	tables *upkeep.Tables
	locked bool // see Session
}

// lock takes the tables' Mu.
func (p *patience) lock(ctx context.Context) error {
	if !p.locked {
		p.tables.Mu.Lock()
		return nil
	}
	const look = 5 * time.Millisecond
	for until := time.Now().Add(WaitLocked); !p.tables.Mu.TryLock(); {
		if time.Now().After(until) {
			return sqlerr.LockWait()
		}
		select {
		case <-time.After(look):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// late is when a definition gives up that must not wait for long.
func (p *patience) late() <-chan time.Time {
	if p.locked {
		return time.After(WaitLocked)
	}
	return nil
}

// waiting is a context for what a session must not wait for long: without an end of its own unless
// the session is Locked.
func (p *patience) waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.locked {
		return context.WithTimeout(ctx, WaitLocked)
	}
	return context.WithCancel(ctx)
}

// retryTables is how often it is looked whether another process has ended with a table.
const retryTables = 50 * time.Millisecond

// wait waits for a table that is being backfilled, or for a while if it is another process
// that has it.
func (p *patience) wait(ctx context.Context, busy <-chan struct{}, late <-chan time.Time) error {
	var soon <-chan time.Time
	if busy == nil {
		soon = time.After(retryTables)
	}
	select {
	case <-busy:
		return nil
	case <-soon:
		return nil
	case <-late:
		return sqlerr.LockWait()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// throughLedger makes steps through the ledger, at once where define is one statement.
func (p *patience) throughLedger(ctx context.Context, steps []ledger.Step, one bool, define func(context.Context) error) ([]ledger.Step, error) {
	switch {
	case !p.locked && one:
		return p.tables.Ledger.ChangeTogether(ctx, steps, define)
	case !p.locked:
		return p.tables.Ledger.Change(ctx, steps, define)
	}
	done, err := p.tables.Ledger.ChangeWithin(ctx, WaitLocked, steps, define)
	if errors.Is(err, ledger.ErrBusy) {
		err = sqlerr.LockWait()
	}
	return done, err
}
