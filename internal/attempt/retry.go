package attempt

import (
	"context"
	"errors"
	"slices"
	"time"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
	"tunic/internal/translation"
)

// Another tunic may change a table at any time. A statement that was planned before is
// refused by the server, by the fence that it names. The client's session then reads what the other
// has written, plans the statement again and carries it out as if it came now, in the same
// transaction: the client notices nothing.
//
//	plan ──► server: 1054 ──► leave the gates ──► catch up ──► plan ──► server

// Limit is how often a statement is planned again. Of tables that change faster than that the client is told
// that they have changed.
const Limit = 100

// Again is before a statement is planned once more, outside of the gates. At the limit it is what the client
// is told instead.
func (a *Attempt) Again() *sqlerr.Error {
	a.Leave()
	if a.again++; a.again > Limit {
		a.log.Warn("a statement was planned again too often", "version", a.ledger.Catalog().Version, "planned", a.caughtUp)
		return translation.Redefined()
	}
	a.notes()
	return nil
}

// Retry does something that is planned, as often as it is out of date. again plans it
// anew and does it; nil is returned of it where it has been answered in another way. It is told whether the
// server has refused what was done before. A refusal is what the client is to be told of what cannot be planned
// again.
func (a *Attempt) Retry(do func() error, again func(refused bool) error) (refusal *sqlerr.Error, err error) {
	outer, unfenced := a.retries, a.unfenced
	if !outer {
		a.again = 0
	}
	a.retries = true
	defer func() { a.retries, a.unfenced = outer, unfenced }()
	err = do()
	for n := 0; errors.Is(err, errStale); n++ {
		told := a.stale
		a.stale = nil
		if told != nil && !a.changed(told) {
			return a.ofAnotherTime(told, n), nil
		}
		if e := a.Again(); e != nil {
			return e, nil
		}
		err = again(told != nil)
	}
	return nil, err
}

// ofAnotherTime is what the client is told of a statement that is out of date and cannot be planned
// again: what a server says of one whose table has another definition by now, in place of the
// name of a fence. While the ledger cannot be used nobody knows whether it is out of date. The server
// may have said so just before it was killed, and a client who waits for it is told what all are
// who ask later.
func (a *Attempt) ofAnotherTime(told *sqlerr.Error, tries int) *sqlerr.Error {
	if a.ledger.Usable() != nil && translation.MayBeStale(told) {
		return sqlerr.LedgerLost()
	}
	if !translation.NamesFence(told) {
		return told
	}
	a.log.Warn("a statement is not of the definitions that its tables have", "tries", tries, "version", a.ledger.Catalog().Version, "planned", a.caughtUp)
	return translation.Redefined()
}

// changed reports whether a statement that the server has refused, or that does not fit what
// is coming, is to be planned again.
func (a *Attempt) changed(told *sqlerr.Error) bool {
	if binding.IsMisfit(told) {
		return a.awaitsChange()
	}
	if a.unfence(told) {
		return true
	}
	waiting, cancel := a.life, context.CancelFunc(func() {})
	if a.client.InTransaction() { // for which the change may be waiting: the server keeps what it has refused
		waiting, cancel = context.WithTimeout(a.life, transaction.PatienceForTable)
	}
	defer cancel()
	return a.ledger.CatchUp(waiting.Done(), a.entered, a.caughtUp)
}

// misfitLook is how often it is looked whether a change of a table that is under way has ended.
const misfitLook = 100 * time.Millisecond

// awaitsChange waits until a table of the statement has another definition. It does not in
// a transaction, which the change may be waiting for.
func (a *Attempt) awaitsChange() bool {
	if a.client.InTransaction() {
		return false
	}
	for until := time.Now().Add(transaction.PatienceForTable); time.Now().Before(until); {
		if slices.ContainsFunc(a.entered, func(t *catalog.Table) bool { return !a.ledger.Catalog().Knows(t) }) {
			return true
		}
		select {
		case <-a.life.Done():
			return false
		case <-time.After(misfitLook):
		}
		a.ledger.CatchUp(a.life.Done(), a.entered, a.caughtUp)
	}
	return false
}

// Stale is what goes up to Retry if the statement under way can be planned again after an error, and
// may have to; else nil.
func (a *Attempt) Stale(e *sqlerr.Error) error {
	if !a.retries || !translation.MayBeStale(e) && !a.lacksFence(e) {
		return nil
	}
	a.stale = e
	return errStale
}

// lacksFence reports whether an error may be that the client has no privilege on the fence of
// a table, which the statement names.
func (a *Attempt) lacksFence(e *sqlerr.Error) bool {
	return translation.MayBeDenied(e) && namesFence(a.entered)
}

// unfence has the statement under way planned without the fences of its tables, if that may
// be what the client lacks a privilege on. Whoever lacks another is denied it then.
func (a *Attempt) unfence(e *sqlerr.Error) bool {
	if !a.lacksFence(e) {
		return false
	}
	a.unfenced = true
	return true
}

// NamesFenceInVain reports whether a statement about these tables names a fence which the client may not
// name.
func (a *Attempt) NamesFenceInVain(tables []*catalog.Table) bool {
	return a.unfenced && namesFence(tables)
}
