package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Who looks at the ledger may be late: it waits for a definition that is to be settled, for the
// server, or for memory and a processor under large statements. A pulse on a connection of its own
// then counts the member's beat, so that its lease lasts.
//
// It tells of no version. Who announces a name waits until the member has read it, as long as for statements in
// flight. So that nobody waits for a member that reads nothing any more, the pulse stops when the ledger was read last too long ago.

// membership is a row in the table of members, from join on. Another join makes another one.
type membership struct{ _ byte } // not of size 0: each has an address of its own

// pulse counts the beat until ctx ends.
func (l *Ledger) pulse(ctx context.Context) {
	defer close(l.pulsed)
	tick := time.NewTicker(l.leaseTime() / beatsOfLease)
	defer tick.Stop()
	var conn *sql.Conn
	defer func() { letGo(conn) }()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !l.late() {
			continue
		}
		l.pulsing.Lock()
		conn = l.pulseOnce(ctx, conn)
		l.pulsing.Unlock()
	}
}

// late reports whether the lease is to be prolonged by the pulse: most of it is over, and the
// ledger was read not too long ago.
func (l *Ledger) late() bool {
	now := time.Since(l.born)
	return time.Duration(l.lease.Load())-now < l.leaseTime()/2 && now-time.Duration(l.polled.Load()) < 2*cmp.Or(l.o.patience, patient)
}

// pulseOnce counts one beat, and prolongs the lease if the member is still the same: a row that
// join has made meanwhile is not to give a lease before what was announced without it is
// read. It returns the connection, nil if it is lost.
func (l *Ledger) pulseOnce(ctx context.Context, conn *sql.Conn) *sql.Conn {
	ctx, cancel := context.WithTimeout(ctx, l.leaseTime())
	defer cancel()
	member := l.member.Load()
	if member == nil {
		return conn
	}
	begin := time.Since(l.born)
	var err error
	if conn == nil {
		if conn, err = l.o.Held.Conn(ctx); err != nil {
			return nil
		}
		// One that waits for FLUSH TABLES WITH READ LOCK is not to wait for long.
		if _, err = conn.ExecContext(ctx, "SET SESSION lock_wait_timeout = 1"); err != nil {
			letGo(conn)
			return nil
		}
	}
	counted, err := countBeat(ctx, conn, l.me())
	if _, answered := errors.AsType[*mysql.MySQLError](err); err != nil && !answered {
		letGo(conn)
		return nil
	}
	if counted && l.member.Load() == member {
		l.prolong(begin + l.leaseTime())
	}
	return conn
}

// countBeat counts a member's beat; counted is false where it is none any more.
func countBeat(ctx context.Context, conn *sql.Conn, me string) (counted bool, err error) {
	done, err := conn.ExecContext(ctx, "UPDATE "+member+" SET beat = beat + 1 WHERE id = UNHEX(?)", me)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// prolong has the lease last until then, if it ends before.
func (l *Ledger) prolong(until time.Duration) {
	for {
		before := l.lease.Load()
		if int64(until) <= before || l.lease.CompareAndSwap(before, int64(until)) {
			return
		}
	}
}

// letGo closes a connection that may be in the middle of something.
func letGo(conn *sql.Conn) {
	if conn != nil {
		_ = conn.Raw(func(any) error { return errDiscard })
		_ = conn.Close()
	}
}
