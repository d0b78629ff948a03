package session

import (
	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// explain carries out an EXPLAIN of a statement over a protected table. If the table
// has got another definition since it was planned, it is planned again.
func (s *Session) explain(p *plan.Plan, q wire.Query) error {
	t := p.Explained.Run.Table
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
	return s.carrying(p, func(x *exec.Session) error {
		st, err := x.Statement(p.Explained.Run)
		if err != nil {
			return unkeyed(err)
		}
		return s.explained(t, x.Explain(p.Explained, st, q, s.fingerprinter.Literals()))
	})
}

// explained notes that a transaction has used a table to explain a statement: the
// server then holds its lock on it.
func (s *Session) explained(t *catalog.Table, err error) error {
	if err == nil {
		s.touches(t)
	}
	return err
}

// explainPrepare has an EXPLAIN of a statement over a protected table prepared.
func (s *Session) explainPrepare(p *plan.Plan, text []byte) error {
	if s.prepared.count() >= s.prepared.max {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.max))
	}
	return s.carrying(nil, func(x *exec.Session) error {
		st, err := x.Statement(p.Explained.Run)
		if err != nil {
			return unkeyed(err)
		}
		explained, err := x.PrepareExplain(p.Explained, st, text, s.fingerprinter.Literals())
		if explained != nil {
			s.prepared.add(s.response.Prepared.ID, &statement{plan: p, carried: explained.Prepared, explained: explained})
			s.shared.Metrics.Prepared.Inc()
		}
		return err
	})
}

// explainExecute carries out an execution of a prepared EXPLAIN. If the table has got
// another definition since, it is planned and prepared again.
func (s *Session) explainExecute(st *statement, m wire.Execute) error {
	s.count(st.plan)
	for {
		t := st.plan.Explained.Run.Table
		inside, err := s.enter(t)
		if err != nil {
			return s.carryFailed(err)
		}
		if !s.carrier().Outdated(st.carried) {
			defer inside.Leave()
			return s.carrying(st.plan, func(x *exec.Session) error { return s.explained(t, x.ExecuteExplain(st.explained, m)) })
		}
		inside.Leave()
		if done, err := s.renewExplained(st); done || err != nil {
			return err
		}
	}
}

// renewExplained plans a prepared EXPLAIN again. One that cannot be carried out any
// more is answered with the reason, and done is true.
func (s *Session) renewExplained(st *statement) (done bool, err error) {
	p, err := s.plan(st.carried.Text())
	switch {
	case err != nil:
		return true, err
	case p.Action == plan.Refuse:
		return true, s.refuse(p.Refusal)
	case p.Action != plan.Explain:
		return true, s.failWith(exec.NeedsPreparing())
	}
	x := s.carrier()
	again, err := x.Statement(p.Explained.Run)
	if err != nil {
		return true, s.carryFailed(unkeyed(err))
	}
	if err := x.RenewExplain(st.explained, p.Explained, again, s.fingerprinter.Literals()); err != nil {
		return true, s.carryFailed(err)
	}
	st.plan = p
	return false, nil
}
