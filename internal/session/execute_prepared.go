package session

import (
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// preparing prepares what a plan says of a text, in one form of what is executed here. It is nil without an
// error if the server has refused, and the client knows.
type preparing func(x *exec.Session, p *plan.Plan, text []byte) (carriable, error)

// prepareRun prepares a statement that tunic executes.
func (s *Session) prepareRun(p *plan.Plan, payload []byte) error {
	return s.prepareHere(p, payload, s.preparedRun)
}

// prepareExplain prepares an EXPLAIN of one.
func (s *Session) prepareExplain(p *plan.Plan, payload []byte) error {
	return s.prepareHere(p, payload, s.preparedExplain)
}

// prepareInquiry prepares a question about tables.
func (s *Session) prepareInquiry(p *plan.Plan, payload []byte) error {
	return s.prepareHere(p, payload, s.preparedInquiry)
}

func (s *Session) prepareHere(p *plan.Plan, payload []byte, as preparing) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	return s.prepareBy(p, payload[1:], as, func() error { return s.prepare(payload) })
}

// prepareBy has a statement prepared that tunic executes, explains or answers. again
// prepares it by another plan.
func (s *Session) prepareBy(p *plan.Plan, text []byte, as preparing, again func() error) error {
	return s.retrying(func() error {
		s.attempt.Concerns(tablesOf(p))
		return s.prepareOnce(p, text, as)
	}, again)
}

func (s *Session) prepareOnce(p *plan.Plan, text []byte, as preparing) error {
	before, prepared := s.last.Counts, false
	s.transaction.Since.SeesNothing()
	err := s.executeAs(isTableless(p), nil, func(x *exec.Session) error {
		of, err := as(x, p, text)
		if of != nil {
			s.keep((&statement{prepared: &here{of: of}, plan: p}).asking(s.asked(text)))
			prepared = true
		}
		return err
	})
	if prepared {
		s.last.Counts.Prepare(before, s.executor().Stood())
	} else {
		s.last.Counts.LoseFound()
	}
	return err
}

func (s *Session) preparedRun(x *exec.Session, p *plan.Plan, text []byte) (carriable, error) {
	st, err := x.Statement(p.Run())
	if err != nil {
		return nil, unkeyed(err)
	}
	by, err := x.Prepare(st, text, s.fingerprinter.Literals())
	if by == nil {
		return nil, err
	}
	return executable{by}, err
}

func (s *Session) preparedExplain(x *exec.Session, p *plan.Plan, text []byte) (carriable, error) {
	st, err := x.Statement(p.Explained().Run)
	if err != nil {
		return nil, unkeyed(err)
	}
	by, err := x.PrepareExplain(p.Explained(), st, text, s.fingerprinter.Literals())
	if by == nil {
		return nil, err
	}
	return explained{executable{by.Prepared}, by}, err
}

func (s *Session) preparedInquiry(x *exec.Session, p *plan.Plan, text []byte) (carriable, error) {
	by, err := x.PrepareAsked(s.told(p.Inquiry()), text)
	if by == nil {
		return nil, err
	}
	return inquired{by}, err
}

// execute implements prepared.
func (h *here) execute(s *Session, st *statement, m wire.Execute, payload []byte) error {
	if st.asksUnknown(s) {
		return s.outcomeUnknown() // beside other things that are executed here nobody adds it up
	}
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	return h.executeHere(s, st, m, payload)
}

// executeHere does an execution, or has the server execute what has become its statement.
func (h *here) executeHere(s *Session, st *statement, m wire.Execute, payload []byte) error {
	err := h.executeInGates(s, st, m)
	if errors.Is(err, errGiven) {
		return s.statementCommand(m.Command, payload)
	}
	return err
}

// command implements prepared.
func (h *here) command(s *Session, m wire.Execute, payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	if m.Command == wire.ComStmtFetch {
		return h.of.fetch(s, m, payload)
	}
	h.of.reset()
	return s.exchangeCommand(m.Command, h.of.numbered().Command(payload))
}

func (h *here) keeps() keeper                   { return h.of.keeps() }
func (h *here) sentAhead(payload []byte) []byte { return h.of.sentAhead(payload) }
func (h *here) forget(s *Session)               { s.executor().Forget(h.of.numbered()) }

// withoutCursor answers a command on the cursor of what has none.
func (s *Session) withoutCursor(m wire.Execute) error {
	return s.fail(sqlerr.CommandRefused(m.Command.String()))
}

// executeInGates does an execution inside the gates of the statement's tables.
func (h *here) executeInGates(s *Session, st *statement, m wire.Execute) error {
	if m.Command != wire.ComStmtExecute {
		return s.withoutCursor(m)
	}
	s.count(st.plan)
	defer func() { s.haveCalled(st.plan) }()
	e := execution{here: h, session: s, st: st}
	do := func() error { return e.try(m) }
	err := s.retrying(do, do)
	if run := h.of.run(); run != nil {
		run.ForgetExecuted()
		if s.memory.Any() {
			run.Release()
		}
	}
	return err
}

