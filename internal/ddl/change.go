package ddl

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/bystander"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// begin makes the client's statement the only definition, and ends its
// transaction, as every definition does. Without that, somebody who holds locks
// and waits here would keep waiting who holds mu and waits for the locks. Tables that
// the statement concerns and that are being backfilled are waited for.
func (w *work) begin(ctx context.Context, concerns func() []*catalog.Table) (end func(), err error) {
	if w.session.Frozen != nil {
		return nil, w.session.Frozen
	}
	if err := w.client.Exec(ctx, tsql.TextCommit); err != nil {
		return nil, err
	}
	late := w.patience().late()
	for {
		if err := w.patience().lock(ctx); err != nil {
			return nil, err
		}
		w.catalog = w.o.Ledger.Catalog()
		tables := concerns()
		busy, err := w.busy(tables), error(nil)
		if busy == nil {
			var unlock func()
			if unlock, err = w.lockTables(ctx, tables, concerns); unlock != nil {
				return func() { unlock(); w.Upkeep.Mu.Unlock() }, nil
			}
		}
		w.Upkeep.Mu.Unlock()
		if errors.Is(err, ledger.ErrLost) { // nothing hangs on it yet: it is waited for, as other statements wait
			err = w.o.Ledger.Await(ctx.Done())
		}
		if err != nil {
			return nil, err
		}
		if err := w.patience().wait(ctx, busy, late); err != nil {
			return nil, err
		}
	}
}

// lockTables keeps other processes from changing tables, and reads what they have written.
// unlock is nil without an error if one of them has a table, or has changed one.
func (w *work) lockTables(ctx context.Context, tables []*catalog.Table, concerns func() []*catalog.Table) (unlock func(), err error) {
	ids := idsOf(tables)
	unlock, err = w.o.Ledger.TryLock(ctx, ids)
	if unlock == nil || err != nil {
		return nil, err
	}
	if err := w.o.Ledger.Refresh(ctx, tables); err != nil {
		unlock()
		return nil, err
	}
	w.catalog = w.o.Ledger.Catalog()
	if !slices.Equal(idsOf(concerns()), ids) {
		unlock()
		return nil, nil
	}
	return unlock, nil
}

func idsOf(tables []*catalog.Table) (ids []catalog.ID) {
	for _, t := range tables {
		if t != nil {
			ids = append(ids, t.ID)
		}
	}
	slices.SortFunc(ids, func(a, b catalog.ID) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

// busy is one of the tables that is being backfilled, nil if none is.
func (w *work) busy(tables []*catalog.Table) <-chan struct{} {
	for _, t := range tables {
		if t == nil {
			continue
		}
		if done := w.Upkeep.Busy(t.ID); done != nil {
			return done
		}
	}
	return nil
}

// aside is upkeep's Aside, behind which the catalog may be another one.
func (w *work) aside(t *catalog.Table, do func() error) error {
	err := w.Upkeep.Aside(t, do)
	w.catalog = w.o.Ledger.Catalog()
	return err
}

// change makes steps through the ledger; of several define is one statement. done are those
// that came to be.
func (w *work) change(ctx context.Context, steps []ledger.Step, define func(context.Context) error) (done []ledger.Step, err error) {
	return w.changeBy(ctx, w.patience().throughLedger, steps, define)
}

// takesAway reports whether steps do no more than drop tables or give them other names, which the server does at once
// when it has got all that it needs for it.
func takesAway(steps []ledger.Step) bool {
	return !slices.ContainsFunc(steps, func(s ledger.Step) bool {
		return s.Old == nil || s.New != nil && s.New.Revision != s.Old.Revision
	})
}

// changer is how steps go through the ledger.
type changer func(ctx context.Context, steps []ledger.Step, one bool, define func(context.Context) error) ([]ledger.Step, error)

// changeBy is change through the ledger in some way.
func (w *work) changeBy(ctx context.Context, by changer, steps []ledger.Step, define func(context.Context) error) (done []ledger.Step, err error) {
	if err := w.free(ctx, steps); err != nil {
		return nil, err
	}
	var cause error
	parents := above(w.catalog, steps)
	done, err = by(ctx, slices.Concat(steps, parents), len(parents) == 0 && (len(steps) > 1 || takesAway(steps)), func(ctx context.Context) error {
		if cause = bystander.Uncovered(ctx, w.o.DB, w.catalog, steps); cause == nil { // everybody knows the names by now
			cause = moveFences(ctx, w.o.DB, parents)
		}
		if cause == nil {
			cause = define(ctx)
		}
		if cause == nil {
			cause = w.tighten(ctx)
		}
		return cause
	})
	if len(parents) > 0 {
		w.catalog = w.o.Ledger.Catalog() // parents have other fences by now, whether the rest was done or not
	}
	done = slices.DeleteFunc(done, func(s ledger.Step) bool { return slices.Contains(parents, s) })
	if _, refused := errors.AsType[*sqlerr.Error](err); refused && cause == nil || errors.Is(err, ledger.ErrOutdated) {
		return done, err
	}
	if err != nil && (cause == nil || !errors.Is(err, cause) || w.o.Ledger.Usable() != nil) {
		w.o.Log.Error("the ledger has not taken a definition", "error", err)
		return done, sqlerr.NoLedger()
	}
	return done, err
}
