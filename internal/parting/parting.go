package parting

import (
	"slices"
	"strings"
	"time"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Track is what the end of a session while tunic drains depends on.
type Track struct {
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

// Follow takes over what statements say of locks and of transactions in two phases.
func (l *Track) Follow(p *plan.Plan, failed bool) {
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
func (l *Track) temporary(e *sql.Effects) {
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

// Reset is after the server has forgotten all of the session.
func (l *Track) Reset() {
	l.locks, l.xa, l.tables, l.trail = 0, false, nil, trail{waits: l.trail.waits}
}

func (l *Track) patience() time.Duration {
	if l.heard {
		return busyFor
	}
	return quietFor
}

// Begins is before a command: it is no statement, as far as is known.
func (l *Track) Begins() { l.did = nil }

// Does is before the statements of a plan.
func (l *Track) Does(p *plan.Plan) { l.did = p }

// Arrives is before the first command.
func (l *Track) Arrives(status wire.Status) { l.trail.step(nil, status) }

// Answered is behind a command that has an answer, with the status behind it.
func (l *Track) Answered(status wire.Status) { l.last = l.trail.step(l.did, status) }

// Comes is after a command has come while the session is to end.
func (l *Track) Comes() { l.quiet, l.heard = time.Time{}, true }

// Keeps reports whether a lock, a temporary table or a transaction in two phases would be lost with the session.
func (l *Track) Keeps() bool { return l.xa || l.locks > 0 || len(l.tables) > 0 }

// Ends reports, once behind each command, whether a session that drains and keeps nothing ends with its answer.
func (l *Track) Ends() bool {
	if !l.heard {
		return false
	}
	last := l.last
	l.last = stepOther
	return l.trail.parts(last)
}

// Silent reports whether the client has been silent for long enough; if not, it is waited for until a time.
func (l *Track) Silent(now time.Time) (until time.Time, enough bool) {
	if l.quiet.IsZero() {
		l.quiet = now.Add(l.patience())
	}
	return l.quiet, !now.Before(l.quiet)
}
