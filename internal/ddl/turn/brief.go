package turn

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"tunic/internal/backend"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// Times of waiting briefly.
const (
	Wait        = 300 * time.Millisecond // that others may have to wait behind a definition
	briefLonger = 800 * time.Millisecond // the same, when some tries have failed
	briefLook   = 50 * time.Millisecond  // between two looks at what a definition waits for

	AgainSoon  = 100 * time.Millisecond // before the next try where another change was under way
	AgainFirst = time.Second            // before the second try where transactions were
	againMax   = 10 * time.Second
)

// ErrElsewhere says that somebody else is changing the table.
var ErrElsewhere = errors.New("another change of the table is under way")

// ErrRolledBack says that writes of clients that were rolled back kept the server from making a table anew.
var ErrRolledBack = errors.New("writes that were rolled back stood in the way of the change")

// keepsValues is the mode in which a server copies a table: it changes no value, and takes each that is there.
const keepsValues = "sql_mode = 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES'"

// Numbers of the server's errors that a definition ends with that has waited in vain, or
// was told to stop.
const (
	LockWaitTimeout  = 1205
	DeadlockFound    = 1213
	QueryInterrupted = 1317
)

// Passing reports whether an error will not be there if the same is tried later: somebody
// uses the table, or changes something.
func Passing(err error) bool {
	for _, e := range [...]error{ErrElsewhere, ErrRolledBack, ledger.ErrBusy, ledger.ErrOutdated, ledger.ErrLost} {
		if errors.Is(err, e) {
			return true
		}
	}
	said, ok := errors.AsType[*sqlerr.Error](err)
	return ok && said.Code == 0 && (said.Number == LockWaitTimeout || said.Number == DeadlockFound || said.Number == QueryInterrupted)
}

// Patiently does something until it has been done or fails for good, with pauses in which
// clients have the table for themselves. try is told how long others may wait for it.
func Patiently(ctx context.Context, try func(ctx context.Context, wait time.Duration) error) error {
	wait, pause := Wait, AgainFirst
	for {
		err := try(ctx, wait)
		if err == nil || !Passing(err) {
			return err
		}
		now := pause
		if errors.Is(err, ErrElsewhere) || errors.Is(err, ledger.ErrOutdated) {
			now = AgainSoon
		} else {
			wait, pause = min(wait*5/4, briefLonger), min(2*pause, againMax)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(now):
		}
	}
}

// Brief runs a definition by the service account that waits for transactions no longer
// than a time. An error that is passing says that it has waited in vain, or that another one
// has its turn; whether it has been done is to be seen by the table. The server may copy the table for any
// definition, and then takes each value that is there, and changes none.
func (u *Turns) Brief(ctx context.Context, statement string, wait time.Duration) error {
	own, err := u.DB.Conn(ctx)
	if err != nil {
		return err
	}
	defer service.CloseForGood(own) // it is told to stop, perhaps too late
	// Should this process be stopped meanwhile, the server gives up by itself. So it does where
	// the storage engine waits, of which it does not tell in a state: MariaDB locks the tables
	// that refer to one (lock_table_children in row0mysql.cc, MDEV-26217), and any table for
	// a transaction of XA that a restart has found prepared, while nobody can begin with the table.
	if _, err := own.ExecContext(ctx, "SET SESSION lock_wait_timeout = 1, innodb_lock_wait_timeout = 1, "+keepsValues); err != nil {
		return err
	}
	var id int64
	if err := own.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return err
	}
	turn := turnOf(ctx)
	if turn == nil {
		conn, err := u.Take(ctx)
		if err != nil {
			return err
		}
		turn = &inTurn{conn: conn}
		defer func() { u.Rest(conn, turn.waited) }()
	}
	r := restraint{turn: turn.conn, id: id, wait: wait, ended: make(chan struct{}), gone: make(chan struct{})}
	go r.watch(ctx)
	// Given up, it would go on at the server with nobody to stop it.
	_, err = own.ExecContext(context.WithoutCancel(ctx), statement)
	close(r.ended)
	<-r.gone
	turn.waited += r.waited
	return service.Error(err)
}

// restraint stops what a connection does when it has waited for others for a time, or when
// nobody wants it any more.
type restraint struct {
	turn *sql.Conn // to see it by
	id   int64     // of the connection
	wait time.Duration

	ended, gone chan struct{}
	waited      time.Duration // the longest that it was seen waiting
}

// watch looks at the connection until it has ended.
func (r *restraint) watch(ctx context.Context) {
	defer close(r.gone)
	tick := time.NewTicker(briefLook)
	defer tick.Stop()
	var since time.Time   // since when it has been seen waiting
	working := time.Now() // since when it has not
	for {
		select {
		case <-r.ended:
			return
		case <-tick.C:
		}
		if ctx.Err() == nil {
			switch waits, err := waitsForOthers(context.WithoutCancel(ctx), r.turn, r.id); {
			case err != nil:
				return // it gives up by itself
			case !waits:
				since = time.Time{}
				if time.Since(working) > turnLong {
					giveBack(ctx, r.turn)
				}
				continue
			case since.IsZero():
				since = time.Now().Add(-briefLook)
			}
			working = time.Now() // one that gives up at last does not work long, and keeps the turn
			if r.waited = max(r.waited, time.Since(since)); r.waited < r.wait {
				continue
			}
		}
		if _, err := r.turn.ExecContext(context.WithoutCancel(ctx), "KILL QUERY "+strconv.FormatInt(r.id, 10)); err != nil {
			return
		}
	}
}

// waitsForOthers reports whether a connection waits for a lock that others have: servers
// say "Waiting for table metadata lock" and the like. What takes long by itself, such as
// making a key, is let go on.
func waitsForOthers(ctx context.Context, conn *sql.Conn, id int64) (bool, error) {
	thread, err := backend.ThreadOf(ctx, conn, uint64(id))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return strings.HasPrefix(thread.State, "Waiting for") && strings.HasSuffix(thread.State, "lock"), err
}

// Sleep waits for so long, or until ctx ends.
func Sleep(ctx context.Context, long time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(long):
		return nil
	}
}
