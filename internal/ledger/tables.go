package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"slices"
	"time"

	"tunic/internal/catalog"
)

// tableLock is the name of a table's lock at the server.
func tableLock(id catalog.ID) string { return catalog.Schema + "." + id.String() }

// lockWait is how long the server is asked to wait at a time, in seconds. A connection
// that waits for a lock is not idle, and is not noticed when it is gone.
const lockWait = 1

// tableLocks is a connection that has locks of tables. It is spoken on while it has them,
// so that the server need not wait for long to see that a process is gone.
type tableLocks struct {
	conn *sql.Conn
	stop chan struct{}
	done chan struct{}
}

// lockTables takes the locks of tables in one order, so that two wait for each other in
// none. Without waits, unlock is nil if somebody has one.
func lockTables(ctx context.Context, db *sql.DB, tables []catalog.ID, waits bool) (unlock func(), err error) {
	if len(tables) == 0 {
		return func() {}, nil
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	k := &tableLocks{conn: conn, stop: make(chan struct{}), done: make(chan struct{})}
	_, err = conn.ExecContext(ctx, "SET SESSION wait_timeout = ?", int(silence/time.Second))
	got := err == nil
	ids := slices.Clone(tables)
	slices.SortFunc(ids, func(a, b catalog.ID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range slices.Compact(ids) {
		if got && err == nil {
			got, err = k.take(ctx, id, waits)
		}
	}
	if err != nil || !got {
		k.discard()
		return nil, err
	}
	go k.beat(context.WithoutCancel(ctx))
	return k.release, nil
}

// take takes one lock.
func (k *tableLocks) take(ctx context.Context, id catalog.ID, waits bool) (bool, error) {
	seconds := lockWait
	if !waits {
		seconds = 0
	}
	for {
		var got sql.NullInt64
		err := k.conn.QueryRowContext(ctx, "SELECT GET_LOCK(?, ?)", tableLock(id), seconds).Scan(&got)
		if err != nil || got.Int64 == 1 {
			return err == nil, err
		}
		if !waits {
			return false, nil
		}
	}
}

// beat speaks on the connection.
func (k *tableLocks) beat(ctx context.Context) {
	defer close(k.done)
	tick := time.NewTicker(silence / 4)
	defer tick.Stop()
	for {
		select {
		case <-k.stop:
			return
		case <-tick.C:
			ctx, cancel := context.WithTimeout(ctx, silence)
			_, _ = k.conn.ExecContext(ctx, "DO 1")
			cancel()
		}
	}
}

func (k *tableLocks) release() {
	close(k.stop)
	<-k.done
	k.discard()
}

func (k *tableLocks) discard() { discard(k.conn) }

// discard closes a connection that may have locks, and waits until the server has let go.
func discard(conn *sql.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_, _ = conn.ExecContext(ctx, "DO RELEASE_ALL_LOCKS()")
	letGo(conn)
}
