package session

import (
	"errors"

	"tunic/internal/backend"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/exec"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// executor is what executes this session's statements over protected tables. It
// is made for the first of them.
func (s *Session) executor() *exec.Session {
	if s.exec == nil {
		s.exec = exec.NewSession(s.shared.Engine, exec.Link{
			Client: s.client, Caps: s.caps, Server: s.server, Response: &s.response, Waiter: waiter{s}, Modes: s.state.AtLogin(),
			Owner: owner{s}, Clock: &s.clock,
		})
	}
	return s.exec
}

// nextMayWrite is before whatever may change rows, or end a transaction.
func (s *Session) nextMayWrite() {
	if s.exec != nil {
		s.exec.Recall().Next()
	}
}

// touches notes that a transaction has used tables, once the server has said so.
func (s *Session) touches(tables []*catalog.Table) {
	if s.response.Failed || s.response.Status&wire.StatusInTransaction == 0 {
		return
	}
	for _, t := range tables {
		s.transaction.Touched.Add(t.ID, s.shared.Ledger.Gate())
		if t.Plain() {
			s.transaction.Touched.AddName(resolve.Name{Schema: t.Schema, Table: t.Name})
		}
	}
}

// failsOn notes that a transaction may have used the tables of a statement that has failed, unless that has ended it:
// the server keeps their definitions as if it had not. Where it does not, their fences tell.
func (s *Session) failsOn(p *plan.Plan, number uint16) {
	run := runOf(p)
	if run == nil || s.response.Status&wire.StatusInTransaction == 0 || backend.MayEndTransaction(number) {
		return
	}
	for _, t := range run.Tables {
		if t.Fence() != "" {
			s.transaction.Touched.Add(t.ID, s.shared.Ledger.Gate())
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
func (w waiter) Killed() bool { return w.session.killable.IsTold(w.session.server.Process()) }

// writePending writes what there is for the client.
func (s *Session) writePending() error {
	s.shared.Metrics.Bytes.ClientOut.Add(s.client.Pending())
	return s.write(nil)
}

// executeQuery executes the statement of a COM_QUERY.
func (s *Session) executeQuery(p *plan.Plan, q wire.Query) error {
	if e := plan.As[*plan.Execute](p); e.Tells {
		s.attempt.CatchUpToTell(e.Run.Tables)
		return s.executeGated(p, q, s.attempt.EnterToTell, s.text)
	}
	return s.executeGated(p, q, s.attempt.Enter, s.text)
}

// explainQuery explains the statement of one.
func (s *Session) explainQuery(p *plan.Plan, q wire.Query) error {
	return s.executeGated(p, q, s.attempt.Enter, s.textExplain)
}

// introspectQuery answers a question about tables.
func (s *Session) introspectQuery(p *plan.Plan, q wire.Query) error {
	if done, err := s.unlessLate(p); done {
		return err
	}
	s.attempt.CatchUpToTell(tablesOf(p))
	return s.executeGated(p, q, s.attempt.EnterToTell, s.textInquiry)
}

// executeGated does the statement of a COM_QUERY inside the gates of its tables. If one of them has
// got another definition since it was planned, it is planned again.
func (s *Session) executeGated(
	p *plan.Plan, q wire.Query, enter func([]*catalog.Table) error, do func(*exec.Session, *plan.Plan, wire.Query) error,
) error {
	tables := tablesOf(p)
	if err := enter(tables); err != nil {
		return s.tellFailed(err)
	}
	if !s.attempt.Knows(tables) || !s.knowsActions(p) {
		return s.attempt.Outdated()
	}
	defer s.attempt.Leave()
	s.transaction.Since.Sees(p)
	return s.executeWith(p, func(x *exec.Session) error { return do(x, p, q) })
}

// knowsActions reports whether a statement that writes rows was planned with the foreign keys
// that are there.
func (s *Session) knowsActions(p *plan.Plan) bool {
	run := runOf(p)
	return run == nil || !run.Writes() || run.Actions == s.attempt.Catalog().Actions()
}

// text executes the text of a plan.
func (s *Session) text(x *exec.Session, p *plan.Plan, q wire.Query) error {
	st, err := x.Statement(p.Run())
	if err != nil {
		return unkeyed(err)
	}
	return x.Text(st, q, s.fingerprinter.Literals())
}

// textExplain explains what it would be executed by.
func (s *Session) textExplain(x *exec.Session, p *plan.Plan, q wire.Query) error {
	st, err := x.Statement(p.Explained().Run)
	if err != nil {
		return unkeyed(err)
	}
	return x.Explain(p.Explained(), st, q, s.fingerprinter.Literals())
}

// textInquiry answers its question.
func (s *Session) textInquiry(x *exec.Session, p *plan.Plan, q wire.Query) error {
	if err := s.unkeptOf(q.Text); err != nil {
		return err
	}
	return x.Ask(s.told(p.Inquiry()), q)
}

// executeWith does something with what executes statements, and follows what it has done to the
// session: that of the plan, if there is one.
func (s *Session) executeWith(p *plan.Plan, do func(*exec.Session) error) error {
	return s.executeAs(false, p, do)
}

// isTableless reports whether a plan is that of a query of no table, which tunic computes.
func isTableless(p *plan.Plan) bool {
	return p.Run() != nil && len(p.Run().Tables) == 0 && len(p.Names) == 0
}

// executeAs is executeWith. What reads no table leaves MariaDB's list of warnings as it is.
func (s *Session) executeAs(tableless bool, p *plan.Plan, do func(*exec.Session) error) error {
	if tableless && s.state.Modes()&sql.MariaDB != 0 {
		s.last.LeaveOwn(s.exec)
	} else {
		s.last.Anew()
	}
	begin := s.begins(p)
	s.sends()
	x := s.executor()
	s.doubts()
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	s.renumbers = true
	err := s.functionsRead(p)
	if err == nil {
		err = do(x)
	}
	if p != nil && p.Functions {
		x.Recall().Forget() // one of the server's own may write
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
		told := s.tellFailed(err)
		if e, ok := errors.AsType[*sqlerr.Error](err); ok && told == nil && p != nil && e.Code == 0 {
			s.failsOn(p, e.Number)
		}
		return told
	}
	s.took(p, begin)
	if p == nil {
		return nil
	}
	if run := runOf(p); run != nil {
		s.touches(run.Tables)
	}
	if s.response.Failed {
		s.failsOn(p, s.response.ErrNumber)
	}
	return s.follow(p)
}

// tellFailed tells the client of a statement that has not reached the server, or
// that the session is over.
func (s *Session) tellFailed(err error) error {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		if err := s.attempt.Stale(e); err != nil {
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

// failAnew is failWith for a statement of which nothing has been executed: what there is
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
	s.transaction.Touched.Fails(e.Number)
	s.last.Refuses(e)
	s.client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	return s.write(nil)
}
