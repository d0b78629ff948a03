package ledger

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/backend"
	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/sqlerr"
)

// A name that is about to become that of a protected table has to be known to all before
// it does: who does not know it would forward a statement that names it, with all that is
// in it. So each process that reads the ledger is a member, with a row that says which
// version it has read, and a beat that it counts. Who announces a name waits until every
// member has read it, or has not beaten for as long as a lease is. A member counts its own
// lease from before its beat; so it ends first, whatever clocks show.
//
// Knowing the name is not enough: see package inflight.
//
// Nothing else hangs on leases: a stored statement that is out of date is refused by the
// server (catalog.Table.Fence).

// lease is how long a member may take names for known after a beat.
const lease = 3 * time.Second

// beatsOfLease is how many times in a lease a member beats that has nothing new to tell,
// and looks after the others.
const beatsOfLease = 4

func (l *Ledger) leaseTime() time.Duration { return cmp.Or(l.o.Lease, lease) }

// Leased reports whether the catalog has all names of protected tables. Who finds it not
// to be so asks the server of each name before it tells it anything.
func (l *Ledger) Leased() bool { return time.Since(l.born) < time.Duration(l.lease.Load()) }

// Barred reports whether nobody can be told anything, as somebody has locked all tables of the server
// or it takes no writes, so that leases are over and are not prolonged.
func (l *Ledger) Barred() bool { return l.barred.Load() }

// Members is how many tunics read the ledger, as far as this one has seen; it is one of them.
func (l *Ledger) Members() int64 { return l.peers.Load() + 1 }

// AwaitLease waits until Leased is true again: until done, and for ten seconds at most.
func (l *Ledger) AwaitLease(done <-chan struct{}) {
	patience := time.NewTimer(cmp.Or(l.o.patience, patient))
	defer patience.Stop()
	for !l.Leased() && (l.Usable() == nil || errors.Is(l.Usable(), ErrLost)) {
		select {
		case <-time.After(retry):
		case <-patience.C:
			return
		case <-done:
			return
		}
	}
}

// me is the ID of this member as text. A server that lists its processes may fail over bytes
// in a statement, and a beat may wait for long, as for who has FLUSH TABLES WITH READ LOCK.
func (l *Ledger) me() string { return hex.EncodeToString(l.self[:]) }

// join makes the process a member, which it may be already. The caller has read the
// ledger since it was one the last time.
func (l *Ledger) join(ctx context.Context) error {
	l.member.Store(nil)
	begin := time.Since(l.born)
	version, clear := l.tellable()
	kek := l.o.KEK.ID()
	server, err := serverOf(ctx, l.conn)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	tx, err := l.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // of what was not committed
	_, err = tx.ExecContext(ctx, "REPLACE INTO "+member+" (id, beat, seen, link, kek, serves, clear, server, started) VALUES (?, ?, ?, CONNECTION_ID(), ?, ?, ?, ?, ?)",
		l.self[:], begin.Nanoseconds(), version, kek[:], l.o.Serves, clear, server.id, server.started)
	if err != nil {
		return err
	}
	// Who was taken for gone has only been late, and tells of its statements itself.
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+departed+" WHERE id = ?", l.self[:]); err != nil {
		return err
	}
	again, elsewhere := !l.joined.is(server), !bytes.Equal(l.joined.id, server.id)
	if again {
		if err := l.connections.takeOutOthers(ctx, tx, elsewhere); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if again {
		l.connections.startedAgain(run{l.joined.started, l.answered}, elsewhere)
	}
	l.joined = server
	if _, err := l.conn.ExecContext(ctx, "DO (SELECT GET_LOCK("+linkLock+", 0) FROM "+member+" WHERE id = UNHEX(?))", l.me()); err != nil {
		return err
	}
	if err := l.connections.date(ctx, l.conn, server); err != nil {
		return err
	}
	// What was announced between reading and joining nobody has waited for.
	if err := l.poll(ctx); err != nil {
		return err
	}
	l.told, l.toldClear, l.beats = version, clear, time.Now()
	l.lease.Store(int64(begin + l.leaseTime()))
	l.member.Store(new(membership))
	return nil
}

// beat tells the others which version was read. Who has been taken for dead joins anew.
//
// Where somebody has FLUSH TABLES WITH READ LOCK, or the server is read-only, nobody can be told
// anything. That is no failure: what there is can be read. The lease is not prolonged, since
// others may be quicker when that is over, or have an account that may write all the while.
func (l *Ledger) beat(ctx context.Context) error {
	part := l.leaseTime() / beatsOfLease
	version, clear := l.tellable()
	sees, tells := time.Since(l.sighted) >= part, version != l.told || clear != l.toldClear || time.Since(l.beats) >= part
	if !sees && !tells || l.barred.Load() && time.Since(l.tried) < barredRest {
		return nil
	}
	if _, err := l.conn.ExecContext(ctx, "SET SESSION lock_wait_timeout = 1"); err != nil {
		return err
	}
	var err error
	if sees {
		err = l.sight(ctx)
	}
	if tells && err == nil {
		err = l.tell(ctx, version, clear)
	}
	refusal, answered := errors.AsType[*mysql.MySQLError](err)
	barred := answered && (refusal.Number == errLockWait || slices.Contains(readOnly, refusal.Number))
	if l.barred.Store(barred); barred {
		l.tried, err = time.Now(), nil
	}
	if err != nil {
		return err
	}
	_, err = l.conn.ExecContext(ctx, "SET SESSION lock_wait_timeout = DEFAULT")
	return err
}

