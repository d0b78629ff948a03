package ledger

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"tunic/internal/catalog"
)

// A definition gets its table when no transaction has used it that is still open. While it
// waits for that at the server, all others wait behind it, and one that has read the table
// and is about to write to it waits for who waits for it: the server ends it (1213). So it is
// the tunics that wait, for a quiet moment: each keeps statements from the table whose transactions
// have not used it, lets the others go on to their end, and tells when there is none left.
// Then the definition has the table at once.
//
//	who asks     the others
//	announce ──► read it with a look at the ledger
//	          …  the same moment, by the server's clock
//	hold         hold
//	             still: take a lock at the server
//	all have ──► the definition
//	end ───────► read what has been changed, and let go
//
// Nothing but time hangs on a quiet moment. Who has not heard of it, or lets go too early, has its
// transactions waited for by the server as ever. Who has asked has a lock at the server
// meanwhile, so that others go on at once when it is gone, and after quiesceLongest when it hangs.

// Times of a quiet moment.
const (
	quiesceLongest = 4 * time.Second        // that statements are held for one, whatever becomes of it
	quiesceMoving  = 200 * time.Millisecond // within which there are to be fewer transactions
	quiesceMore    = 4                      // times as long as asked for it is waited while there are,
	quiesceMost    = 5 * time.Second / 2    // but no longer
	quiesceOthers  = 2                      // times as long as for the own ones it is waited for those of others
	quiesceLook    = 5 * time.Millisecond   // between two looks at what others say
)

// Stillness is what has come of asking to quiesce.
type Stillness int

// The kinds of stillness.
const (
	Busy  Stillness = iota // transactions of this tunic's that have used the table are open
	Quiet                  // none of this tunic's are; others may have some, or do not answer
	Still                  // none of any tunic's are
)

// Quiesce waits for a moment in which no open transaction of any tunic's has used a table: for as
// long as wait is, and for up to four times that while such transactions end. Clients who want to
// begin with the table wait meanwhile, and the server works for those that are to end, the
// faster the fewer there are. Until end is called, and for quiesceLongest at most, none begins with it.
// waited is how long clients may have had to wait by then; it is 0 where the table was still at once.
func (l *Ledger) Quiesce(ctx context.Context, id catalog.ID, wait time.Duration) (found Stillness, waited time.Duration, end func(), err error) {
	alone, err := l.Alone(ctx)
	if err != nil {
		return Busy, 0, nil, err
	}
	forget := func() {}
	var name string
	if !alone {
		if name, forget, err = l.announceQuiesce(ctx, id); err != nil {
			return Busy, 0, nil, err
		}
	}
	letGo := l.gate.hold(id)
	longest := time.AfterFunc(quiesceLongest, letGo)
	end = func() {
		longest.Stop()
		forget()
		letGo()
	}
	began := time.Now()
	if alone && l.gate.Busy(id) == 0 {
		return Still, 0, end, nil
	}
	if l.awaitFew(ctx, id, wait, began.Add(min(quiesceMore*wait, quiesceMost))) {
		found = Still
		if !alone {
			found, err = l.awaitOthers(ctx, name, began.Add(min(max(wait, quiesceOthers*time.Since(began)), quiesceLongest-quiesceMoving)))
		}
	}
	if err != nil {
		end()
		return Busy, 0, nil, err
	}
	return found, time.Since(began), end, nil
}

// awaitFew waits until the own transactions have ended that have used a table: as long as wait
// is, and then until most while they become fewer. Those count, and not the statements that are
// under way: how many of these there are differs from one moment to the next.
func (l *Ledger) awaitFew(ctx context.Context, id catalog.ID, wait time.Duration, most time.Time) bool {
	for patience := wait; ; patience = min(quiesceMoving, time.Until(most)) {
		before := l.gate.users(id)
		waiting, cancel := context.WithTimeout(ctx, patience)
		still := l.gate.awaitStill(id, waiting.Done())
		cancel()
		switch {
		case still:
			return true
		case ctx.Err() != nil, !time.Now().Before(most), before > 0 && l.gate.users(id) >= before:
			return false
		}
	}
}

// awaitOthers waits until all other members say that their transactions have ended.
func (l *Ledger) awaitOthers(ctx context.Context, name string, most time.Time) (Stillness, error) {
	for {
		still, err := l.allStill(ctx, name)
		switch {
		case still:
			return Still, err
		case err != nil || !time.Now().Before(most):
			return Quiet, err
		}
		if err := sleep(ctx, quiesceLook); err != nil {
			return Quiet, err
		}
	}
}

