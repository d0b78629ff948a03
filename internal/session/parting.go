package session

import (
	"slices"
	"strings"
	"time"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// A session that drains ends where no command of its client can be on its way:
//
//   - with the answer that ends a piece of work: that of COMMIT, or of a statement that is its own
//     transaction, or of what its client does behind that (trail.go). The end of the connection comes in the same segment as the answer, so that a
//     pool which looks at a connection before it uses it cannot miss it;
//   - or when the client has sent nothing for a while.
//
// Ended at once, as it was idle, the session of a busy pool would now and then end just when the
// pool has looked at it and sends the next statement, which no driver may repeat by itself.
//
// While there is something in the session that goes with it, it goes on: a transaction, locks,
// temporary tables, open cursors.

// parting is what the end of a session while tunic drains depends on.
type parting struct {
	did    *plan.Plan          // of the last command; nil if it was no statement
	trail  trail               // what the client does behind its work
	last   step                // what the last command was
	locks  int                 // taken with GET_LOCK, as far as statements tell
	xa     bool                // XA PREPARE has left a transaction that the session is to end
	tables map[string]struct{} // temporary ones, by their names alone
	quiet  time.Time           // until when the client is waited for
	heard  bool                // the last command came when the session was to end
}

// quietFor is how long a client that is sent away has to be silent. Pools look at a connection
// that was idle for longer before they use it. busyFor is the same behind a command that was no work, as
// a look is: work is to come, and clients of a busy machine are slow.
const (
	quietFor = time.Second
	busyFor  = 5 * time.Second
)

// tablesMax bounds the temporary tables that are known.
const tablesMax = 4096

// follow takes over what statements say of locks and of transactions in two phases.
func (l *parting) follow(p *plan.Plan, failed bool) {
	for i := range p.Statements {
		e := &p.Statements[i].Effects
		if e.Tx.Has(sql.TxXA) {
			l.xa = e.Tx.Has(sql.TxXAPrepare) && !failed
		}
		switch e.Locks {
		case sql.LocksGet:
			l.locks++
		case sql.LocksRelease:
			l.locks = max(l.locks-1, 0)
		case sql.LocksReleaseAll:
			l.locks = 0
		case sql.LocksNothing:
		}
		if !failed {
			l.temporary(e)
		}
	}
}

// temporary follows temporary tables. Of two with one name in two schemas it knows one: what State
// knows is for who must not take one for another.
func (l *parting) temporary(e *sql.Effects) {
	for _, t := range e.TemporaryCreated {
		if l.tables == nil {
			l.tables = map[string]struct{}{}
		}
		if len(l.tables) < tablesMax {
			l.tables[strings.ToLower(t.Name)] = struct{}{}
		}
	}
	for _, t := range slices.Concat(e.TemporaryDropped, e.MaybeDropped) {
		delete(l.tables, strings.ToLower(t.Name))
	}
}

// reset is after the server has forgotten all of the session.
func (l *parting) reset() {
	l.locks, l.xa, l.tables, l.trail = 0, false, nil, trail{waits: l.trail.waits}
}

func (l *parting) patience() time.Duration {
	if l.heard {
		return busyFor
	}
	return quietFor
}

// begins is before a command: it is no statement, as far as is known.
func (l *parting) begins() { l.did = nil }

// does is before the statements of a plan.
func (l *parting) does(p *plan.Plan) { l.did = p }

// arrives is before the first command.
func (l *parting) arrives(status wire.Status) { l.trail.step(nil, status) }

// answered is behind a command that has an answer, with the status behind it.
func (l *parting) answered(status wire.Status) { l.last = l.trail.step(l.did, status) }

// comes is after a command has come while the session is to end.
func (l *parting) comes() { l.quiet, l.heard = time.Time{}, true }

// keeps reports whether a lock, a temporary table or a transaction in two phases would be lost with the session.
func (l *parting) keeps() bool { return l.xa || l.locks > 0 || len(l.tables) > 0 }

// ends reports, once behind each command, whether a session that drains and keeps nothing ends with its answer.
func (l *parting) ends() bool {
	if !l.heard {
		return false
	}
	last := l.last
	l.last = stepOther
	return l.trail.parts(last)
}

// silent reports whether the client has been silent for long enough; if not, it is waited for until a time.
func (l *parting) silent(now time.Time) (until time.Time, enough bool) {
	if l.quiet.IsZero() {
		l.quiet = now.Add(l.patience())
	}
	return l.quiet, !now.Before(l.quiet)
}
