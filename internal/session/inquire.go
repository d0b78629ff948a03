package session

import (
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// inquire carries out a question about tables. If the table has got another
// definition since it was planned, it is planned again.
func (s *Session) inquire(p *plan.Plan, q wire.Query) error {
	if t := p.Inquiry.Table; t != nil {
		inside, err := s.enter(t)
		if err != nil {
			return s.carryFailed(err)
		}
		if s.catalog().Table(t.Schema, t.Name) != t {
			inside.Leave()
			if p, err = s.plan(q.Text); err != nil {
				return err
			}
			return s.perform(p, q)
		}
		defer inside.Leave()
	}
	return s.carrying(p, func(x *exec.Session) error { return x.Ask(p.Inquiry, q) })
}

// inquirePrepare has a question about tables prepared.
func (s *Session) inquirePrepare(p *plan.Plan, text []byte) error {
	if s.prepared.count() >= s.prepared.max {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.max))
	}
	return s.carrying(nil, func(x *exec.Session) error {
		asked, err := x.PrepareAsked(p.Inquiry, text)
		if asked != nil {
			s.prepared.add(s.response.Prepared.ID, &statement{plan: p, asked: asked})
			s.shared.Metrics.Prepared.Inc()
		}
		return err
	})
}

// inquireExecute does a command on a prepared question.
func (s *Session) inquireExecute(st *statement, m wire.Execute, payload []byte) error {
	switch m.Command {
	case wire.ComStmtExecute:
		s.count(st.plan)
		return s.carrying(st.plan, func(x *exec.Session) error { return x.ExecuteAsked(st.asked, m, payload) })
	case wire.ComStmtReset:
		return s.exchangeCommand(m.Command, payload)
	default:
		return s.fail(sqlerr.CommandRefused(m.Command.String()))
	}
}
