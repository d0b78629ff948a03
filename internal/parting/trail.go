package parting

import (
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// A trail is what a client does behind a piece of work before it gives the connection back to its
// pool. A session that drains may not end between the two: the client would be told that work has
// failed which is done. What is known of clients:
//
//	Django, JDBC                      SET autocommit=0, work, COMMIT, SET autocommit=1
//	SQLAlchemy                        work, COMMIT, ROLLBACK, with autocommit off all the time
//	SQLAlchemy, AUTOCOMMIT            work, ROLLBACK
//	SQLAlchemy, AUTOCOMMIT for once   SET autocommit=1, work, ROLLBACK, SET autocommit=0,
//	                                  SET SESSION TRANSACTION ISOLATION LEVEL, COMMIT
//
// Others begin new work at once. So a session waits for a few trails only, and then ends behind work.
type trail struct {
	known  bool // auto and open are
	auto   bool // autocommit is on
	open   bool // a transaction is open
	turned bool // autocommit is not what it is for the client between two pieces of work
	behind bool // nothing but a trail has come since the last piece of work
	rolled bool // a COMMIT or ROLLBACK of no transaction was in it
	rolls  bool // the client does that in autocommit
	unsure bool // autocommit was off and on again before any work: turned may be the contrary
	waits  int  // how often the session has waited for a trail since it drains
}

// trailsMax is how many pieces of work a client may do at most that leaves no trail where one was likely.
const trailsMax = 8

// A step is what the last command was, as far as the end of a session goes.
type step int

const (
	stepOther   step = iota // more is likely to come: work, or the rest of a trail
	stepWork                // work, and nothing is likely to come behind it
	stepTrailed             // work, and a trail is likely to come
	stepLast                // the end of a trail
)

// step follows the last command: its plan, or nil, and the status behind it.
func (l *trail) step(did *plan.Plan, status wire.Status) step {
	auto, open := status&wire.StatusAutocommit != 0, status&wire.StatusInTransaction != 0
	switched, wasOpen := l.known && auto != l.auto, l.open
	l.known, l.auto, l.open = true, auto, open
	switch {
	case did != nil && l.behind && !wasOpen && ends(did):
		return l.rollsNothing()
	case did != nil && works(did):
		return l.works()
	case switched:
		return l.switches()
	case l.behind && did != nil && sets(did):
	case l.behind: // this is how the client leaves its connection to the pool
		l.behind, l.turned, l.unsure = false, false, false
	}
	return stepOther
}

// works is behind a statement that is work. In a transaction its end is still to come.
func (l *trail) works() step {
	l.behind, l.rolled = !l.open, false
	switch {
	case l.open:
		return stepOther
	case !l.auto, l.turned, l.rolls, l.unsure:
		return stepTrailed
	default:
		return stepWork
	}
}

// rollsNothing is behind COMMIT or ROLLBACK of no transaction, in a trail.
func (l *trail) rollsNothing() step {
	l.rolled, l.rolls = true, l.rolls || l.auto
	if l.auto && (l.turned || l.unsure) { // autocommit is to go off again
		return stepOther
	}
	l.turned = false
	return stepLast
}

// switches is behind a change of autocommit: to what it was before the work, or for work that is to
// come.
func (l *trail) switches() step {
	switch back := l.behind && l.auto != l.rolled; {
	case back && l.auto:
		l.turned, l.behind = false, false
		return stepLast
	case back: // COMMIT is likely to come
		l.turned = false
	default:
		l.unsure = l.unsure || l.turned && l.auto
		l.turned, l.behind = !l.turned, false
	}
	return stepOther
}

// parts reports whether a session that drains ends behind the last command.
func (l *trail) parts(last step) bool {
	if last == stepTrailed && l.waits < trailsMax {
		l.waits++
		return false
	}
	return last != stepOther
}

// ends reports whether all that was done is COMMIT or ROLLBACK.
func ends(p *plan.Plan) bool {
	for i := range p.Statements {
		if k := p.Statements[i].Kind; k != sql.Commit && k != sql.Rollback {
			return false
		}
	}
	return len(p.Statements) > 0
}

// sets reports whether all that was done is SET TRANSACTION.
func sets(p *plan.Plan) bool {
	for i := range p.Statements {
		if p.Statements[i].Kind != sql.SetTransaction {
			return false
		}
	}
	return len(p.Statements) > 0
}

// works reports whether a plan is a piece of work. Of others, as of SET and of the queries by which a
// pool asks whether a connection is alive, it is likely that work comes behind them.
func works(p *plan.Plan) bool {
	for i := range p.Statements {
		if st := &p.Statements[i]; !prelude[st.Kind] && !st.Tableless {
			return true
		}
	}
	return false
}

// prelude are the kinds of statements that come before the work.
var prelude = map[sql.Kind]bool{
	sql.Empty: true, sql.Begin: true, sql.Set: true, sql.SetNames: true, sql.SetCharacterSet: true, sql.SetTransaction: true, sql.SetRole: true,
	sql.Use: true, sql.Do: true, sql.Prepare: true, sql.Show: true, sql.ShowWarnings: true, sql.GetDiagnostics: true,
}