// readOnly are the errors of a server that takes no writes: ER_OPTION_PREVENTS_STATEMENT of an
// option, ER_READ_ONLY_MODE of InnoDB.
var readOnly = []uint16{1290, 1836}

// barredRest is the time between two beats that wait for a lock on all tables: whoever reads
// the ledger waits as long as they do.
const barredRest = time.Second

// heldBack is the version that the own statements in flight hold back, or the current one.
func (l *Ledger) heldBack() uint64 {
	now := l.Catalog()
	return l.inFlight.Oldest(now.Version&^ofChange, now)
}

// holding are connections to the server whose statements hold the current version back.
func (l *Ledger) holding() []uint32 {
	now := l.Catalog()
	return l.inFlight.Connections(now.Version&^ofChange, now)
}

// tellable are the version that was read, and the one that no statement in flight holds back.
func (l *Ledger) tellable() (version, clear uint64) {
	version, clear = l.written().Version, l.heldBack()
	held := clear < version
	switch l.held.Store(held); {
	case !held:
		l.heldSince = time.Time{}
	case l.heldSince.IsZero():
		l.heldSince = time.Now()
	case time.Since(l.heldSince) >= heldLong && time.Since(l.heldTold) >= heldRest:
		l.heldTold = time.Now()
		l.o.Log.Info("statements in flight keep a name from becoming that of a protected table", "connections", l.holding())
	}
	return version, clear
}

// heldLong is for how long statements hold a version back before the log says which, and heldRest the time between two such lines.
const (
	heldLong = 500 * time.Millisecond
	heldRest = time.Minute
)

// tell writes down that a version was read, and which one no statement in flight holds back.
func (l *Ledger) tell(ctx context.Context, version, clear uint64) error {
	begin := time.Since(l.born)
	done, err := l.conn.ExecContext(ctx, "UPDATE "+member+" SET beat = beat + 1, seen = ?, clear = ? WHERE id = UNHEX(?)", version, clear, l.me())
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, l.join(ctx))
	}
	l.told, l.toldClear, l.beats = version, clear, time.Now()
	l.prolong(begin + l.leaseTime())
	return nil
}

// sighting is another member as it was seen.
type sighting struct {
	beat, seen uint64
	clear      uint64    // the version that no statement of its clients in flight holds back
	since      time.Time // of the first time it was seen with this beat
	kek        keys.ID   // of its key file; zero if it does not tell
}

