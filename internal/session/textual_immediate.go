package session

import (
	"bytes"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/statements"
	"tunic/internal/wire"
)

// executeImmediate is EXECUTE IMMEDIATE.
func (s *Session) executeImmediate(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	text, err := s.textOf(t)
	if err != nil {
		return s.tellFailed(err)
	}
	inner, err := s.plan(text)
	if err != nil {
		return err
	}
	s.withholdText(t, inner)
	return wayOf(inner.Action).immediate(&named{t, p, inner, text, q.Text}, s)
}

// refuseNow refuses the text of an EXECUTE IMMEDIATE.
func (n *named) refuseNow(s *Session) error {
	return s.refuseText(n.plan.Refusal(), n.plan, n.text, true)
}

// do does a text that is not the server's.
func (n *named) do(s *Session) error {
	switch {
	case s.last.AsksCounts(nil, n.text, s.state.Modes()):
		return s.outcomeUnknown()
	case len(n.Using) != sql.CountParams(n.text, s.state.Modes()):
		return s.failAnew(binding.WrongUsing())
	}
	return s.executeUsing(bytes.Clone(n.text), n.Textual, &statements.Text{})
}

// doInVain has the server say of a statement about one that is prepared that it is not for this.
func (n *named) doInVain(s *Session) error {
	if len(n.Using) > 0 && s.last.AsksCounts(nil, n.text, s.state.Modes()) {
		return s.outcomeUnknown()
	}
	return s.forwardText(&plan.Plan{Action: &plan.Forward{}, Statements: n.outer.Statements}, []byte("EXECUTE IMMEDIATE "+textByName))
}

// doForwarded does a text that is for the server, which has it unless it reads what only tunic has.
func (n *named) doForwarded(s *Session) error {
	switch {
	case !n.isLeftToServer(s):
		return n.do(s)
	case len(n.Using) > 0 && s.last.AsksCounts(nil, n.text, s.state.Modes()):
		return s.outcomeUnknown()
	}
	inner, t := n.plan, n.Textual
	if done, err := s.unlessMissing(inner, n.text); done {
		s.variables.IsText(t.Variable)
		return err
	}
	if len(t.Using) == 0 {
		if done, err := s.tell(inner, n.text, false); done {
			return err
		}
	}
	if err := s.checkUsing(t); err != nil {
		return s.tellFailed(err)
	}
	read, named := inner.Variables(), plan.VariablesOf(n.query, s.state.Modes())
	read.Names, read.Any = slices.Concat(named.Names, read.Names), named.Any || read.Any
	forwarded := &plan.Plan{Action: &plan.Forward{Variables: read}, Statements: n.outer.Statements}
	if err := s.unkept(read); err != nil {
		return s.tellFailed(err)
	}
	locks := s.state.Held()
	s.attempt.IsFor(inner) // what is behind USING was planned since
	s.killsIn(inner, n.text)
	err := s.forwardText(forwarded, n.query)
	if !inner.MayLock() {
		s.state.Relock(locks)
	}
	return err
}
