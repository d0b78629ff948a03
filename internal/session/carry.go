package session

import (
	"errors"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/ledger"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// carrier is what carries out this session's statements over protected tables. It
// is made for the first of them.
func (s *Session) carrier() *exec.Session {
	if s.carries == nil {
		s.carries = exec.NewSession(s.shared.Engine, exec.Link{
			Client: s.client, Caps: s.caps, Server: s.server, Response: &s.response, Write: s.writePending, Modes: s.state.login,
			Catalog: s.catalog, Locked: func() bool { return s.state.locked },
		})
	}
	return s.carries
}

// enter enters the gate of a protected table, for as long as a statement on it is
// under way. Who holds the server's lock on it by a transaction need not wait.
func (s *Session) enter(t *catalog.Table) (*ledger.Inside, error) {
	if s.shared.Ledger.Await(s.life.Done()) != nil {
		return nil, sqlerr.LedgerLost()
	}
	_, pass := s.touched[t.ID]
	inside, ok := s.shared.Ledger.Gate().Enter(t.ID, pass, s.life.Done())
	if !ok {
		return nil, sqlerr.ShuttingDown()
	}
	return inside, nil
}

// touches notes that a transaction has used a table, once the server has said so.
func (s *Session) touches(t *catalog.Table) {
	if s.response.Failed || s.response.Status&wire.StatusInTransaction == 0 {
		return
	}
	if s.touched == nil {
		s.touched = make(map[catalog.ID]struct{})
	}
	s.touched[t.ID] = struct{}{}
}

// unkeyed is what to tell of a table whose columns cannot be used.
func unkeyed(err error) error {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return e
	}
	return sqlerr.NoKey()
}

// writePending writes what there is for the client.
func (s *Session) writePending() error {
	s.shared.Metrics.Bytes.ClientOut.Add(s.client.Pending())
	return s.write(nil)
}

// carry carries out the statement of a COM_QUERY. If its table has got another
// definition since it was planned, it is planned again.
func (s *Session) carry(p *plan.Plan, q wire.Query) error {
	inside, err := s.enter(p.Run.Table)
	if err != nil {
		return s.carryFailed(err)
	}
	if t := p.Run.Table; !t.Is(s.catalog().Table(t.Schema, t.Name)) {
		inside.Leave()
		if p, err = s.plan(q.Text); err != nil {
			return err
		}
		return s.perform(p, q)
	}
	defer inside.Leave()
	return s.carrying(p, func(x *exec.Session) error {
		st, err := x.Statement(p.Run)
		if err != nil {
			return unkeyed(err)
		}
		return x.Text(st, q, s.fingerprinter.Literals())
	})
}

// carryPrepare has a statement over a protected table prepared.
func (s *Session) carryPrepare(p *plan.Plan, text []byte) error {
	if s.prepared.count() >= s.prepared.max {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.max))
	}
	return s.carrying(nil, func(x *exec.Session) error {
		st, err := x.Statement(p.Run)
		if err != nil {
			return unkeyed(err)
		}
		prepared, err := x.Prepare(st, text, s.fingerprinter.Literals())
		if prepared != nil {
			s.prepared.add(s.response.Prepared.ID, &statement{plan: p, carried: prepared})
			s.shared.Metrics.Prepared.Inc()
		}
		return err
	})
}

// carryExecute does a command on a prepared statement over a protected table.
func (s *Session) carryExecute(st *statement, m wire.Execute, payload []byte) error {
	switch {
	case st.explained != nil && m.Command == wire.ComStmtExecute:
		return s.explainExecute(st, m)
	case st.explained != nil && m.Command == wire.ComStmtFetch:
		return s.fail(sqlerr.CommandRefused(m.Command.String()))
	}
	switch m.Command {
	case wire.ComStmtExecute:
		s.count(st.plan)
		inside, err := s.enterAgain(st)
		if err != nil || inside == nil {
			return err
		}
		defer inside.Leave()
		return s.carrying(st.plan, func(x *exec.Session) error { return x.Execute(st.carried, m) })
	case wire.ComStmtFetch:
		return s.carrying(nil, func(x *exec.Session) error { return x.Fetch(st.carried, payload) })
	case wire.ComStmtReset:
		st.carried.Reset()
		return s.exchangeCommand(m.Command, st.carried.Command(payload))
	default:
		return s.fail(sqlerr.CommandRefused(m.Command.String()))
	}
}

// enterAgain enters the gate of a prepared statement's table. If the table has got
// another definition since, the statement is planned and prepared again. It returns
// nil if that has failed and the client knows.
func (s *Session) enterAgain(st *statement) (*ledger.Inside, error) {
	for {
		inside, err := s.enter(st.plan.Run.Table)
		if err != nil {
			return nil, s.carryFailed(err)
		}
		if !s.carrier().Outdated(st.carried) {
			return inside, nil
		}
		inside.Leave()
		if done, err := s.renew(st); done || err != nil {
			return nil, err
		}
	}
}

// renew plans a prepared statement again. One that cannot be carried out any more is
// answered with the reason, and done is true.
func (s *Session) renew(st *statement) (done bool, err error) {
	text := st.carried.Text()
	p, err := s.plan(text)
	if err != nil {
		return true, err
	}
	switch p.Action {
	case plan.Carry:
	case plan.Forward: // the table is gone, or plain
		if done, err := s.unlessMissing(p, text); done {
			return true, err
		}
		return true, s.failWith(exec.NeedsPreparing())
	case plan.Refuse:
		return true, s.refuse(p.Refusal)
	default:
		return true, s.failWith(exec.NeedsPreparing())
	}
	x := s.carrier()
	again, err := x.Statement(p.Run)
	if err == nil {
		err = x.Renew(st.carried, again, s.fingerprinter.Literals())
	} else {
		err = unkeyed(err)
	}
	if err != nil {
		return true, s.carryFailed(err)
	}
	st.plan = p
	return false, nil
}

// carrying does something that is carried out, and follows what it has done to the
// session: that of the plan, if there is one.
func (s *Session) carrying(p *plan.Plan, do func(*exec.Session) error) error {
	begin := time.Now()
	x := s.carrier()
	s.refused, s.noted = nil, false
	if s.state.doubtful { // a statement that was prepared before
		x.Doubt()
		s.state.doubtful = false
	}
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	s.renumbers = true
	err := do(x)
	s.renumbers = false
	s.uncounted = x.Uncounted()
	s.noted = x.Notices().Count() > 0 || s.response.Failed || s.response.Warnings > 0
	if err != nil {
		return s.carryFailed(err)
	}
	s.shared.Metrics.QueryDuration.Observe(time.Since(begin))
	if p == nil {
		return nil
	}
	if p.Run != nil {
		s.touches(p.Run.Table)
	}
	return s.follow(p)
}

// carryFailed tells the client of a statement that has not reached the server, or
// that the session is over.
func (s *Session) carryFailed(err error) error {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return s.failWith(e)
	}
	if broken, ok := errors.AsType[*exec.BrokenError](err); ok {
		s.renumbers = true
		return s.answerBroken(broken.Err)
	}
	return err
}

// failWith sends the client an error that may be in the server's words.
func (s *Session) failWith(e *sqlerr.Error) error {
	if e.Code != 0 {
		return s.fail(e)
	}
	s.refused = e
	s.client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	return s.write(nil)
}
