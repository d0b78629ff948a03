package session

import (
	"tunic/internal/catalog"
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
		if !t.Is(s.catalog().Table(t.Schema, t.Name)) {
			inside.Leave()
			if p, err = s.plan(q.Text); err != nil {
				return err
			}
			return s.perform(p, q)
		}
		defer inside.Leave()
	}
	return s.carrying(p, func(x *exec.Session) error { return x.Ask(s.told(p.Inquiry), q) })
}

// told is a question with the catalog that its answer is to agree with: temporary
// tables, which the session's own has too, are not in information_schema, and a table
// that one hides is.
func (s *Session) told(q *plan.Inquiry) *plan.Inquiry {
	if q.Table != nil {
		return q
	}
	known := *q
	known.Catalog = s.shared.Ledger.Catalog()
	return &known
}

// outdated reports whether what a question is about has got another definition. A
// catalog that was read anew is the same one if its version is.
func (s *Session) outdated(q *plan.Inquiry) bool {
	if t := q.Table; t != nil {
		return !t.Is(s.catalog().Table(t.Schema, t.Name))
	}
	return s.shared.Ledger.Catalog().Version != q.Catalog.Version
}

// inquirePrepare has a question about tables prepared.
func (s *Session) inquirePrepare(p *plan.Plan, text []byte) error {
	if s.prepared.count() >= s.prepared.max {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.max))
	}
	return s.carrying(nil, func(x *exec.Session) error {
		asked, err := x.PrepareAsked(s.told(p.Inquiry), text)
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
		if s.outdated(st.asked.Inquiry()) {
			if done, err := s.renewAsked(st); done || err != nil {
				return err
			}
		}
		return s.carrying(st.plan, func(x *exec.Session) error { return x.ExecuteAsked(st.asked, m) })
	case wire.ComStmtReset:
		st.asked.Reset()
		return s.exchangeCommand(m.Command, st.asked.Command(payload))
	default:
		return s.fail(sqlerr.CommandRefused(m.Command.String()))
	}
}

// fieldsOf is the protected table that COM_FIELD_LIST asks about, nil if it is none
// or its name cannot be read with certainty.
func (s *Session) fieldsOf(name []byte) *catalog.Table {
	if s.shared.Engine == nil || s.shared.Ledger == nil || !plan.NamesAlike(name) {
		return nil
	}
	return s.catalog().Table(s.state.schema, string(name))
}

// listFields carries out a COM_FIELD_LIST of a protected table.
func (s *Session) listFields(t *catalog.Table, payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	inside, err := s.enter(t)
	if err != nil {
		return s.carryFailed(err)
	}
	defer inside.Leave()
	if !t.Is(s.catalog().Table(t.Schema, t.Name)) {
		return s.fail(sqlerr.NotDescribed()) // defined anew meanwhile
	}
	return s.carrying(nil, func(x *exec.Session) error { return x.FieldList(t, payload) })
}

// renewAsked plans and prepares a question again. One that is none any more, or that
// is refused now, is answered so, and done is true.
func (s *Session) renewAsked(st *statement) (done bool, err error) {
	p, err := s.plan(st.asked.Text())
	switch {
	case err != nil:
		return true, err
	case p.Action == plan.Refuse:
		return true, s.refuse(p.Refusal)
	case p.Action != plan.Inquire:
		return true, s.failWith(exec.NeedsPreparing())
	}
	if err := s.carrier().RenewAsked(st.asked, s.told(p.Inquiry)); err != nil {
		return true, s.carryFailed(err)
	}
	st.plan = p
	return false, nil
}
