package session

import (
	"bytes"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A session that has locked tables holds the server's locks on them from one statement
// to the next. A change of their definitions waits for it there, with their gates
// closed, so that the session must pass; and it must not wait for a change in turn, nor
// for whoever waits for it inside a gate.
//
//	LOCK TABLES ──► inside the gates of the tables ──► server ──► held, outside
//	UNLOCK TABLES, START TRANSACTION, … ──► not held
//
// Stored tables have the names of the logical ones, so the statement itself goes to the
// server as it came. The gates make sure that a change which the server is through with
// is also written down before the lock is granted.

// locking passes on a command that locks tables for the session, inside the gates of those that are protected.
func (s *Session) locking(p *plan.Plan, command wire.Command, payload []byte) error {
	if s.shared.Ledger == nil {
		return s.lock(p, command, payload)
	}
	if done, err := s.unlock(p); done {
		return err
	}
	do := func() error {
		tables := s.toLock(p.Locks())
		if err := s.attempt.Enter(tables); err != nil {
			return s.tellFailed(err)
		}
		if !slices.EqualFunc(tables, s.toLock(p.Locks()), (*catalog.Table).Is) {
			return s.attempt.Outdated()
		}
		defer s.attempt.Leave()
		return s.lock(p, command, payload)
	}
	return s.retrying(do, do)
}

// lock has the server lock them.
func (s *Session) lock(p *plan.Plan, command wire.Command, payload []byte) error {
	if err := s.pass(p, command, payload); err != nil {
		return err
	}
	if s.response.Failed || s.response.Succeeded != 1 {
		return nil
	}
	s.state.Hold(p.Locks())
	return nil
}

// unlock does beforehand what the server does first: it ends the transaction and lets
// go of what LOCK TABLES holds. The session is to hold nothing while it waits. If that fails, the client
// has been told, and done is true.
func (s *Session) unlock(p *plan.Plan) (done bool, err error) {
	client := s.aside()
	if s.state.IsLocked() && !s.state.IsFrozen() && p.Statements[0].Kind == sql.LockTables && client.Exec(s.life, "UNLOCK TABLES") == nil {
		s.state.Unlocked()
	}
	if client.Broken == nil && s.response.Status&wire.StatusInTransaction != 0 && client.Exec(s.life, sql.TextCommit) == nil {
		s.transaction.Touched.Clear()
	}
	if client.Broken == nil && client.Lost == nil {
		_ = client.Settle() // the statement itself ends a transaction, too
	}
	switch {
	case client.Broken != nil:
		return true, s.brokenBefore(client.Broken)
	case client.Lost != nil:
		return true, s.tellEnded(wire.ComQuery, client.Lost)
	}
	return false, nil
}

// toLock are the protected tables among those that are to be locked, in the order in
// which gates are entered.
func (s *Session) toLock(l *sql.TableLocks) (tables []*catalog.Table) {
	c := s.attempt.Catalog()
	if l.All {
		tables = slices.Collect(c.Tables())
	}
	for i := range l.List {
		if t := c.Table(l.List[i].Table.Schema, l.List[i].Table.Name); t != nil && !slices.Contains(tables, t) {
			tables = append(tables, t)
		}
	}
	slices.SortFunc(tables, func(a, b *catalog.Table) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return tables
}

// loosens are the kinds of definitions after which a table may not be held any more;
// ALTER TABLE is one where it is not forwarded. Others leave the locks as they are.
var loosens = map[sql.Kind]bool{sql.DropTable: true, sql.RenameTable: true, sql.DropDatabase: true}

// frozen is what servers say to a definition under FLUSH TABLES WITH READ LOCK. They say
// it only of what reaches them: nil if nothing is so locked.
func (s *Session) frozen() *sqlerr.Error {
	if !s.state.IsFrozen() {
		return nil
	}
	return &sqlerr.Error{Number: 1223, State: "HY000", Message: "Can't execute the query because you have a conflicting read lock"}
}
