package session

import (
	"bytes"
	"slices"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// executeImmediate is EXECUTE IMMEDIATE.
func (s *Session) executeImmediate(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	text, err := s.textOf(t)
	if err != nil {
		return s.carryFailed(err)
	}
	inner, err := s.plan(text)
	if err != nil {
		return err
	}
	s.withholdText(t, inner)
	switch {
	case plan.Is[*plan.Refuse](inner):
		return s.refuseText(inner.Refusal(), inner, text, true)
	case plan.Is[*plan.Each](inner):
		return s.refuseSeveral(inner, text)
	case s.asksCounts(nil, text) && (len(t.Using) > 0 || !s.leftToServer(inner, text)):
		return s.outcomeUnknown()
	case !s.leftToServer(inner, text):
		if len(t.Using) != sql.CountParams(text, s.state.Modes()) {
			return s.failAnew(wrongUsing())
		}
		return s.executeUsing(bytes.Clone(text), t, &textual{})
	}
	if plan.Is[*plan.ByName](inner) {
		return s.forwardText(&plan.Plan{Action: &plan.Forward{}, Statements: p.Statements}, []byte("EXECUTE IMMEDIATE "+textByName))
	}
	if done, err := s.unlessMissing(inner, text); done {
		s.variables.IsText(t.Variable)
		return err
	}
	if len(t.Using) == 0 {
		if done, err := s.tell(inner, text, false); done {
			return err
		}
	}
	if err := s.checkUsing(t); err != nil {
		return s.carryFailed(err)
	}
	read, named := inner.Variables(), plan.VariablesOf(q.Text, s.state.Modes())
	read.Names, read.Any = slices.Concat(named.Names, read.Names), named.Any || read.Any
	forwarded := &plan.Plan{Action: &plan.Forward{Variables: read}, Statements: p.Statements}
	if err := s.unkept(read); err != nil {
		return s.carryFailed(err)
	}
	locks := s.state.Held()
	s.killsIn(inner, text)
	err = s.forwardText(forwarded, q.Text)
	if !inner.MayLock() {
		s.state.Relock(locks)
	}
	return err
}
