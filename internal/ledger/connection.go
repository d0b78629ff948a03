package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A statement may be under way between a member and the server when the member's lease is over: the network stands still, or
// the process was stopped after it had looked at its lease. The server shows such a connection as one at rest, and does the statement
// when it comes. So the server gets no statement by which it may come to a plain table before the number of the connection is in
// the table connection, from where another member can tell which connections were those of a member that has gone (departed.go).
//
// A number means something at its server only, and there until that is started again. So a member tells which
// server it is connected to, and since when that runs. With each connection it tells since when the server runs at which the row
// was written: the connection was there before its row, so when that server is started again, the connection has ended. That the
// member has joined at the server as it runs since then says nothing of the connection: its session may not have noticed yet.
//
// The writer takes that time from the member's row, by which it is that of the server on which the row of the connection is written
// if the member's link is connected to that: then the server has the link's lock. Else it is not known, until the member has joined.
// A connection may be told late: a session that has not noticed that the server was started again asks for it now. So those
// that were there when the link got an answer from the server as it ran before have the time of that.

// Connection is one of a client's to the server.
type Connection struct {
	all    *connections
	serial uint64 // the process's own number of it; a server that was started again gives the same numbers
	number uint32
	port   int
	made   time.Time // when it was there already
	known  atomic.Bool
	asked  atomic.Bool // it is written down, or is about to be
	over   atomic.Bool // the server has nothing of it any more, after it was closed without an answer
}

// connections are those of a process, as they are written to the ledger. Those of several clients are written together.
type connections struct {
	db       *sql.DB
	member   string // its ID, in hexadecimal digits
	patience time.Duration
	log      *slog.Logger
	serials  atomic.Uint64 // the last one that was given

	mu         sync.Mutex
	live       map[*Connection]struct{} // that are on record, or are about to be, and have not ended
	coming     []arrival
	gone       []*Connection // that are to be taken out
	later      []*Connection // and those that are to be soon
	unanswered []*unanswered
	writing    bool
	closed     bool // nobody writes any more
	before     []run
}

// run is what the server was before it was started again.
type run struct {
	started int64
	until   time.Time // when it was asked for the last thing that it has answered
}

// arrival is a connection that is to be written.
type arrival struct {
	*Connection
	written chan error // has room for one
}

// arrivalRetry is how long it takes until one is tried again that could not be written.
const arrivalRetry = 20 * time.Millisecond

// goneSoon is how long connections that have ended are on record at most, unless one more comes.
const goneSoon = time.Second

// IsKnown reports whether the connection is on record.
func (c *Connection) IsKnown() bool { return c.known.Load() }

// Known is IsKnown, but one that is not known is written down: until done, and for ten seconds at most.
func (c *Connection) Known(done <-chan struct{}) bool {
	if c.IsKnown() {
		return true
	}
	late := time.NewTimer(c.all.patience)
	defer late.Stop()
	var err error
	for {
		select {
		case err = <-c.all.add(c):
			if err == nil {
				c.known.Store(true)
				return true
			}
		case <-done:
			return false
		case <-late.C:
			c.all.log.Warn("a connection cannot be written to the ledger; its statements on plain tables are refused", "error", err)
			return false
		}
		select {
		case <-time.After(arrivalRetry):
		case <-done:
			return false
		}
	}
}

// End is after the server has closed the connection, or has been told to and had no statement under way.
func (c *Connection) End() {
	if !c.asked.Load() {
		return
	}
	a := c.all
	a.mu.Lock()
	defer a.mu.Unlock()
	a.leave(c)
}

// leave has those taken out soon that are gone. The caller holds mu.
func (a *connections) leave(gone ...*Connection) {
	for _, c := range gone {
		delete(a.live, c)
	}
	if a.closed {
		return
	}
	if a.later = append(a.later, gone...); len(a.later) > len(gone) {
		return // somebody sees to it
	}
	time.AfterFunc(goneSoon, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.gone, a.later = append(a.gone, a.later...), nil
		a.write()
	})
}

// close ends it. The member is no more, or others look after its connections.
func (a *connections) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
}

// add has a connection written.
func (a *connections) add(c *Connection) (written <-chan error) {
	of := arrival{c, make(chan error, 1)}
	c.asked.Store(true)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.live == nil {
		a.live = map[*Connection]struct{}{}
	}
	a.live[c] = struct{}{}
	a.coming = append(a.coming, of)
	a.write()
	return of.written
}

// write has all written that there are, unless somebody is at it. The caller holds mu.
func (a *connections) write() {
	if a.writing || a.closed && len(a.coming) == 0 {
		return
	}
	a.writing = true
	go func() {
		for {
			a.mu.Lock()
			coming, gone := a.coming, a.gone
			a.coming, a.gone = nil, nil
			if a.writing = len(coming)+len(gone) > 0; !a.writing {
				a.mu.Unlock()
				return
			}
			a.mu.Unlock()
			a.writeOut(coming, gone)
		}
	}()
}

// errNoMember says that the process is none at the moment.
var errNoMember = errors.New("the process is no member")

