package session

import (
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// stillForwarded reports whether a prepared statement that the server has as the client
// wrote it would still be forwarded: a table that it names may be protected by now. If not,
// tunic carries it out from now on, as servers prepare a statement anew whose tables have
// changed; or the client has been told that it cannot.
func (s *Session) stillForwarded(st *statement, command wire.Command) (bool, error) {
	s.attempt.Begin()
	if s.shared.Ledger == nil || st.version == s.attempt.Planned() {
		return true, nil
	}
	if st.text == nil || !sql.ReadAlike(st.text, st.in.modes, s.state.Modes()) {
		return false, s.failWith(plan.NeedsPreparing())
	}
	for {
		p, err := s.plan(st.text)
		switch {
		case err != nil:
			return false, err
		case p.Action == plan.Forward: // the server has it, and knows the schema
			if st.version == outdated { // there is another policy
				if done, err := s.unlessMissingToPrepare(p, st.text); done {
					return false, err
				}
				st.plan = p
			}
			st.version = s.attempt.Planned()
			return true, nil
		case p.Action != plan.Carry || command != wire.ComStmtExecute || st.long:
			return false, s.failWith(plan.NeedsPreparing())
		}
		switch came, err := s.attempt.AwaitComing(tablesOf(p)); {
		case err != nil:
			return false, s.carryFailed(err)
		case came:
			if s.shared.Ledger.Await(s.life.Done()) != nil {
				return false, s.fail(sqlerr.LedgerLost())
			}
			if refusal := s.attempt.Again(); refusal != nil {
				return false, s.failWith(refusal)
			}
			continue
		}
		do := func() error { return s.carryInstead(st, p) }
		return false, s.retrying(do, func() error {
			if p, err = s.plan(st.text); err != nil {
				return err
			}
			return do()
		})
	}
}

// carryInstead has tunic carry out a statement that was the server's. If it cannot, the
// client has been told.
func (s *Session) carryInstead(st *statement, p *plan.Plan) error {
	if p.Action != plan.Carry {
		return s.failWith(plan.NeedsPreparing())
	}
	s.attempt.Concerns(tablesOf(p))
	x := s.carrier()
	of, err := x.Statement(runOf(p))
	if err != nil {
		return s.carryFailed(unkeyed(err))
	}
	carried, err := x.Instead(of, st.text, s.fingerprinter.Literals(), st.params)
	if err != nil {
		return s.carryFailed(err)
	}
	s.takeBack(st)
	st.carried, st.plan, st.params = carried, p, nil
	return nil
}

// give is the other way: it has the server prepare a statement, as the client wrote it, that
// tunic has carried out, told about or explained: its tables have become plain. p is the plan by
// which it is forwarded.
func (s *Session) give(st *statement, p *plan.Plan) error {
	if names, _ := s.variables.Named(p); len(names) > 0 {
		return plan.NeedsPreparing()
	}
	old := st.numbered()
	given, params, err := s.carrier().Give(old, st.carried)
	if err != nil {
		return err
	}
	s.carrier().Forget(old)
	text := given.Text()
	*st = statement{plan: p, in: st.in, given: given, params: params, version: s.attempt.Planned(), ahead: st.ahead}
	st.asking(s.asked(text))
	if len(text) < forwardedBytesMax {
		st.text = text
	}
	return nil
}

// takeBack has the server forget what it was given.
func (s *Session) takeBack(st *statement) {
	if st.given != nil {
		s.carrier().Forget(&st.given.Numbered)
		st.given = nil
	}
}

// command is a command about a statement of the server's, with its number in it.
func (st *statement) command(payload []byte) []byte {
	if st.given == nil {
		return payload
	}
	return st.given.Command(payload)
}

// execution is the same of an execution.
func (s *Session) execution(st *statement, m wire.Execute, payload []byte) ([]byte, bool) {
	if st.given == nil || m.Command != wire.ComStmtExecute {
		return st.command(payload), true
	}
	return st.given.Execution(payload, m, st.params, s.caps)
}

// takeTypes remembers the types of parameters that a client has told the server.
func (s *Session) takeTypes(st *statement, m wire.Execute) {
	if st.params != nil {
		st.params.TakeTypes(m, s.caps)
		st.long = false
	}
}
