package attempt

import (
	"context"
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
	"tunic/internal/translation"
)

// errStale says that a statement is for other definitions than those of its tables, as the server has said or
// is known at the gates, and that the client has not been told. It goes up to who can plan it again.
var errStale = errors.New("a statement of another time")

// Enter enters the gates of tables; none if it fails. Plain ones have none: they are known to be plain only
// while no name can have become that of a protected table.
func (a *Attempt) Enter(tables []*catalog.Table) error {
	if e := a.client.Refusal(tables); e != nil {
		return e
	}
	return a.EnterToTell(tables)
}

// EnterToTell is Enter for what tells of tables, and of no value in them. What it returns may go up to Retry.
func (a *Attempt) EnterToTell(tables []*catalog.Table) error {
	a.Concerns(tables)
	a.waiting, a.waitsFor = false, nil
	if slices.ContainsFunc(tables, (*catalog.Table).Plain) && !a.LeasedToRead() { // it is one statement
		return sqlerr.LedgerLost()
	}
	if _, err := a.AwaitComing(tables); err != nil {
		return err
	}
	for _, t := range tables {
		if t.Plain() {
			continue
		}
		if t.Late && a.Catalog().Knows(t) { // as servers say of a key; else it is planned anew
			a.Leave()
			return translation.Redefined()
		}
		inside, err := a.enter(t)
		if err != nil {
			a.Leave()
			return err
		}
		a.inside = append(a.inside, inside)
	}
	if a.goesOn() {
		return nil
	}
	return a.Late()
}

// Late is what is told of a statement that has to be planned anew, and of which the server has been told nothing: it goes up
// to Retry, or is what servers say where there is none. It leaves the gates.
func (a *Attempt) Late() error {
	if a.retries {
		return a.Outdated()
	}
	a.Leave()
	return translation.Redefined()
}

// Outdated is what goes up to Retry where the tables of a statement have other definitions by now than those that
// it was planned by, and the server has been told nothing of it. It leaves the gates.
func (a *Attempt) Outdated() error {
	a.Leave()
	a.stale = nil
	return errStale
}

// IsOutdated reports whether an error is what Outdated returns.
func IsOutdated(err error) bool { return errors.Is(err, errStale) }

// Leave leaves the gates that the statement is inside of.
func (a *Attempt) Leave() {
	for _, inside := range a.inside {
		inside.Leave()
	}
	a.inside = a.inside[:0]
}

// enter enters the gate of a protected table, for as long as a statement on it is
// under way. Who holds the server's lock on it by a transaction need not wait, nor who holds
// that on another one which is changed with it, or may: what is planned for the table before is refused
// by its fence, should it have been changed all the same. Without a fence such a transaction waits for a
// time only, and is told what servers tell of a lock that is not to be had.
func (a *Attempt) enter(t *catalog.Table) (*ledger.Inside, error) {
	if a.ledger.Await(a.life.Done()) != nil {
		return nil, sqlerr.LedgerLost()
	}
	if a.client.Locks() {
		return a.enterLocked(t)
	}
	by := ledger.Passage{Uses: a.uses(t)}
	inside, ok := a.ledger.Gate().TryEnter(t.ID, by)
	if ok { // nearly always
		return inside, nil
	}
	may := a.client.MayHold()
	by.Holds = may && !a.unfenced && t.Fence() != ""
	waiting, cancel := a.life, context.CancelFunc(func() {})
	if may && !by.Holds { // the change may wait for it in turn, and without a fence nobody refuses what is outdated
		waiting, cancel = context.WithTimeout(a.life, transaction.Patience([]*catalog.Table{t}))
	}
	defer cancel()
	inside, ok = a.await(t, by, waiting.Done())
	switch {
	case ok:
		return inside, nil
	case a.life.Err() != nil:
		return nil, sqlerr.ShuttingDown()
	}
	return nil, sqlerr.LockWait()
}

// await enters a gate. A statement that finds it closed is not in flight until it goes on.
func (a *Attempt) await(t *catalog.Table, by ledger.Passage, done <-chan struct{}) (inside *ledger.Inside, ok bool) {
	if inside, ok = a.ledger.Gate().TryEnter(t.ID, by); ok {
		return inside, true
	}
	a.waits()
	return a.ledger.Gate().Enter(t.ID, by, done)
}

// enterLocked is enter for a session that may hold tables. One that does not hold this
// one waits for a while only: the change that it waits for may wait for another table
// that the session holds.
func (a *Attempt) enterLocked(t *catalog.Table) (*ledger.Inside, error) {
	uses := a.uses(t)
	if a.client.Holds(t, a.Catalog()) {
		uses = func(catalog.ID) bool { return true }
	}
	ctx, cancel := context.WithTimeout(a.life, ddl.WaitLocked)
	defer cancel()
	inside, ok := a.await(t, ledger.Passage{Uses: uses}, ctx.Done())
	switch {
	case ok:
		return inside, nil
	case a.life.Err() != nil:
		return nil, sqlerr.ShuttingDown()
	}
	return nil, sqlerr.LockWait()
}

// uses tells which tables the transaction under way holds the server's locks on. Without the
// fence of a table nothing is known of it by another one.
func (a *Attempt) uses(t *catalog.Table) func(catalog.ID) bool {
	return func(other catalog.ID) bool {
		return a.of.Touched.Has(other) && (other == t.ID || !a.unfenced && t.Fence() != "")
	}
}

// AwaitComing waits, before the server is told anything of tables, until those have come
// that are about to, and reports whether there were any. A statement that were refused,
// because they have not, would make the server keep their definitions as they are for the
// transaction, which the change would wait for. Who makes a table with rows, and who has
// locked others that the change may wait for, does not.
//
// The change may wait for the transaction in turn, for something that it has used beneath a
// view of the server's. So a transaction that has used anything waits for a time only, and is
// told what servers tell of a lock that is not to be had.
func (a *Attempt) AwaitComing(tables []*catalog.Table) (came bool, err error) {
	if len(tables) == 0 || a.client.Locks() {
		return false, nil
	}
	coming := a.of.Touched.Awaits(a.ledger.Catalog(), tables)
	if len(coming) == 0 {
		return false, nil
	}
	waiting, cancel := a.life, context.CancelFunc(func() {})
	if a.client.MayHold() {
		waiting, cancel = context.WithTimeout(a.life, transaction.Patience(coming))
	}
	defer cancel()
	a.ledger.CatchUp(waiting.Done(), tables, a.caughtUp)
	switch {
	case a.life.Err() != nil:
		return false, nil
	case waiting.Err() != nil && len(a.of.Touched.Awaits(a.ledger.Catalog(), tables)) > 0:
		return false, sqlerr.LockWait()
	}
	return true, nil
}