// writeOut writes those that come, and takes out those that have gone.
func (a *connections) writeOut(coming []arrival, gone []*Connection) {
	ctx, cancel := context.WithTimeout(context.Background(), a.patience)
	defer cancel()
	if len(coming) > 0 {
		err := a.enter(ctx, coming)
		for _, c := range coming {
			c.written <- err
		}
	}
	if len(gone) > 0 && a.takeOut(ctx, gone) != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.leave(gone...)
	}
}

// enter writes some down, and since when the server runs. Nobody takes the member out meanwhile.
func (a *connections) enter(ctx context.Context, coming []arrival) error {
	var rows []string
	for _, c := range coming {
		rows = append(rows, fmt.Sprintf("SELECT %d AS number, %d AS port, %d AS serial, %d AS started", c.number, c.port, c.serial, a.runBefore(c.made)))
	}
	done, err := a.db.ExecContext(ctx, "REPLACE INTO "+connection+" (member, number, port, serial, started) SELECT m.id, c.number, c.port, c.serial,"+
		" IF(c.started <> 0, c.started, IF(IS_USED_LOCK("+linkLock+") = m.link, m.started, 0)) FROM "+member+
		" m JOIN ("+strings.Join(rows, " UNION ALL ")+") c WHERE m.id = x'"+a.member+"' FOR UPDATE")
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errNoMember, err)
	}
	return nil
}

// runBefore is when the server was started that a connection of then was at, if it has been started again since; 0 if that is not known.
func (a *connections) runBefore(made time.Time) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.before {
		if !made.After(r.until) {
			return r.started
		}
	}
	return 0
}

// takeOut takes some out.
func (a *connections) takeOut(ctx context.Context, gone []*Connection) error {
	var those []string
	for _, c := range gone {
		those = append(those, c.key())
	}
	_, err := a.db.ExecContext(ctx, "DELETE FROM "+connection+" WHERE member = x'"+a.member+"' AND (number, serial) IN ("+strings.Join(those, ", ")+")")
	return err
}

// key is what its row has that no other one of the member's has.
func (c *Connection) key() string { return fmt.Sprintf("(%d, %d)", c.number, c.serial) }

// takeOutOthers takes out all of the member's but those that live. Where elsewhere says that the member has come to another
// server, nothing is known of the one that they were written at: it may run on. The caller's transaction has the
// member's row, so that none is entered meanwhile.
func (a *connections) takeOutOthers(ctx context.Context, tx *sql.Tx, elsewhere bool) error {
	text := "DELETE FROM " + connection + " WHERE member = x'" + a.member + "'"
	a.mu.Lock()
	var those []string
	for c := range a.live {
		those = append(those, c.key())
	}
	a.mu.Unlock()
	if len(those) > 0 {
		text += " AND (number, serial) NOT IN (" + strings.Join(those, ", ") + ")"
	}
	_, err := tx.ExecContext(ctx, text)
	if err == nil && elsewhere {
		_, err = tx.ExecContext(ctx, "UPDATE "+connection+" SET started = 0 WHERE member = UNHEX(?)", a.member)
	}
	return err
}

// startedAgain notes what the server was before, and forgets that where the member has come to another one.
func (a *connections) startedAgain(before run, elsewhere bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.before = append(a.before, before); elsewhere {
		a.before = nil
	}
}

// date writes down since when the server runs where that was not known. Those rows were written before. Behind it rows get that time
// only if link has its lock.
func (a *connections) date(ctx context.Context, link *sql.Conn, at atServer) error {
	_, err := link.ExecContext(ctx, "UPDATE "+connection+" SET started = ? WHERE member = UNHEX(?) AND started = 0", at.started, a.member)
	return err
}

// atServer is a server that runs since a time.
type atServer struct {
	id      []byte // 16 bytes
	started int64  // in seconds since 1970; 0 where that is not known
}

// startedApart is how many seconds two looks at when a server was started may be apart.
const startedApart = 3

// runsSince reports whether it was started then, as far as that is known.
func (s atServer) runsSince(started int64) bool {
	apart := s.started - started
	return s.started == 0 || started == 0 || -startedApart <= apart && apart <= startedApart
}

// errServerLate says that when a server was started cannot be told, since its answers take too long.
var errServerLate = errors.New("the server answers late")

// is reports whether another look has found the same server, and that it was not started again.
func (s atServer) is(other atServer) bool {
	return bytes.Equal(s.id, other.id) && s.runsSince(other.started)
}

// serverOf is the server that a connection leads to.
func serverOf(ctx context.Context, conn *sql.Conn) (atServer, error) {
	var name string
	var before, after, up int64
	var variable string
	err := conn.QueryRowContext(ctx, "SELECT CONCAT_WS(' ', @@server_id, @@port, @@hostname, @@datadir), UNIX_TIMESTAMP()").Scan(&name, &before)
	if err == nil {
		err = conn.QueryRowContext(ctx, "SHOW GLOBAL STATUS LIKE 'Uptime'").Scan(&variable, &up)
	}
	digest := sha256.Sum256([]byte(name))
	if errors.Is(err, sql.ErrNoRows) { // it does not tell, and counts as not started again
		return atServer{id: digest[:16]}, nil
	}
	if err == nil {
		err = conn.QueryRowContext(ctx, "SELECT UNIX_TIMESTAMP()").Scan(&after)
	}
	if err == nil && (after < before || after-before >= startedApart) {
		err = errServerLate
	}
	return atServer{digest[:16], before - up}, err
}
