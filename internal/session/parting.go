package session

import (
	"slices"
	"strings"
	"time"

	"tunic/internal/plan"
	"tunic/internal/socket"
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
		if len(l.tables) < namesMax {
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

// ends reports, once behind each command, whether a session that drains and keeps nothing ends with its answer.
func (l *parting) ends() bool {
	last := l.last
	l.last = stepOther
	return l.trail.parts(last)
}

// heard is after a command has come: the answer is kept back until it is known whether it is the
// last one.
func (s *Session) heard() {
	if ending(s.ending.Load()) == endingDrain {
		s.parting.quiet, s.parting.heard = time.Time{}, true
		socket.Cork(s.socket, true)
	}
}

// leaves decides for a session that drains and is between commands: whether it goes on, or how it
// ends. If both are not set its client is to be told.
func (s *Session) leaves() (goesOn bool, err error) {
	now, until := time.Now(), time.Unix(0, s.until.Load())
	switch {
	case !now.Before(until):
		return false, nil
	case s.keeps():
	case s.parting.heard && s.parting.ends():
		return false, errDrained
	default:
		if s.parting.quiet.IsZero() {
			s.parting.quiet = now.Add(s.parting.patience())
		}
		if !now.Before(s.parting.quiet) {
			return false, nil
		}
		if s.parting.quiet.Before(until) {
			until = s.parting.quiet
		}
	}
	socket.Cork(s.socket, false)
	return true, s.socket.SetReadDeadline(until)
}

// keeps reports whether something would be lost with the session.
func (s *Session) keeps() bool {
	if s.response.Status&wire.StatusInTransaction != 0 || s.parting.xa || s.parting.locks > 0 ||
		s.state.locks() || len(s.parting.tables)+len(s.temporaries.tables) > 0 {
		return true
	}
	for _, st := range s.prepared.byID {
		if st.cursor {
			return true
		}
	}
	return false
}

// tracksCursor notes whether a statement has an open cursor after a command on it.
func (s *Session) tracksCursor(st *statement, m wire.Execute, err error) {
	if err != nil {
		return
	}
	switch m.Command {
	case wire.ComStmtExecute, wire.ComStmtBulkExecute:
		st.cursor = m.AsksCursor() && s.response.Status&wire.StatusCursorExists != 0
	case wire.ComStmtFetch:
		st.cursor = st.cursor && s.response.Status&wire.StatusLastRowSent == 0
	default:
		st.cursor = false
	}
}
