package session

import (
	"errors"

	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// prepareCarry prepares a statement that tunic carries out, explains or answers.
func (s *Session) prepareCarry(p *plan.Plan, payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	return s.carryPrepare(p, payload[1:], func() error { return s.prepare(payload) })
}

// carryPrepare has a statement prepared that tunic carries out, explains or answers. again
// prepares it by another plan.
func (s *Session) carryPrepare(p *plan.Plan, text []byte, again func() error) error {
	return s.retrying(func() error {
		s.attempt.Concerns(tablesOf(p))
		return s.carryPrepareNow(p, text)
	}, again)
}

func (s *Session) carryPrepareNow(p *plan.Plan, text []byte) error {
	before, prepared := s.last.Counts, false
	s.since.SeesNothing()
	err := s.carrying(nil, func(x *exec.Session) error {
		st, err := s.prepareCarried(x, p, text)
		if st != nil {
			s.keep(st.asking(s.asked(text)))
			prepared = true
		}
		return err
	})
	if prepared {
		s.last.Counts.Prepare(before, s.carrier().Stood())
	} else {
		s.last.Counts.LoseFound()
	}
	return err
}

// prepareCarried is nil without an error if the server has refused, and the client
// knows.
func (s *Session) prepareCarried(x *exec.Session, p *plan.Plan, text []byte) (*statement, error) {
	if p.Action == plan.Inquire {
		asked, err := x.PrepareAsked(s.told(p.Inquiry), text)
		if asked == nil {
			return nil, err
		}
		return &statement{plan: p, asked: asked}, err
	}
	st, err := x.Statement(runOf(p))
	if err != nil {
		return nil, unkeyed(err)
	}
	if p.Action == plan.Explain {
		explained, err := x.PrepareExplain(p.Explained, st, text, s.fingerprinter.Literals())
		if explained == nil {
			return nil, err
		}
		return &statement{plan: p, carried: explained.Prepared, explained: explained}, err
	}
	carried, err := x.Prepare(st, text, s.fingerprinter.Literals())
	if carried == nil {
		return nil, err
	}
	return &statement{plan: p, carried: carried}, err
}

// numbered is what tunic has prepared for the client; nil of what the server has as
// the client wrote it.
func (st *statement) numbered() *exec.Numbered {
	switch {
	case st.carried != nil:
		return &st.carried.Numbered
	case st.asked != nil:
		return &st.asked.Numbered
	}
	return nil
}

// carryCommand does a command on such a statement.
func (s *Session) carryCommand(st *statement, m wire.Execute, payload []byte) error {
	fetches := st.carried != nil && st.explained == nil // others have no cursor
	switch {
	case m.Command == wire.ComStmtExecute:
		err := s.carryExecute(st, m)
		if errors.Is(err, errGiven) {
			return s.statementCommand(m.Command, payload)
		}
		return err
	case m.Command == wire.ComStmtFetch && fetches:
		return s.carrying(nil, func(x *exec.Session) error { return x.Fetch(st.carried, payload) })
	case m.Command == wire.ComStmtReset:
		if st.asked != nil {
			st.asked.Reset()
		} else {
			st.carried.Reset()
		}
		return s.exchangeCommand(m.Command, st.numbered().Command(payload))
	default:
		return s.fail(sqlerr.CommandRefused(m.Command.String()))
	}
}

// carryExecute carries out an execution inside the gates of the statement's tables.
func (s *Session) carryExecute(st *statement, m wire.Execute) error {
	s.count(st.plan)
	defer func() { s.haveCalled(st.plan) }()
	do := func() error { return s.executeCurrent(st, m) }
	err := s.retrying(do, do)
	if st.carried != nil {
		st.carried.Reset()
		if s.taken > 0 {
			st.carried.Release()
		}
	}
	return err
}

// executeCurrent is one try of carryExecute.
func (s *Session) executeCurrent(st *statement, m wire.Execute) error {
	if ok, err := s.enterCurrent(st); !ok {
		return err
	}
	defer s.attempt.Leave()
	s.since.Sees(st.plan)
	return s.carrying(st.plan, func(x *exec.Session) error { return execute(x, st, m) })
}

// enterCurrent enters the gates of a statement's tables. If what it
// is about has got another definition since it was prepared, it is planned and
// prepared again. It is false if that has failed and the client knows, or if the
// session is over.
func (s *Session) enterCurrent(st *statement) (ok bool, err error) {
	for try := 0; ; try++ {
		enter := s.enterAll
		if st.asked != nil {
			s.attempt.CatchUpToTell(tablesOf(st.plan))
			enter = s.attempt.Enter
		}
		if err := enter(tablesOf(st.plan)); err != nil {
			return false, s.carryFailed(err)
		}
		outdated, err := s.outdated(st)
		outdated = outdated || try == 0 && st.asked != nil && st.asked.Inquiry().Own // says something else each time
		outdated = outdated || s.moved() && !st.everywhere
		if err == nil && !outdated && !s.attempt.NamesFenceInVain(tablesOf(st.plan)) {
			return true, nil
		}
		if err != nil {
			s.attempt.Leave()
			return false, err
		}
		if refusal := s.attempt.Again(); refusal != nil {
			return false, s.failWith(refusal)
		}
		if renewed, err := s.renew(st); !renewed {
			return false, err
		}
	}
}

// execute carries out an execution.
func execute(x *exec.Session, st *statement, m wire.Execute) error {
	switch {
	case st.asked != nil:
		return x.ExecuteAsked(st.asked, m)
	case st.explained != nil:
		return x.ExecuteExplain(st.explained, m)
	}
	return x.Execute(st.carried, m)
}

// outdated reports whether what a statement is about has got another definition. A
// catalog that was read anew is the same one if its version is.
func (s *Session) outdated(st *statement) (bool, error) {
	tables := tablesOf(st.plan)
	switch {
	case len(tables) == 0 && st.asked == nil:
		return false, nil // a query of no table
	case len(tables) == 0:
		return s.shared.Ledger.Catalog().Version != st.asked.Inquiry().Catalog.Version, nil
	case !s.attempt.Knows(tables), !s.knowsActions(st.plan):
		return true, nil
	case st.carried != nil:
		if version, ok := st.carried.Informed(); ok && version != s.shared.Ledger.Catalog().Version {
			return true, nil
		}
	}
	return s.plainOutdated(tables)
}

// renew plans and prepares a statement again. One that cannot be carried out any more
// is answered with the reason, and renewed is false.
func (s *Session) renew(st *statement) (renewed bool, err error) {
	p, ok, err := s.planPrepared(st.numbered().Text())
	switch {
	case err != nil:
		return false, err
	case !ok:
		return false, s.failWith(plan.NeedsPreparing())
	case s.moved() && !st.everywhere && dependsOnSchema(p):
		st.everywhere = true // the server has what is prepared in its schema
		return true, nil
	case p.Action == plan.Refuse:
		return false, s.refuse(p.Refusal)
	case p.Action == plan.Forward:
		return false, s.unprotected(st, p)
	case p.Action != st.plan.Action:
		return false, s.failWith(plan.NeedsPreparing())
	}
	s.attempt.Concerns(tablesOf(p))
	if err := s.prepareAgain(st, p); err != nil {
		return false, s.carryFailed(err)
	}
	st.plan, st.everywhere = p, s.moved()
	return true, nil
}

// dependsOnSchema reports whether a plan is refused because the statement would have to be prepared again
// in the schema that it is of.
func dependsOnSchema(p *plan.Plan) bool {
	e, ok := errors.AsType[*sqlerr.Error](p.Refusal)
	return ok && p.Action == plan.Refuse && e.Number == plan.NeedsPreparing().Number
}

// errGiven says that a statement is the server's by now, which is to execute it.
var errGiven = errors.New("the server has the statement")

// unprotected gives a statement to the server whose tables are plain by now, which is errGiven;
// where one is gone the client is told.
func (s *Session) unprotected(st *statement, p *plan.Plan) error {
	for _, t := range tablesOf(st.plan) {
		refusal, err := s.missing(plan.Named{Schema: t.Schema, Table: t.Name})
		switch {
		case err != nil:
			return err
		case refusal != nil:
			return s.failWith(refusal)
		}
	}
	if err := s.give(st, p); err != nil {
		return s.carryFailed(err)
	}
	return errGiven
}

// prepareAgain has what is prepared replaced by what another plan of its text says.
func (s *Session) prepareAgain(st *statement, p *plan.Plan) error {
	x := s.carrier()
	if st.asked != nil {
		return x.RenewAsked(st.asked, s.told(p.Inquiry))
	}
	again, err := x.Statement(runOf(p))
	switch {
	case err != nil:
		return unkeyed(err)
	case st.explained != nil:
		return x.RenewExplain(st.explained, p.Explained, again, s.fingerprinter.Literals())
	}
	return x.Renew(st.carried, again, s.fingerprinter.Literals())
}
