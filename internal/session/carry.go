package session

import (
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/exec"
	"tunic/internal/ledger"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// carrier is what carries out this session's statements over protected tables. It
// is made for the first of them.
func (s *Session) carrier() *exec.Session {
	if s.carries == nil {
		s.carries = exec.NewSession(s.shared.Engine, exec.Link{
			Client: s.client, Caps: s.caps, Server: s.server, Response: &s.response, Waiter: waiter{s}, Modes: s.state.AtLogin(),
			Catalog: s.catalog, Fence: s.fenceOf, Told: s.shared.Ledger.Catalog, Own: s.ownRows(), Variables: sessionVariables{s}, Leaving: s.leaving, Locked: func() bool { return s.state.IsLocked() },
			Clock: &s.clock, File: s.clientFile, Schema: s.schema,
		})
	}
	return s.carries
}

// enter enters the gate of a protected table, for as long as a statement on it is
// under way. Who holds the server's lock on it by a transaction need not wait, nor who holds
// that on another one which is changed with it: what is planned for the table before is refused
// by its fence, should it have been changed all the same.
func (s *Session) enter(t *catalog.Table) (*ledger.Inside, error) {
	if s.shared.Ledger.Await(s.life.Done()) != nil {
		return nil, sqlerr.LedgerLost()
	}
	if s.state.Locks() {
		return s.enterLocked(t)
	}
	inside, ok := s.shared.Ledger.Gate().Enter(t.ID, s.uses(t), s.life.Done())
	if !ok {
		return nil, sqlerr.ShuttingDown()
	}
	return inside, nil
}

// uses tells which tables the transaction under way holds the server's locks on. Without the
// fence of a table nothing is known of it by another one.
func (s *Session) uses(t *catalog.Table) func(catalog.ID) bool {
	return func(other catalog.ID) bool {
		return s.touched.Has(other) && (other == t.ID || !s.unfenced && t.Fence() != "")
	}
}

// touches notes that a transaction has used tables, once the server has said so.
func (s *Session) touches(tables []*catalog.Table) {
	if s.response.Failed || s.response.Status&wire.StatusInTransaction == 0 {
		return
	}
	for _, t := range tables {
		s.touched.Add(t.ID, s.shared.Ledger.Gate())
		if t.Plain() {
			s.touched.AddName(plan.Named{Schema: t.Schema, Table: t.Name})
		}
	}
}

// unkeyed is what to tell of a table whose columns cannot be used.
func unkeyed(err error) error {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return e
	}
	return sqlerr.NoKey()
}

// waiter is the session, as its server is waited for.
type waiter struct{ session *Session }

// Write implements dialogue.Waiter.
func (w waiter) Write() error { return w.session.writePending() }

// Killed implements dialogue.Waiter.
func (w waiter) Killed() bool { return w.session.wasKilled() }

// writePending writes what there is for the client.
func (s *Session) writePending() error {
	s.shared.Metrics.Bytes.ClientOut.Add(s.client.Pending())
	return s.write(nil)
}

// enterAll enters the gates of tables; none if it fails. Plain ones have none.
func (s *Session) enterAll(tables []*catalog.Table) error {
	if s.outsider && slices.ContainsFunc(tables, func(t *catalog.Table) bool { return !t.Plain() }) {
		return sqlerr.AccountPlain()
	}
	return s.enterToTell(tables)
}

// enterToTell is enterAll for what tells of tables, and of no value in them.
func (s *Session) enterToTell(tables []*catalog.Table) error {
	s.notes(tables)
	if _, err := s.awaitComing(tables); err != nil {
		return err
	}
	for _, t := range tables {
		if t.Plain() {
			continue
		}
		if t.Late && s.catalog().Knows(t) { // as servers say of a key; else it is planned anew
			s.leave()
			return exec.Redefined()
		}
		inside, err := s.enter(t)
		if err != nil {
			s.leave()
			return err
		}
		s.inside = append(s.inside, inside)
	}
	return nil
}

// leave leaves the gates that the session is inside of.
func (s *Session) leave() {
	for _, inside := range s.inside {
		inside.Leave()
	}
	s.inside = s.inside[:0]
}