// execution is one of a statement that is executed here.
type execution struct {
	*here
	session *Session
	st      *statement
	// outdated says that it has to be planned and prepared again, and renewed that it was since the server got
	// something of it.
	outdated, renewed bool
}

// try executes it, if what it is about has the definitions that it was prepared for.
func (e *execution) try(m wire.Execute) error {
	s := e.session
	if e.outdated {
		if ok, err := e.renew(s, e.st); !ok {
			return err
		}
		e.outdated, e.renewed = false, true
	}
	if done, err := s.unlessLate(e.st.plan); done {
		return err
	}
	if err := e.of.enter(s, tablesOf(e.st.plan)); err != nil {
		return s.tellFailed(err)
	}
	defer s.attempt.Leave()
	holds := s.attempt.Executes(e.st.plan)
	outdated, err := e.isOutdated(s, e.st)
	switch {
	case err != nil:
		return err
	case outdated, !holds, !e.renewed && e.of.renews(), s.moved() && !e.everywhere, s.attempt.NamesFenceInVain(tablesOf(e.st.plan)):
		e.outdated = true
		return s.attempt.Outdated()
	}
	e.renewed = false
	s.transaction.Since.Sees(e.st.plan)
	return s.executeAs(isTableless(e.st.plan), e.st.plan, func(x *exec.Session) error { return e.of.execute(x, m) })
}

// isOutdated reports whether what a statement is about has got another definition. A
// catalog that was read anew is the same one if its version is.
func (h *here) isOutdated(s *Session, st *statement) (bool, error) {
	tables := tablesOf(st.plan)
	switch {
	case h.of.outdated(s.shared.Ledger.Catalog().Version, tables):
		return true, nil
	case len(tables) == 0:
		return false, nil // a query of no table
	case !s.knows(st, tables), !s.knowsActions(st.plan):
		return true, nil
	}
	return s.plainOutdated(tables)
}

// knows reports whether the tables of a prepared statement are as its plan has them. It looks once for each version of the
// catalog that all go by.
func (s *Session) knows(st *statement, tables []*catalog.Table) bool {
	all := s.shared.Ledger.Catalog()
	common := s.attempt.Catalog() == all
	if common && st.known.plan == st.plan && st.known.version == all.Version {
		return true
	}
	knows := s.attempt.Knows(tables)
	if knows && common {
		st.known.plan, st.known.version = st.plan, all.Version
	}
	return knows
}

// renew plans and prepares a statement again. One that cannot be executed any more
// is answered with the reason, and renewed is false.
func (h *here) renew(s *Session, st *statement) (renewed bool, err error) {
	p, ok, err := s.planPrepared(h.of.numbered().Text())
	switch {
	case err != nil:
		return false, err
	case !ok:
		return false, s.failWith(plan.NeedsPreparing())
	case s.moved() && !h.everywhere && dependsOnSchema(p):
		h.everywhere = true // the server has what is prepared in its schema
		return true, nil
	case plan.Is[*plan.Refuse](p):
		return false, s.refuse(p.Refusal())
	case plan.Is[*plan.Forward](p):
		return false, h.unprotected(s, st, p)
	case p.ActionNumber() != st.plan.ActionNumber():
		return false, s.failWith(plan.NeedsPreparing())
	}
	s.attempt.Concerns(tablesOf(p))
	if err := h.of.renew(s, p); err != nil {
		return false, s.tellFailed(err)
	}
	st.plan, h.everywhere = p, s.moved()
	return true, nil
}

// dependsOnSchema reports whether a plan is refused because the statement would have to be prepared again
// in the schema that it is of.
func dependsOnSchema(p *plan.Plan) bool {
	e, ok := errors.AsType[*sqlerr.Error](p.Refusal())
	return ok && plan.Is[*plan.Refuse](p) && e.Number == plan.NeedsPreparing().Number
}

// errGiven says that a statement is the server's by now, which is to execute it.
var errGiven = errors.New("the server has the statement")

// unprotected gives a statement to the server whose tables are plain by now, which is errGiven;
// where one is gone the client is told.
func (h *here) unprotected(s *Session, st *statement, p *plan.Plan) error {
	for _, t := range tablesOf(st.plan) {
		refusal, err := s.asker(s.shared.Definer.Policy()).Missing(&s.shared.Existing, s.attempt.CaughtUp(), resolve.Name{Schema: t.Schema, Table: t.Name})
		switch {
		case err != nil:
			return err
		case refusal != nil:
			return s.failWith(refusal)
		}
	}
	if err := h.give(s, st, p); err != nil {
		return s.tellFailed(err)
	}
	return errGiven
}