// announceQuiesce has the other members hold the gate of a table from some time on, and waits
// until then. name is that of the quiet moment; forget ends it.
func (l *Ledger) announceQuiesce(ctx context.Context, id catalog.ID) (name string, forget func(), err error) {
	var random [8]byte
	_, _ = rand.Read(random[:])
	name = hex.EncodeToString(random[:])
	conn, err := l.o.DB.Conn(ctx)
	if err != nil {
		return "", nil, err
	}
	forget = func() { discard(conn) }
	ahead := l.beatTime() * 3 / 2
	begin := time.Now()
	_, err = conn.ExecContext(ctx, "DO GET_LOCK(?, 0)", quiesceLock+name)
	if err == nil {
		_, err = conn.ExecContext(ctx, "REPLACE INTO "+quiesce+" (one, name, object, begins) VALUES (1, ?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)",
			name, id[:], ahead.Microseconds())
	}
	if err == nil {
		err = sleep(ctx, time.Until(begin.Add(ahead)))
	}
	if err != nil {
		forget()
		return "", nil, err
	}
	return name, forget, nil
}

// quiesceLock begins the name of the lock that who has asked to quiesce has until its end.
const quiesceLock = catalog.Schema + ".quiesce."

// beatTime is the time between two looks at the ledger.
func (l *Ledger) beatTime() time.Duration { return cmp.Or(l.o.beat, beat) }

// stillLock is the name of the lock by which a member says that its transactions have ended.
const stillLock = "CONCAT('" + catalog.Schema + ".still.', ?, '.', HEX(id))"

// allStill reports whether every other member that is connected says so.
func (l *Ledger) allStill(ctx context.Context, name string) (bool, error) {
	var busy int
	err := l.o.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+member+" WHERE id <> ? AND IS_USED_LOCK("+linkLock+") = link AND IS_FREE_LOCK("+stillLock+") = 1",
		l.self[:], name).Scan(&busy)
	return busy == 0, err
}

// seeQuiesce looks whether another member has asked to quiesce. The caller holds mu.
func (l *Ledger) seeQuiesce(ctx context.Context, life context.Context) error {
	var name string
	var object []byte
	var in int64 // microseconds
	err := l.conn.QueryRowContext(ctx, "SELECT name, object, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), begins) FROM "+quiesce+" WHERE one = 1").Scan(&name, &object, &in)
	if errors.Is(err, sql.ErrNoRows) || err == nil && name == l.quiesce {
		return nil
	}
	if err != nil {
		return err
	}
	l.quiesce = name
	begins := time.Duration(in) * time.Microsecond
	var id catalog.ID
	if copy(id[:], object); len(object) != len(id) || begins < -quiesceLongest || begins > time.Minute {
		return nil // nobody's any more
	}
	at := time.Now().Add(begins)
	l.quiesces.Go(func() { l.joinQuiesce(life, name, id, at) })
	return nil
}

// joinQuiesce does what a member has asked for: it holds the gate of a table from a time on, says
// when its own transactions have ended, and goes on when that member has done, with what it
// has changed.
func (l *Ledger) joinQuiesce(life context.Context, name string, id catalog.ID, at time.Time) {
	ctx, cancel := context.WithDeadline(life, at.Add(quiesceLongest))
	defer cancel()
	conn, err := l.o.DB.Conn(ctx)
	if err != nil {
		return // it is not waited for in vain for long
	}
	defer discard(conn)
	if sleep(ctx, time.Until(at)) != nil {
		return
	}
	defer l.gate.hold(id)()
	for said := false; ; {
		if !said && l.gate.Busy(id) == 0 {
			if _, err := conn.ExecContext(ctx, "DO (SELECT GET_LOCK("+stillLock+", 0) FROM "+member+" WHERE id = ?)", name, l.self[:]); err != nil {
				return
			}
			said = true
		}
		var asker sql.NullInt64
		if err := conn.QueryRowContext(ctx, "SELECT IS_USED_LOCK(?)", quiesceLock+name).Scan(&asker); err != nil {
			return
		}
		if !asker.Valid {
			_, _ = l.catchUpSoon(nil) // else it is told by the first statement that is out of date
			return
		}
		if sleep(ctx, quiesceLook) != nil {
			return
		}
	}
}

// sleep is a pause that ends with the context.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
