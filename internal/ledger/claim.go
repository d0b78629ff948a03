package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
	"time"

	"tunic/internal/catalog"
)

// Claim is a job, a rotation or a table that this process works at: a lock at the server, which it gives back
// with the connection that has it. Who finds nobody at a job may take it.
type Claim struct {
	conn *sql.Conn
	name string
	stop chan struct{}
	done chan struct{}
	lost chan struct{}
	once sync.Once
	mu   sync.Mutex // who has it uses conn
}

// jobLock is the name of a job's lock at the server.
func jobLock(id uint64) string { return catalog.Schema + ".job." + strconv.FormatUint(id, 10) }

// ClaimJob claims a job; nil without an error if somebody has it.
func (l *Ledger) ClaimJob(ctx context.Context, id uint64) (*Claim, error) {
	return l.claim(ctx, jobLock(id), 0)
}

// ClaimRotation claims the master keys for a rotation; nil without an error if another one has
// them.
func (l *Ledger) ClaimRotation(ctx context.Context) (*Claim, error) {
	return l.claim(ctx, catalog.Schema+".rotation", 0)
}

// ClaimTable claims a table for a command that goes through it in steps; nil without an error if
// another one has it.
func (l *Ledger) ClaimTable(ctx context.Context, schema, table string) (*Claim, error) {
	name := sha256.Sum256([]byte(strings.ToLower(schema + "." + table))) // names of locks have 64 characters at most
	return l.claim(ctx, catalog.Schema+".table."+hex.EncodeToString(name[:16]), tableClaimWait)
}

// tableClaimWait is how long a claim of a table is waited for: the server may still be about to
// notice that who had it was killed.
const tableClaimWait = 3 * time.Second

func (l *Ledger) claim(ctx context.Context, name string, wait time.Duration) (*Claim, error) {
	conn, err := l.o.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := &Claim{conn: conn, name: name, stop: make(chan struct{}), done: make(chan struct{}), lost: make(chan struct{})}
	var got sql.NullInt64
	_, err = conn.ExecContext(ctx, "SET SESSION wait_timeout = ?", int(silence/time.Second))
	if err == nil {
		err = conn.QueryRowContext(ctx, "SELECT GET_LOCK(?, ?)", c.name, int(wait/time.Second)).Scan(&got)
	}
	if err != nil || got.Int64 != 1 {
		discard(conn)
		return nil, err
	}
	go c.beat(context.WithoutCancel(ctx))
	return c, nil
}

// Conn is the connection that has the lock, for who works at the job: what it writes there
// is not written by somebody who has lost the claim without noticing. It is the caller's
// alone until it gives it back, and is to be spoken on once in a few seconds.
func (c *Claim) Conn() (conn *sql.Conn, back func()) {
	c.mu.Lock()
	return c.conn, c.mu.Unlock
}

// Lost is closed when the claim is somebody else's, or may be.
func (c *Claim) Lost() <-chan struct{} { return c.lost }

// Context is a context that ends with the claim as well: with a cause, lost, when that is lost. end
// lets go of it.
func (c *Claim) Context(ctx context.Context, lost error) (claimed context.Context, end func()) {
	claimed, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-c.lost:
			cancel(lost)
		case <-claimed.Done():
		}
	}()
	return claimed, func() { cancel(nil) }
}

// Release gives the job back.
func (c *Claim) Release() {
	c.once.Do(func() {
		close(c.stop)
		<-c.done
		discard(c.conn)
	})
}

// beat speaks on the connection, and looks whether it still has the lock.
func (c *Claim) beat(ctx context.Context) {
	defer close(c.done)
	tick := time.NewTicker(silence / 8)
	defer tick.Stop()
	for {
		select {
		case <-c.stop:
			return
		case <-tick.C:
		}
		if !c.mu.TryLock() {
			continue // somebody speaks on it, and will notice
		}
		held := c.holds(ctx)
		if c.mu.Unlock(); !held {
			close(c.lost)
			return
		}
	}
}

func (c *Claim) holds(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, silence/2)
	defer cancel()
	var mine sql.NullInt64
	err := c.conn.QueryRowContext(ctx, "SELECT IS_USED_LOCK(?) = CONNECTION_ID()", c.name).Scan(&mine)
	return err == nil && mine.Int64 == 1
}
