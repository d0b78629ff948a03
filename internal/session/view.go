package session

import (
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/dialogue"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// viewsDeep bounds how deep outdated views are in one another.
const viewsDeep = 64

// planRetold plans a statement again that names views of which the tables have changed,
// once their twins have been made anew. A question about all views is answered also if
// something is wrong with some of them, and MySQL answers one about a view by what it was.
func (s *Session) planRetold(p *plan.Plan, text []byte) (*plan.Plan, error) {
	asksAll := p.Inquiry() != nil && (p.Inquiry().Table == nil || s.state.Modes()&sql.MariaDB == 0)
	if len(p.Outdated()) > 0 && s.attempt.Passes() {
		return planPassed(p, asksAll), nil
	}
	for len(p.Outdated()) > 0 {
		if refusal := s.attempt.Again(); refusal != nil && !asksAll {
			return refusedBy(p, refusal), nil
		}
		for _, v := range p.Outdated() {
			refusal, err := s.retell(v, viewsDeep)
			if err != nil {
				return nil, err
			}
			if refusal != nil && !asksAll {
				if s.noteInvalid(refusal); p.Inquiry() != nil {
					s.last.Notes(false) // a question is told of the error alone
				}
				return refusedBy(p, refusal), nil
			}
		}
		if p = s.planNow(text); asksAll {
			return p, nil
		}
	}
	return p, nil
}

// planPassed is a plan that names outdated views, in a transaction that has used something that is coming:
// making their twins anew would wait for a change that waits for the transaction.
func planPassed(p *plan.Plan, asksAll bool) *plan.Plan {
	if asksAll {
		return p
	}
	return refusedBy(p, sqlerr.LockWait())
}

// refusedBy is a plan of which nothing is done.
func refusedBy(p *plan.Plan, refusal error) *plan.Plan {
	refused := *p
	refused.Action = &plan.Refuse{Refusal: refusal}
	return &refused
}

// retell has the twin of a view made anew if it is outdated, those of views that it is
// over before. refusal is what is wrong with the view by now. An error ends the session.
func (s *Session) retell(v *catalog.Table, depth int) (refusal, err error) {
	modes := s.state.Modes()
	p := s.shared.Planner.PlanRetold(s.attempt.Catalog(), nil, v, modes)
	for _, inner := range p.Outdated() {
		if depth == 0 {
			return p.Refusal(), nil
		}
		if refusal, err = s.retell(inner, depth-1); refusal != nil || err != nil {
			return invalidFor(v, refusal), err
		}
	}
	if v = s.attempt.Catalog().View(v.Schema, v.Name); v == nil || !s.attempt.Catalog().Outdated(v) {
		return nil, nil
	}
	if len(p.Outdated()) > 0 {
		p = s.shared.Planner.PlanRetold(s.attempt.Catalog(), nil, v, modes)
	}
	if p, refusal, err = s.planRetoldBeside(s.attempt.Catalog(), v, p); refusal != nil || err != nil {
		return refusal, err
	}
	if p.View() == nil {
		return p.Refusal(), nil
	}
	return s.wrongWith(v, s.makeRetold(v, p.View()))
}

// planRetoldBeside plans the query of a view again, by a catalog, that names plain tables.
func (s *Session) planRetoldBeside(c *catalog.Catalog, v *catalog.Table, p *plan.Plan) (_ *plan.Plan, refusal, err error) {
	if len(p.Needs()) == 0 {
		return p, nil, nil
	}
	plain, missing, err := s.neededTables(p.Needs(), p.Statements)
	switch {
	case err != nil:
		return nil, nil, err
	case missing != nil:
		return nil, s.invalidView(v, missing), nil
	case len(plain) < len(p.Needs()):
		return nil, p.Refusal(), nil
	}
	return s.shared.Planner.PlanRetold(c, plain, v, s.state.Modes()), nil, nil
}

// adoptView plans a view of the server's as one of tunic's, by a catalog that has what is about to come.
func (s *Session) adoptView(c *catalog.Catalog, v *catalog.Table) (*viewtext.View, error) {
	p, refusal, err := s.planRetoldBeside(c, v, s.shared.Planner.PlanRetold(c, nil, v, s.state.Modes()))
	switch {
	case err != nil || refusal != nil:
		return nil, errors.Join(err, refusal)
	case p.View() == nil:
		return nil, p.Refusal()
	}
	described, err := s.describeView(p.View())
	if err != nil {
		return nil, err
	}
	return viewOf(p.View(), described, nil), nil
}

// makeRetold makes the twin anew.
func (s *Session) makeRetold(v *catalog.Table, planned *plan.DefinedView) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	described, err := s.describeView(planned)
	if err != nil || described == nil {
		return err
	}
	client := s.aside()
	session := s.definitionSession(settings)
	session.Locked = session.Locked || s.keepsDefinitions() // the server has been asked about what the view reads
	err = s.shared.Definer.RetellView(s.life, v, viewOf(planned, described, nil), session, client)
	if client.Broken != nil {
		return &dialogue.BrokenError{Err: client.Broken}
	}
	return err
}

// wrongWith is what a client is told of a view whose query the server does not take any
// more.
func (s *Session) wrongWith(v *catalog.Table, err error) (refusal, ended error) {
	e, ok := errors.AsType[*sqlerr.Error](err)
	switch {
	case err == nil:
		return nil, nil
	case !ok:
		return nil, s.tellFailed(err)
	case e.Code != 0 || e.IsLockWait(): // the view may be as good as it was
		return e, nil
	}
	return s.invalidView(v, e), nil
}

// errInvalidView is the number of the server's error for a view whose tables or columns
// are not there (MySQL's error reference, ER_VIEW_INVALID).
const errInvalidView = 1356

// invalidView is that error. MariaDB's SHOW WARNINGS has what is missing before it.
func (s *Session) invalidView(v *catalog.Table, cause *sqlerr.Error) *sqlerr.Error {
	s.executor().ForgetNotices()
	if s.last.Notes(s.state.Modes()&sql.MariaDB != 0 && cause.Number != errInvalidView); s.last.IsNoted() {
		s.executor().Notices().Add(value.Error, cause.Number, []byte(cause.Message))
	}
	return invalid(v)
}

// noteInvalid adds that error to what there is to tell of it.
func (s *Session) noteInvalid(refusal error) {
	if e, ok := errors.AsType[*sqlerr.Error](refusal); ok && e.Number == errInvalidView && e.Code == 0 && s.last.IsNoted() {
		s.executor().Notices().Add(value.Error, e.Number, []byte(e.Message))
	}
}

// invalidFor is the error of a view that is over one which is not valid.
func invalidFor(v *catalog.Table, inner error) error {
	if e, ok := errors.AsType[*sqlerr.Error](inner); ok && e.Number == errInvalidView {
		return invalid(v)
	}
	return inner
}

func invalid(v *catalog.Table) *sqlerr.Error {
	return &sqlerr.Error{
		Number: errInvalidView, State: "HY000",
		Message: "View '" + v.Schema + "." + v.Name +
			"' references invalid table(s) or column(s) or function(s) or definer/invoker of view lack rights to use them",
	}
}
