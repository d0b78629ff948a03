package session

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/exec/said"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/variables"
	"tunic/internal/wire"
)

// A statement that sets user variables, and does nothing else, is executed here as the
// query of their values. What tunic cannot compute of plain data only is left to the
// server, with the variables.

// assign executes SET of user variables and SELECT … INTO.
func (s *Session) assign(p *plan.Plan, q wire.Query) error {
	h := plan.As[*plan.SetVariables](p)
	for _, name := range h.Targets {
		if !variables.Keepable(name) {
			return s.assignAtServer(h, q)
		}
	}
	inner, err := s.planInto(h.Query)
	if inner != nil {
		s.variables.IsKey(inner.Keys)
		s.variables.Spends(inner.Keys)
	}
	switch {
	case err != nil:
		return err
	case plan.Is[*plan.Refuse](inner):
		return s.refuse(inner.Refusal())
	case plan.Is[*plan.Forward](inner) && inner.Own() == nil, !plan.Is[*plan.Forward](inner) && !plan.Is[*plan.Execute](inner):
		return s.assignAtServer(h, q)
	case plan.Is[*plan.Forward](inner):
		return s.assignOwn(h, inner, q)
	}
	tables := inner.Run().Tables
	if err := s.attempt.Enter(tables); err != nil {
		return s.tellFailed(err)
	}
	if !s.attempt.Knows(tables) {
		return s.attempt.Outdated()
	}
	defer s.attempt.Leave()
	return s.assignValues(h, inner.Run(), nil)
}

// planInto plans the query of what variables are set to.
func (s *Session) planInto(query []byte) (*plan.Plan, error) {
	p, err := s.planIntoText(query)
	if p != nil && s.transaction.Plain.Any() {
		p = s.unlessHidden(p, query)
	}
	return p, err
}

func (s *Session) planIntoText(query []byte) (*plan.Plan, error) {
	var plain []*catalog.Table
	now := func() *plan.Plan {
		return s.shared.Planner.PlanInto(s.attempt.Catalog(), plain, &s.fingerprinter, query, s.state.Modes(), s.schema())
	}
	p := now()
	defer func() { s.attempt.IsFor(p) }()
	if len(p.Needs()) > 0 {
		known, refused, err := s.plainTables(p)
		switch {
		case err != nil:
			return nil, err
		case refused != nil:
			return refused, nil
		}
		plain = known
		p = now()
	}
	if runOf(p) == nil && p.Own() == nil || !s.state.IsDoubtful() {
		return p, nil
	}
	modes := s.state.Modes()
	if err := s.learnSurely(); err != nil || s.state.Modes() == modes {
		return p, err
	}
	p = now()
	return p, nil
}

// tellsChanges reports whether the client is to be told of each statement that has changed
// the session, as the server does of those that it gets.
func (s *Session) tellsChanges() bool {
	v, known, set := s.state.Variable("session_track_state_change")
	return set && s.caps.Has(wire.ClientSessionTrack) && !(known && (v == "0" || strings.EqualFold(v, "OFF")))
}

// sessionChanged is the change of a session of which only that is told that there was one
// (MySQL source documentation, "SESSION_TRACK_STATE_CHANGE").
var sessionChanged = []byte{0x02, 1, '1'}

// assignAtServer has the server set the variables.
func (s *Session) assignAtServer(h *plan.SetVariables, q wire.Query) error {
	left := s.shared.Planner.PlanLeft(s.attempt.Catalog(), &s.fingerprinter, q.Text, s.state.Modes(), s.schema())
	if plan.Is[*plan.Refuse](left) {
		return s.refuse(left.Refusal())
	}
	if sql.CountParams(q.Text, s.state.Modes()) > 0 { // the server would need their values
		return s.fail(sqlerr.StatementRefused("SET of a user variable to what tunic does not compute, with parameters,"))
	}
	s.attempt.IsFor(left)
	s.variables.IsKey(left.Keys)
	before := s.blankSecrets(h)
	err := s.perform(left, q)
	if !s.last.IsRefused() && !s.response.Failed && (h.Set || s.response.Affected > 0) {
		return err
	}
	for name, v := range before { // nothing has been set
		s.variables.Drop(name)
		_ = s.variables.Set(name, v) // there was room for it before
	}
	return err
}

// blankSecrets makes NULL of secret variables that a statement sets and does not read, so that
// the server may have them, and returns what they were.
func (s *Session) blankSecrets(h *plan.SetVariables) (before map[string]binding.Variable) {
	for _, name := range h.Targets {
		v := s.variables.Get(name)
		if v == nil || !v.Secret || readsItself(h, name, s.state.Modes()) {
			continue
		}
		if before == nil {
			before = make(map[string]binding.Variable)
		}
		before[name] = *v
		v.Secret, v.Null = false, true
	}
	return before
}

// readsItself reports whether the value of a variable that is set is read for that.
func readsItself(h *plan.SetVariables, name string, m sql.Modes) bool {
	names, more := sql.UserVariables(h.Query, m)
	return more || slices.Contains(names, name)
}

