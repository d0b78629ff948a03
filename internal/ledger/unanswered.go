package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"tunic/internal/backend"
)

// A connection may end before the server has answered a statement: the server has closed it, a balancer on the way has, or
// nobody reads a long answer. Only in the first case the server has done with the statement. So the server is asked for what
// it has under the number of such a connection: the statement is over when it shows none. One that rests may have the statement before
// it, where the network behind a balancer stands still: it is ended. Where the account may not end it, it is over when it
// has rested for a while. It is over as well when the server has been started again since the connection was told
// (connection.go): its number may be somebody else's by now.
// Numbers are those of the server that the ledger is at; a balancer hides from which port a connection comes, so the number alone
// counts. An account that may not see the connections takes the statement for over at once.

// Closed is after the connection was closed while the server had a statement of it.
func (c *Connection) Closed() {
	if !c.asked.Load() { // the statement comes to no plain table
		c.over.Store(true)
		return
	}
	a := c.all
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unanswered = append(a.unanswered, &unanswered{Connection: c})
}

// Over reports whether the server has nothing of the connection any more, which was Closed.
func (c *Connection) Over() bool { return c.over.Load() }

// unanswered is a connection that was closed while the server had a statement of it.
type unanswered struct {
	*Connection
	rests time.Time // when it was first seen to rest; zero if it did not
}

// restsFor is how long a connection rests whose statement is taken for over where nobody may end it.
const restsFor = 10 * time.Second

// lookUp asks the server for connections that were closed without an answer, if there are some; joined is where the member has joined
// last.
func (a *connections) lookUp(ctx context.Context, conn *sql.Conn, joined atServer) error {
	a.mu.Lock()
	all := a.unanswered
	a.mu.Unlock()
	if len(all) == 0 {
		return nil
	}
	busy, err := busyConnections(ctx, conn)
	if err != nil {
		return err
	}
	ended, err := a.endedBefore(ctx, conn, joined, slices.DeleteFunc(slices.Clone(all), func(u *unanswered) bool {
		_, shown := busy[u.number]
		return !shown
	}))
	if err != nil {
		return err
	}
	over := map[*unanswered]bool{}
	for _, u := range all {
		runs, shown := busy[u.number]
		switch {
		case !shown, ended[u.serial]:
			over[u] = true
		case runs:
			u.rests = time.Time{}
		case u.rests.IsZero():
			u.rests = time.Now()
		case time.Since(u.rests) >= restsFor:
			over[u] = true
		case time.Since(u.rests) >= restsMost:
			if err := backend.End(ctx, conn, uint64(u.number)); err != nil && !errors.Is(err, backend.ErrUnended) {
				return err
			}
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	left := a.unanswered[:0:0]
	for _, u := range a.unanswered {
		if u.over.Store(over[u]); !over[u] {
			left = append(left, u)
		}
	}
	a.unanswered = left
	return nil
}

// endedBefore are those, by their serial numbers, that have ended before the server was started as it runs now. There are none where it
// cannot be told when that was, and at another server than that at which the member has joined.
func (a *connections) endedBefore(ctx context.Context, conn *sql.Conn, joined atServer, of []*unanswered) (ended map[uint64]bool, err error) {
	if len(of) == 0 {
		return nil, nil
	}
	here, err := serverOf(ctx, conn)
	if errors.Is(err, errServerLate) || err == nil && !bytes.Equal(here.id, joined.id) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var those []string
	for _, u := range of {
		those = append(those, u.key())
	}
	found, err := conn.QueryContext(ctx, "SELECT serial, started FROM "+connection+" WHERE member = x'"+a.member+"' AND (number, serial) IN ("+strings.Join(those, ", ")+")")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	ended = map[uint64]bool{}
	for found.Next() {
		var serial uint64
		var started int64
		if err := found.Scan(&serial, &started); err != nil {
			return nil, err
		}
		ended[serial] = !here.runsSince(started)
	}
	return ended, found.Err()
}

// busyConnections says of each connection that the server shows, by the number that clients know, whether it runs something. There
// are none where the account may not see them.
func busyConnections(ctx context.Context, conn *sql.Conn) (busy map[uint32]bool, err error) {
	shown, err := backend.Clients(ctx, conn)
	if err != nil && !errors.Is(err, backend.ErrUnseen) {
		return nil, err
	}
	busy = map[uint32]bool{}
	for _, c := range shown {
		busy[uint32(c.Number&math.MaxUint32)] = !c.Idle
	}
	return busy, nil
}
