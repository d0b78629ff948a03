package ddl

import (
	"context"
	"errors"
	"time"

	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// A session under LOCK TABLES, or in a transaction that has used something, must not wait for
// whoever waits for its tables: another definition that does, or statements that are inside the
// gate of a table to be changed and that the server keeps waiting. Nobody can tell these from
// others, so the session waits for a while and then gives up, with an error that servers know.

// WaitLocked is how long.
const WaitLocked = time.Second

// lock takes mu.
func (w *work) lock(ctx context.Context) error {
	if !w.session.Locked {
		w.Upkeep.Mu.Lock()
		return nil
	}
	const look = 5 * time.Millisecond
	for until := time.Now().Add(WaitLocked); !w.Upkeep.Mu.TryLock(); {
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
func (w *work) late() <-chan time.Time {
	if w.session.Locked {
		return time.After(WaitLocked)
	}
	return nil
}

// waiting is a context for what a session must not wait for long: without an end of its own unless
// the session is Locked.
func (w *work) waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	if w.session.Locked {
		return context.WithTimeout(ctx, WaitLocked)
	}
	return context.WithCancel(ctx)
}

// waitError is clientError for something that was done with waiting.
func (w *work) waitError(err error) error {
	if w.session.Locked && (errors.Is(err, ledger.ErrBusy) || errors.Is(err, context.DeadlineExceeded)) {
		return sqlerr.LockWait()
	}
	return w.clientError(err)
}

// retryTables is how often it is looked whether another process has ended with a table.
const retryTables = 50 * time.Millisecond

// wait waits for a table that is being backfilled, or for a while if it is another process
// that has it.
func (w *work) wait(ctx context.Context, busy <-chan struct{}, late <-chan time.Time) error {
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
func (w *work) throughLedger(ctx context.Context, steps []ledger.Step, one bool, define func(context.Context) error) ([]ledger.Step, error) {
	switch {
	case !w.session.Locked && one:
		return w.o.Ledger.ChangeTogether(ctx, steps, define)
	case !w.session.Locked:
		return w.o.Ledger.Change(ctx, steps, define)
	}
	done, err := w.o.Ledger.ChangeWithin(ctx, WaitLocked, steps, define)
	if errors.Is(err, ledger.ErrBusy) {
		err = sqlerr.LockWait()
	}
	return done, err
}
