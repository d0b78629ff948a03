package session

import (
	"bytes"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A statement that calls ciphers with a key in its text, and that is not finished here, is
// executed with what the calls come to in their places: what the server gets has no key.

// foldText executes such a statement that came as a text.
func (s *Session) foldText(p *plan.Plan, q wire.Query) error {
	return s.fold(plan.As[*plan.Fold](p), q, s.executor().Used())
}

// fold executes such a statement, with the values of its parameters.
func (s *Session) fold(f *plan.Fold, q wire.Query, using []binding.Variable) error {
	using = slices.Clone(using)
	text := bytes.Clone(q.Text)
	s.transaction.Since.SeesRows()
	values, err := s.foldedValues(f, using)
	if err != nil {
		return s.tellFailed(err)
	}
	if text, err = s.folded(f, text, values, using); err != nil {
		return s.tellFailed(err)
	}
	s.executor().Using(nil)
	again, err := s.plan(text)
	if err != nil {
		return err
	}
	if plan.Is[*plan.Fold](again) {
		return s.refuse(sqlerr.KeySent())
	}
	return s.perform(again, s.queryOf(text))
}

// foldedValues are what the calls come to.
func (s *Session) foldedValues(f *plan.Fold, using []binding.Variable) ([]binding.Variable, error) {
	inner, err := s.planInto(f.Query)
	switch {
	case err != nil:
		return nil, err
	case inner.Run() == nil:
		return nil, sqlerr.KeySent()
	}
	s.variables.IsKey(inner.Keys)
	x := s.executor()
	st, err := x.Statement(inner.Run())
	if err != nil {
		return nil, unkeyed(err)
	}
	s.doubts()
	var inside []binding.Variable
	for i, at := range f.Params {
		if i < len(using) && f.Within(at) {
			inside = append(inside, using[i])
		}
	}
	x.Using(inside)
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	values, err := x.Assign(st, f.Query, s.fingerprinter.Literals())
	switch {
	case err != nil:
		return nil, err
	case len(values) != len(f.Calls):
		return nil, sqlerr.KeySent()
	}
	for i := range values {
		for _, name := range values[i].From {
			if s.variables.IsSecret(name) {
				return nil, sqlerr.VariableSecret()
			}
		}
	}
	return values, nil
}

// folded is the text with the values of calls in their places, and those of parameters.
func (s *Session) folded(f *plan.Fold, text []byte, values, using []binding.Variable) (out []byte, err error) {
	from := 0
	add := func(at, to int, v *binding.Variable) {
		if out = append(out, text[from:at]...); err == nil {
			out, err = s.executor().AppendGiven(append(out, '('), v)
		}
		out, from = append(out, ')'), to
	}
	params := f.Params
	if len(using) < len(params) {
		params = nil // they are none
	}
	call := 0
	for i, at := range params {
		for ; call < len(f.Calls) && f.Calls[call].From < at; call++ {
			add(f.Calls[call].From, f.Calls[call].To, &values[call])
		}
		if f.Within(at) {
			continue
		}
		if using[i].Secret || using[i].Key {
			return nil, sqlerr.VariableSecret()
		}
		add(at, at+1, &using[i])
	}
	for ; call < len(f.Calls); call++ {
		add(f.Calls[call].From, f.Calls[call].To, &values[call])
	}
	return append(out, text[from:]...), err
}

// prepareFolded prepares such a statement. A query is finished here; any other is read when
// it is executed, and the server prepares it with something in the place of each call that
// has as many parameters.
func (s *Session) prepareFolded(p *plan.Plan, payload []byte) error {
	f := plan.As[*plan.Fold](p)
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	text := payload[1:]
	if f.Rows {
		return s.prepareApart(text)
	}
	if p.Statements[0].Kind != sql.Insert && p.Statements[0].Kind != sql.Replace && p.Statements[0].Kind != sql.Update && p.Statements[0].Kind != sql.Delete {
		return s.refuse(sqlerr.KeySent())
	}
	instead := f.Prepared(text)
	again, err := s.plan(instead)
	switch {
	case err != nil:
		return err
	case plan.Is[*plan.Refuse](again):
		return s.refuse(again.Refusal())
	case !plan.Is[*plan.Forward](again):
		instead = []byte(textNothing)
		for range f.Params {
			instead = append(instead, ", ?"...)
		}
	default:
		if done, err := s.unlessMissingToPrepare(again, instead); done {
			return err
		}
	}
	r := newReplayed(text, len(f.Params))
	if err := s.exchangeCommand(wire.ComStmtPrepare, append([]byte{byte(wire.ComStmtPrepare)}, instead...)); err != nil || !s.response.Described {
		return err
	}
	s.keep(&statement{prepared: r, plan: p})
	return nil
}

// prepareApart prepares a query whose rows are finished here.
func (s *Session) prepareApart(text []byte) error {
	p, err := s.planApart(text)
	switch {
	case err != nil:
		return err
	case !plan.Is[*plan.Execute](p):
		return s.refuse(sqlerr.KeySent())
	}
	s.variables.IsKey(p.Keys)
	return s.prepareBy(p, text, s.preparedRun, func() error { return s.prepareApart(text) })
}

// planApart plans a query without computing calls by themselves.
func (s *Session) planApart(text []byte) (*plan.Plan, error) {
	var plain []*catalog.Table
	now := func() *plan.Plan {
		return s.shared.Planner.PlanApart(s.attempt.Catalog(), plain, &s.fingerprinter, text, s.state.Modes(), s.schema())
	}
	p := now()
	if len(p.Needs()) == 0 {
		return p, nil
	}
	known, instead, err := s.plainTables(p)
	if instead != nil || err != nil {
		return instead, err
	}
	plain = known
	return now(), nil
}
