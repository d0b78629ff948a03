package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tunic/internal/catalog"
)

// Amend has the catalog say something else of a table whose stored form stays as it is:
// that a layer may be used, or no more. It is one write of the ledger, and nothing of it
// is left if it fails. next has the same revision and another catalog version. Members may know of
// it at different times ([Ledger.AwaitMembers]).
//
// ErrOutdated says that the table is another one by now, ErrBusy that others changed
// something for as long as wait is.
func (l *Ledger) Amend(ctx context.Context, wait time.Duration, old, next *catalog.Table) error {
	if err := l.Usable(); err != nil {
		return err
	}
	if next.ID != old.ID || next.Revision != old.Revision || next.CatalogVersion == old.CatalogVersion || next.Schema != old.Schema || next.Name != old.Name {
		return fmt.Errorf("%w: an amendment of something else", catalog.ErrContent)
	}
	if err := next.Check(); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	end, err := l.begin(ctx, waiting.Done())
	if err != nil {
		return err
	}
	defer end()
	return l.amend(ctx, Step{Old: old, New: next})
}

// amend writes down a step that nothing is to be settled of.
func (l *Ledger) amend(ctx context.Context, s Step) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	if !l.written().Knows(s.Old) {
		return ErrOutdated
	}
	version := l.written().Version + 1
	err := l.transact(ctx, version, func(tx *sql.Tx, rows map[row]digest) error { return l.write(ctx, tx, rows, version, s) })
	if err != nil {
		l.become(ErrLost) // whether it was committed is not known: the ledger is read anew
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	l.show(l.written().Next(version, []*catalog.Table{s.Old}, []*catalog.Table{s.New}), l.unsettled())
	return nil
}

// AwaitMembers waits until every other member has read the catalog as it is now, or its
// lease is over.
func (l *Ledger) AwaitMembers(ctx context.Context) error {
	return l.awaitMembers(ctx, l.Version())
}

// AwaitInFlight waits until no statement is in flight that would be another one by the catalog as it is now. It is
// ErrBusy after a time.
func (l *Ledger) AwaitInFlight(ctx context.Context, most time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return l.awaitInFlight(ctx, waiting, l.Version())
}
