package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"tunic/internal/catalog"
)

// lockName names the lock at the server.
const lockName = catalog.Schema

// errDiscard makes database/sql close a connection instead of pooling it.
var errDiscard = driver.ErrBadConn

// Times of holding on.
const (
	beat    = time.Second      // between two looks at whether the lock is still held
	hurry   = 10               // times as often it is looked for when it is not
	patient = 10 * time.Second // for one look, and for getting hold again

	farewell = time.Second // for giving the lock back
)

// lock takes the lock for the connection.
func (l *Ledger) lock(ctx context.Context) error {
	var got sql.NullInt64
	wait := l.o.Wait
	if until, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(until)/2) // the rest is for reading what is held
	}
	err := l.conn.QueryRowContext(ctx, "SELECT GET_LOCK(?, ?)", lockName, wait.Seconds()).Scan(&got)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrLost, err)
	case got.Int64 != 1:
		return ErrHeld
	}
	// Nobody but tunic speaks on this connection, and it must not be taken for idle.
	if _, err := l.conn.ExecContext(ctx, "SET SESSION wait_timeout = 86400"); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

// keep looks after the lock until the ledger is closed.
func (l *Ledger) keep(ctx context.Context) {
	defer close(l.done)
	calm := cmp.Or(l.o.beat, beat)
	tick := time.NewTicker(calm)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		l.look(ctx)
		if errors.Is(l.Usable(), ErrLost) {
			tick.Reset(calm / hurry)
		} else {
			tick.Reset(calm)
		}
	}
}

// look makes sure that the lock is held, or gets hold of the ledger again. What
// has happened to the ledger meanwhile is read.
func (l *Ledger) look(ctx context.Context) {
	l.mu.Lock() // a change of definitions may hold it for long
	defer l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(l.o.patience, patient))
	defer cancel()
	if l.conn != nil && l.Usable() == nil {
		if l.holds(ctx) || ctx.Err() == context.Canceled {
			return
		}
		l.become(ErrLost)
		l.o.Log.Error("the ledger is lost; protected tables are not served until it is back")
	}
	l.drop()
	if err := l.take(ctx); err != nil {
		if before := l.Usable(); !errors.Is(err, ErrLost) && (before == nil || before.Error() != err.Error()) {
			l.o.Log.Error("the ledger cannot be taken back", "error", err)
		}
		l.become(err)
		return
	}
	l.o.Log.Info("the ledger is held again")
}

func (l *Ledger) holds(ctx context.Context) bool {
	var mine sql.NullInt64
	err := l.conn.QueryRowContext(ctx, "SELECT IS_USED_LOCK(?) = CONNECTION_ID()", lockName).Scan(&mine)
	return err == nil && mine.Int64 == 1
}