// assignOwn computes values of no table here; where it cannot, the server does, if it may
// know the variables that are read.
func (s *Session) assignOwn(h *plan.SetVariables, inner *plan.Plan, q wire.Query) error {
	instead := false
	err := s.assignValues(h, inner.Own().Run(), func(refusal error) bool {
		e, ok := errors.AsType[*sqlerr.Error](refusal)
		instead = ok && e.Code != 0
		return instead
	})
	if !instead {
		return err
	}
	return s.assignAtServer(h, q)
}

// assignValues computes the values and sets the variables. What gives way says is not told to
// the client.
func (s *Session) assignValues(h *plan.SetVariables, run *recipe.Run, gives func(error) bool) error {
	var given error
	before, rows := s.last.Counts.FoundNow(), 0
	err := s.executeAs(len(run.Tables) == 0, nil, func(x *exec.Session) error {
		st, err := x.Statement(run)
		if err != nil {
			return unkeyed(err)
		}
		set, err := x.Assign(st, h.Query, s.fingerprinter.Literals())
		if err != nil && gives != nil && gives(err) {
			given = err
			return nil
		}
		if kept := s.keepAll(h.Targets, set); err == nil {
			err = kept
		}
		if err != nil {
			return err
		}
		if len(set) > 0 {
			rows = 1
		}
		return s.tellAssigned(h, len(set) > 0)
	})
	if err != nil || given != nil {
		return err
	}
	q, ok := run.Does.(*recipe.Query)
	counts := ok && q.Counts
	s.last.Counts.Assign(before, h.Set, counts, rows)
	s.touches(run.Tables)
	return nil
}

// keepAll keeps the values of variables, if there are any.
func (s *Session) keepAll(names []string, set []binding.Variable) error {
	switch {
	case len(set) == 0:
		return nil
	case len(set) != len(names):
		return said.WrongColumns()
	}
	for i, name := range names {
		if err := s.variables.Set(name, set[i]); err != nil {
			return err
		}
	}
	return nil
}

// tellAssigned tells the client that variables have been set, or that there was no row.
func (s *Session) tellAssigned(h *plan.SetVariables, row bool) error {
	notices := s.executor().Notices()
	ok := wire.OK{Status: s.response.Status & sessionStatus}
	switch {
	case h.Set:
	case row:
		ok.AffectedRows = 1
	default:
		notices.Add(value.Warning, 1329, []byte("No data - zero rows fetched, selected, or processed"))
	}
	if h.Late && s.state.Modes()&sql.MariaDB != 0 {
		notices.Add(value.Warning, 1287, []byte("'<select expression> INTO <destination>;' is deprecated and will be removed in a future release. Please use 'SELECT <select list> INTO <destination> FROM...' instead"))
	}
	if h.Set && s.tellsChanges() {
		ok.Status, ok.SessionState = ok.Status|wire.StatusSessionState, sessionChanged
	}
	ok.Warnings = uint16(min(notices.Count(), 1<<16-1))
	s.client.ClosePacket(ok.AppendOK(s.client.OpenPacket(), s.caps))
	return s.write(nil)
}

// executeOwn executes a query of no table that reads variables that are kept; done is
// false if that cannot be, and nothing has been told to the client.
func (s *Session) executeOwn(p *plan.Plan, q wire.Query) (done bool, err error) {
	own := p.Own()
	names, secret := s.variables.Named(p.Variables())
	if own == nil || len(names) == 0 {
		return false, nil
	}
	done = true
	err = s.executeAs(true, p.Own(), func(x *exec.Session) error {
		failed := s.text(x, p.Own(), q)
		if e, ok := errors.AsType[*sqlerr.Error](failed); ok && e.Code != 0 && !secret {
			done = false
			return nil
		}
		return failed
	})
	return done, err
}

// prepareAssigned prepares a statement that sets variables. It is read when it is executed;
// the server prepares something else with as many parameters.
func (s *Session) prepareAssigned(p *plan.Plan, payload []byte) error {
	h := plan.As[*plan.SetVariables](p)
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	text := payload[1:]
	inner, err := s.planInto(h.Query)
	switch {
	case err != nil:
		return err
	case plan.Is[*plan.Refuse](inner):
		return s.refuse(inner.Refusal())
	case plan.Is[*plan.Execute](inner):
		if err := s.checkAssigned(h, inner.Run()); err != nil {
			return s.tellFailed(err)
		}
	case inner.Own() == nil:
		left := s.shared.Planner.PlanLeft(s.attempt.Catalog(), &s.fingerprinter, text, s.state.Modes(), s.schema())
		if plan.Is[*plan.Forward](left) {
			return s.forwardPrepare(left, payload)
		}
	}
	return s.prepareReplayed(p, text)
}

// checkAssigned finds out what is wrong with a query whose values variables are set to.
func (s *Session) checkAssigned(h *plan.SetVariables, run *recipe.Run) error {
	x := s.executor()
	st, err := x.Statement(run)
	if err != nil {
		return unkeyed(err)
	}
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	columns := len(h.Targets)
	if s.state.Modes()&sql.MariaDB != 0 {
		columns = 0 // it counts them when the statement is executed
	}
	return x.Check(st, h.Query, s.fingerprinter.Literals(), columns)
}
