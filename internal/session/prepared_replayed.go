package session

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// replayed is a statement that sets user variables, calls a procedure or computes with keys, which the server
// does not have: it is read when it is executed, and the server has something else of as many parameters.
type replayed struct {
	numbered
	text   []byte
	params *binding.Parameters
}

func newReplayed(text []byte, params int) *replayed {
	return &replayed{text: bytes.Clone(text), params: binding.NewParameters(params)}
}

func (r *replayed) keeps() keeper { return r.params }

// prepareReplayed has the server prepare something else with as many parameters, in the
// place of a statement that is read when it is executed and returns no rows.
func (s *Session) prepareReplayed(p *plan.Plan, text []byte) error {
	params := sql.CountParams(text, s.state.Modes())
	instead := append([]byte{byte(wire.ComStmtPrepare)}, "DO 0"...)
	for range params {
		instead = append(instead, ", ?"...)
	}
	if err := s.exchangeCommand(wire.ComStmtPrepare, instead); err != nil || !s.response.Described {
		return err
	}
	s.keep((&statement{prepared: newReplayed(text, params), plan: p}).asking(s.asked(text)))
	return nil
}

// execute executes the statement as text.
func (r *replayed) execute(s *Session, st *statement, m wire.Execute, _ []byte) error {
	switch {
	case st.asksUnknown(s):
		return s.outcomeUnknown() // beside other things that are executed here nobody adds it up
	case m.Command == wire.ComStmtBulkExecute:
		return s.fail(sqlerr.StatementRefused("bulk execution of a statement that tunic carries out as text"))
	}
	x := s.executor()
	var err error
	var using []binding.Variable
	using, s.attributes, err = x.Values(r.params, m, s.attributes)
	if err == nil {
		err = s.limitsOf(using, r.text, true)
	}
	if err != nil {
		s.response.Begin(wire.ComStmtExecute, s.server.Capabilities, s.client.Sequence())
		return s.tellFailed(err)
	}
	s.attempt.Begin()
	p, ok, err := s.planPrepared(r.text)
	if err != nil {
		return err
	}
	if !ok || p.ActionNumber() != st.plan.ActionNumber() {
		return s.failWith(plan.NeedsPreparing())
	}
	s.count(p)
	if len(using) > 0 {
		x.Using(using)
		defer x.Using(nil)
	}
	return s.perform(p, s.queryOf(r.text))
}
