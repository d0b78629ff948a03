package session

import (
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/statements"
	"tunic/internal/wire"
)

// stillForwarded reports whether a prepared statement that the server has as the client
// wrote it would still be forwarded: a table that it names may be protected by now. If not,
// tunic executes it from now on, as servers prepare a statement anew whose tables have
// changed; or the client has been told that it cannot.
func (f *forwarded) stillForwarded(s *Session, st *statement, command wire.Command) (bool, error) {
	s.attempt.Begin()
	if done, err := s.unlessLate(st.plan); done {
		return false, err
	}
	if f.withheld {
		f.withheld = f.long // servers forget the parts with each execution
		return false, s.failWith(plan.NeedsPreparing())
	}
	if s.outlived(st.plan) { // as a CALL is
		return false, s.failWith(plan.NeedsPreparing())
	}
	if s.shared.Ledger == nil || st.version == s.attempt.Planned() {
		s.attempt.IsFor(st.plan)
		return true, nil
	}
	if f.text == nil || !sql.ReadAlike(f.text, st.in.Modes, s.state.Modes()) {
		return false, s.failWith(plan.NeedsPreparing())
	}
	for {
		p, err := s.plan(f.text)
		switch {
		case err != nil:
			return false, err
		case plan.Is[*plan.Forward](p): // the server has it, and knows the schema
			if st.version == statements.Outdated { // there is another policy
				if done, err := s.unlessMissingToPrepare(p, f.text); done {
					return false, err
				}
				st.plan = p
			}
			st.version = s.attempt.Planned()
			return true, nil
		case !plan.Is[*plan.Execute](p) || command != wire.ComStmtExecute || f.long:
			return false, s.failWith(plan.NeedsPreparing())
		}
		switch came, err := s.attempt.AwaitComing(tablesOf(p)); {
		case err != nil:
			return false, s.tellFailed(err)
		case came:
			if s.shared.Ledger.Await(s.life.Done()) != nil {
				return false, s.fail(sqlerr.LedgerLost())
			}
			if refusal := s.attempt.Again(); refusal != nil {
				return false, s.failWith(refusal)
			}
			continue
		}
		do := func() error { return f.executeInstead(s, st, p) }
		return false, s.retrying(do, func() error {
			if p, err = s.plan(f.text); err != nil {
				return err
			}
			return do()
		})
	}
}

// executeInstead has tunic execute a statement that was the server's. If it cannot, the
// client has been told.
func (f *forwarded) executeInstead(s *Session, st *statement, p *plan.Plan) error {
	if !plan.Is[*plan.Execute](p) {
		return s.failWith(plan.NeedsPreparing())
	}
	s.attempt.Concerns(tablesOf(p))
	x := s.executor()
	of, err := x.Statement(runOf(p))
	if err != nil {
		return s.tellFailed(unkeyed(err))
	}
	by, err := x.Instead(of, f.text, s.fingerprinter.Literals(), f.params)
	if err != nil {
		return s.tellFailed(err)
	}
	st.forget(s)
	st.prepared, st.plan = &here{of: executable{by}}, p
	return nil
}

// give is the other way: it has the server prepare a statement, as the client wrote it, that
// tunic has executed, told about or explained: its tables have become plain. p is the plan by
// which it is forwarded.
func (h *here) give(s *Session, st *statement, p *plan.Plan) error {
	if names, _ := s.variables.Named(p.Variables()); len(names) > 0 {
		return plan.NeedsPreparing()
	}
	old := h.of.numbered()
	by, params, err := s.executor().Give(old, h.of.run())
	if err != nil {
		return err
	}
	s.executor().Forget(old)
	g := &given{forwarded{params: params}, by}
	text := by.Text()
	*st = statement{prepared: g, plan: p, in: st.in, version: s.attempt.Planned(), ahead: st.ahead}
	st.asking(s.asked(text))
	if len(text) < forwardedBytesMax {
		g.text = text
	}
	return nil
}
