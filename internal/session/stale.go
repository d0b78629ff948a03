package session

import (
	"errors"
	"slices"
	"time"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
	"tunic/internal/wire"
)

// Another tunic may change a table at any time. A statement that was planned before is
// refused by the server, by the fence that it names. The session then reads what the other
// has written, plans the statement again and carries it out as if it came now, in the same
// transaction: the client notices nothing.
//
//	plan ──► server: 1054 ──► leave the gates ──► catch up ──► plan ──► server

// errStale says that the server has refused a statement in such a way, and that the client
// has not been told. It goes up to who can plan it again.
var errStale = errors.New("a statement of another time")

// staleMax is how often a statement is planned again. Of tables that change faster than that
// the client is told that they have changed.
const staleMax = 20

// retrying does something that is planned, as often as it is out of date. again plans it
// anew and does it; nil is returned of it where it has been answered in another way.
func (s *Session) retrying(do, again func() error) error {
	outer, unfenced := s.retries, s.unfenced
	s.retries = true
	defer func() { s.retries, s.unfenced = outer, unfenced }()
	err := do()
	for n := 0; errors.Is(err, errStale); n++ {
		told := s.stale
		s.stale = nil
		if n == staleMax || !s.changed(told) {
			return s.failWith(s.ofAnotherTime(told, n))
		}
		s.shared.Metrics.Replanned.Inc()
		s.since.SendsAgain(s.unfenced)
		s.beginPlanning()
		err = again()
	}
	return err
}

// ofAnotherTime is what the client is told of a statement that is out of date and cannot be planned
// again: what a server says of one whose table has another definition by now, in place of the
// name of a fence. While the ledger cannot be used nobody knows whether it is out of date. The server
// may have said so just before it was killed, and a client who waits for it is told what all are
// who ask later.
func (s *Session) ofAnotherTime(told *sqlerr.Error, tries int) *sqlerr.Error {
	l := s.shared.Ledger
	if l.Usable() != nil && exec.MayBeStale(told) {
		return sqlerr.LedgerLost()
	}
	if !exec.NamesFence(told) {
		return told
	}
	s.log.Warn("a statement is not of the definitions that its tables have", "tries", tries, "version", l.Catalog().Version, "planned", s.caughtUp)
	return exec.Redefined()
}

// changed reports whether a statement that the server has refused, or that does not fit what
// is coming, is to be planned again.
func (s *Session) changed(told *sqlerr.Error) bool {
	if binding.IsMisfit(told) {
		return s.awaitsChange()
	}
	return s.unfence(told) || s.shared.Ledger.CatchUp(s.life.Done(), s.entered, s.caughtUp)
}

// misfitLook is how often it is looked whether a change of a table that is under way has ended.
const misfitLook = 100 * time.Millisecond

// awaitsChange waits until a table of the statement has another definition. It does not in
// a transaction, which the change may be waiting for.
func (s *Session) awaitsChange() bool {
	if s.response.Status&wire.StatusInTransaction != 0 {
		return false
	}
	for until := time.Now().Add(transaction.PatienceForTable); time.Now().Before(until); {
		if slices.ContainsFunc(s.entered, func(t *catalog.Table) bool { return !s.shared.Ledger.Catalog().Knows(t) }) {
			return true
		}
		select {
		case <-s.life.Done():
			return false
		case <-time.After(misfitLook):
		}
		s.shared.Ledger.CatchUp(s.life.Done(), s.entered, s.caughtUp)
	}
	return false
}

// notes keeps the tables that a statement is about.
func (s *Session) notes(tables []*catalog.Table) { s.entered = append(s.entered[:0], tables...) }

// staleOf is errStale if the statement under way can be planned again after an error, and
// may have to.
func (s *Session) staleOf(e *sqlerr.Error) error {
	if !s.retries || !exec.MayBeStale(e) && !s.lacksFence(e) {
		return nil
	}
	s.stale = e
	return errStale
}

// lacksFence reports whether an error may be that the client has no privilege on the fence of
// a table, which the statement names.
func (s *Session) lacksFence(e *sqlerr.Error) bool {
	return exec.MayBeDenied(e) && namesFence(s.entered)
}

// namesFence reports whether a statement about these tables names a fence.
func namesFence(tables []*catalog.Table) bool {
	return slices.ContainsFunc(tables, func(t *catalog.Table) bool { return t.Fence() != "" })
}

// unfence has the statement under way planned without the fences of its tables, if that may
// be what the client lacks a privilege on. Whoever lacks another is denied it then.
func (s *Session) unfence(e *sqlerr.Error) bool {
	if !s.lacksFence(e) {
		return false
	}
	s.unfenced = true
	return true
}

// fenceOf asks which fence a stored table has.
func (s *Session) fenceOf(t *catalog.Table) (string, error) {
	return s.shared.Ledger.FenceOf(s.life, t)
}

// perform does what a plan says with a text.
func (s *Session) perform(p *plan.Plan, q wire.Query) error {
	defer s.haveCalled(p)
	if s.shared.Ledger == nil {
		return s.performPlanned(p, q)
	}
	return s.retrying(func() error { return s.performPlanned(p, q) }, func() error {
		again, err := s.plan(q.Text)
		if err != nil {
			return err
		}
		return s.performPlanned(again, q)
	})
}