// awaitMembers waits until every member has read a version, or its lease is over.
func (l *Ledger) awaitMembers(ctx context.Context, version uint64) error {
	for {
		behind, err := l.membersThat(ctx, func(s sighting) bool { return s.seen < version })
		if err != nil || len(behind) == 0 {
			return err
		}
		if err := pause(ctx.Done()); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
}

// awaitInFlight waits until every member, and this one, has read a version and has no statement in flight that holds it
// back, or its lease is over. It is ErrBusy when waiting has ended and those that are waited for still tell of themselves:
// their statements do not end. waiting is made of ctx.
func (l *Ledger) awaitInFlight(ctx, waiting context.Context, version uint64) error {
	for began := time.Now(); ; {
		isLate := waiting.Err() != nil
		behind, err := l.membersThat(ctx, func(s sighting) bool { return s.clear < version })
		own := l.heldBack() < version
		switch {
		case err != nil:
			return err
		case len(behind) == 0 && !own:
			return nil
		case isLate && (own || slices.ContainsFunc(behind, func(s sighting) bool { return !s.since.Before(began) })):
			l.o.Log.Info("statements in flight keep a name from becoming that of a protected table", "connections", l.holding(), "members", len(behind))
			return cmp.Or(ctx.Err(), ErrBusy)
		}
		if err := sleep(ctx, retry); err != nil {
			return err
		}
	}
}

// membersThat are the other members of which something is so.
func (l *Ledger) membersThat(ctx context.Context, is func(sighting) bool) (all []sighting, err error) {
	err = l.connected(ctx, func(ctx context.Context) error {
		if err := l.sight(ctx); err != nil {
			return err
		}
		for _, other := range l.others {
			if is(other) {
				all = append(all, other)
			}
		}
		return nil
	})
	return all, err
}

// connected does something with the connection to the ledger, uncut. It is ErrLost where there is none. The caller does not
// hold mu.
func (l *Ledger) connected(ctx context.Context, do func(context.Context) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	if l.conn == nil {
		return ErrLost
	}
	return do(ctx)
}

// awaitDeparted waits until the server has no connection any more of members that have gone. It is ErrBusy when waiting has
// ended. Where the account may not see or end them it is sqlerr.Departed of a table that lacks the CHECK; of one that has it
// the server refuses plain values, and blind says that it was not waited for.
func (l *Ledger) awaitDeparted(ctx, waiting context.Context, lacksCheck bool) (blind bool, err error) {
	for {
		left, err := l.endDeparted(ctx)
		unseen := errors.Is(err, backend.ErrUnseen) || errors.Is(err, backend.ErrUnended)
		switch {
		case unseen && !lacksCheck:
			return true, nil
		case unseen:
			return false, sqlerr.Departed()
		case err == nil && !left:
			return false, nil
		case err != nil:
			return false, fmt.Errorf("%w: %w", ErrLost, err)
		}
		if err := pause(waiting.Done()); err != nil {
			return false, cmp.Or(ctx.Err(), err)
		}
	}
}

func (l *Ledger) endDeparted(ctx context.Context) (left bool, err error) {
	err = l.connected(ctx, func(ctx context.Context) error {
		left, err = l.departed.endRested(ctx, l.conn)
		return err
	})
	return left, err
}

// sight looks which members there are. One whose lease is over is taken out: it is none
// any more, and joins anew when it goes on.
func (l *Ledger) sight(ctx context.Context) error {
	now, err := l.members(ctx)
	if err != nil {
		return err
	}
	for id, s := range now {
		if before, known := l.others[id]; known && before.beat == s.beat {
			s.since = before.since
		}
		if time.Since(s.since) >= l.leaseTime() {
			if err := depart(ctx, l.conn, id, s.beat); err != nil {
				return err
			}
		}
		now[id] = s
	}
	l.others, l.sighted = now, time.Now()
	l.peers.Store(int64(len(now)))
	if err := l.connections.lookUp(ctx, l.conn, l.joined); err != nil {
		return err
	}
	return l.departed.sweep(ctx, l.conn)
}

// members are the others as they are now.
func (l *Ledger) members(ctx context.Context) (all map[[16]byte]sighting, err error) {
	found, err := l.conn.QueryContext(ctx, "SELECT id, beat, seen, kek, COALESCE(clear, seen) FROM "+member+" WHERE id <> ?", l.self[:])
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	all = map[[16]byte]sighting{}
	for found.Next() {
		var id, kek []byte
		s := sighting{since: time.Now()}
		if err := found.Scan(&id, &s.beat, &s.seen, &kek, &s.clear); err != nil {
			return nil, err
		}
		copy(s.kek[:], kek)
		var key [16]byte
		copy(key[:], id)
		all[key] = s
	}
	return all, found.Err()
}

// Link is the server's number of the connection over which the ledger is read, for
// who looks for it at the server.
func (l *Ledger) Link(ctx context.Context) (id int64, err error) {
	err = l.connected(ctx, func(ctx context.Context) error {
		return l.conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id)
	})
	return id, err
}

// linkLock is the name of the lock that a member has for as long as it is connected. The
// server gives it back with the connection, whose number alone would tell nothing: a server
// that has been started anew gives the same numbers again.
const linkLock = "CONCAT('" + catalog.Schema + ".link.', HEX(id), '.', link)"

// Alone reports whether no other member is connected.
func (l *Ledger) Alone(ctx context.Context) (bool, error) {
	var others int
	err := l.o.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+member+" WHERE id <> ? AND IS_USED_LOCK("+linkLock+") = link", l.self[:]).Scan(&others)
	return others == 0, err
}

// FenceOf is the fence that a stored table has now; "" if it has none, or there is no such
// table. It waits for no transaction, and so not for one of who asks.
func (l *Ledger) FenceOf(ctx context.Context, t *catalog.Table) (fence string, err error) {
	err = l.o.DB.QueryRowContext(ctx, "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND COLUMN_NAME LIKE ?",
		t.Schema, t.Name, catalog.FencePattern).Scan(&fence)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return fence, err
}

// Lock keeps other processes from changing tables that are in the catalog, from before a
// change is prepared until after it is done, or given up. It waits for those that do. The
// server gives the locks back with the connection that has them.
func (l *Ledger) Lock(ctx context.Context, tables []catalog.ID) (unlock func(), err error) {
	return lockTables(ctx, l.o.DB, tables, true)
}

// TryLock is Lock that waits for nobody: unlock is nil if somebody has a lock.
func (l *Ledger) TryLock(ctx context.Context, tables []catalog.ID) (unlock func(), err error) {
	return lockTables(ctx, l.o.DB, tables, false)
}