// maxReplans is how often a statement is planned again because definitions have changed
// meanwhile: each time somebody has finished one.
const maxReplans = 100

// carry carries out, explains or answers the statement of a COM_QUERY. If its table has
// got another definition since it was planned, it is planned again.
func (s *Session) carry(p *plan.Plan, q wire.Query) error {
	tables := tablesOf(p)
	enter := s.enterAll
	if tellsOfTables(p) {
		s.hears(tables)
		enter = s.enterToTell
	}
	if err := enter(tables); err != nil {
		return s.carryFailed(err)
	}
	known := s.knows(tables) && s.knowsActions(p)
	if s.replans++; known {
		s.replans = 0
	}
	if !known {
		s.leave()
		if s.replans > maxReplans {
			s.replans = 0
			return s.failWith(exec.Redefined())
		}
		again, err := s.plan(q.Text)
		if err != nil {
			return err
		}
		return s.perform(again, q)
	}
	defer s.leave()
	s.since.Sees(p)
	return s.carrying(p, func(x *exec.Session) error { return s.carryText(x, p, q) })
}

// knows reports whether protected tables are still defined as a plan has them.
func (s *Session) knows(tables []*catalog.Table) bool {
	for _, t := range tables {
		if !t.Plain() && !s.catalog().Knows(t) {
			return false
		}
	}
	return true
}

// knowsActions reports whether a statement that writes rows was planned with the foreign keys
// that are there.
func (s *Session) knowsActions(p *plan.Plan) bool {
	run := runOf(p)
	return run == nil || !run.Writes() || run.Actions == s.catalog().Actions()
}

// carryText does what a plan says with a text.
func (s *Session) carryText(x *exec.Session, p *plan.Plan, q wire.Query) error {
	if asked := p.Inquiry(); asked != nil {
		if err := s.unkeptOf(q.Text); err != nil {
			return err
		}
		return x.Ask(s.told(asked), q)
	}
	st, err := x.Statement(runOf(p))
	switch {
	case err != nil:
		return unkeyed(err)
	case plan.Is[*plan.Explain](p):
		return x.Explain(p.Explained(), st, q, s.fingerprinter.Literals())
	}
	return x.Text(st, q, s.fingerprinter.Literals())
}

// carrying does something that is carried out, and follows what it has done to the
// session: that of the plan, if there is one.
func (s *Session) carrying(p *plan.Plan, do func(*exec.Session) error) error {
	begin := s.begins(p)
	s.sends()
	x := s.carrier()
	s.last.Anew()
	s.doubts()
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	s.renumbers = true
	err := s.functionsRead(p)
	if err == nil {
		err = do(x)
	}
	s.renumbers = false
	s.last.Counts.Carry(x)
	s.last.Counts.Hear(p, &s.response)
	if s.response.Failed {
		s.last.Counts.Fail()
	}
	if (s.response.Failed || err != nil) && outcome.AsksForRows(p) { // which may leave what was there before
		s.last.Counts.LoseFound()
	}
	s.last.Notes(x.Notices().Count() > 0 || s.response.Failed || s.response.Warnings > 0)
	if err != nil {
		s.untime()
		return s.carryFailed(err)
	}
	s.took(p, begin)
	if p == nil {
		return nil
	}
	if run := runOf(p); run != nil {
		s.touches(run.Tables)
	}
	return s.follow(p)
}

// carryFailed tells the client of a statement that has not reached the server, or
// that the session is over.
func (s *Session) carryFailed(err error) error {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		if err := s.staleOf(e); err != nil {
			return err
		}
		return s.failWith(e)
	}
	if broken, ok := errors.AsType[*dialogue.BrokenError](err); ok {
		s.renumbers = true
		return s.answerBroken(broken.Err)
	}
	return err
}

// failAnew is failWith for a statement of which nothing has been carried out: what there is
// to say of another one is past.
func (s *Session) failAnew(e *sqlerr.Error) error {
	s.last.Forgets()
	return s.failWith(e)
}

// failWith sends the client an error that may be in the server's words.
func (s *Session) failWith(e *sqlerr.Error) error {
	s.server.Told(e.Number)
	if e.Code != 0 {
		return s.fail(e)
	}
	s.last.Refuses(e)
	s.client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	return s.write(nil)
}
