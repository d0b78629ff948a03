package ddl

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// alterBackfilled gives the rows of a table what they lack and then changes it. Whatever
// fails on the way, the table is as it was before.
func (w *work) alterBackfilled(ctx context.Context, stmt *ast.AlterTable, t *catalog.Table, k *lack) (err error) {
	w.result.Warnings = nil // they come again
	defer func() {
		if err != nil { // columns may have been added before anybody knew of them, and the server be away
			w.Upkeep.Postpone(t, w.Upkeep.TakingBack())
		}
	}()
	add, err := w.prepare(ctx, t, k)
	if err != nil {
		return err
	}
	done, err := w.beginBackfill(ctx, t, k.backfilling, add)
	if !done {
		return storedError(err, k.backfilling)
	}
	crash.Point("ddl.backfill.begun")
	w.catalog = w.o.Ledger.Catalog()
	defer func() {
		if err != nil && w.catalogHas(k.backfilling) {
			err = errors.Join(err, w.forsake(ctx, w.o.Ledger.Catalog().Table(t.Schema, t.Name)))
		}
	}()
	if err != nil {
		return err
	}
	job := layers.Job{DB: w.o.DB, Ring: w.ring(), Table: k.backfilling, Given: k.given, Env: &w.session.Env, Log: w.o.Log}
	var said []service.Warning
	if err := w.aside(t, func() (err error) { said, err = w.backfillRows(ctx, t, k, &job); return err }); err != nil {
		return err
	}
	now := w.catalog.Table(t.Schema, t.Name)
	if !w.catalogHas(k.backfilling) {
		return sqlerr.NoLedger()
	}
	err = w.alterRevision(ctx, stmt, now, false, true)
	w.result.Warnings = append(w.result.Warnings, said...)
	return err
}

// backfillRows backfills, and is what a plain server says of values that do not fit their new type: all rows
// are looked at again for that. It goes aside, as what takes as long as a table is large.
func (w *work) backfillRows(ctx context.Context, t *catalog.Table, k *lack, job *layers.Job) (said []service.Warning, err error) {
	err = job.Backfill(ctx)
	switch {
	case err == nil:
		crash.Point("ddl.backfill.done")
		if job.Warned() {
			said, err = w.plainServer().misfits(ctx, t, job, k.called)
		}
	case errors.Is(err, layers.ErrConversion):
		if failed, ok := errors.AsType[*sqlerr.Error](w.plainServer().misfit(ctx, t, job, k.called)); ok {
			return nil, failed
		}
	}
	if err != nil {
		return nil, backfillError(w.o.Log, t, err)
	}
	return said, nil
}

// beginBackfill makes the revision in which something is backfilled, in place if the server can.
func (w *work) beginBackfill(ctx context.Context, t, backfilling *catalog.Table, add string) (done bool, err error) {
	if t.Fenced {
		done, err = w.changeInPlace(ctx, t, backfilling, func(ctx context.Context) error { return w.client.Exec(ctx, add+turn.InPlace) })
		if done || !service.CannotInPlace(err) {
			return done, err
		}
	}
	steps, err := w.change(ctx, []ledger.Step{{Old: t, New: backfilling}}, func(ctx context.Context) error { return w.client.Exec(ctx, add) })
	return len(steps) > 0, err
}

// prepare makes ready a table for what is to be backfilled, and says which statement begins the
// revision in which it is. Layers of columns that are there, and shadows, are added before
// anybody knows of them, as jobs add layers: a statement that does nothing else adds them at once,
// and together with the fence and the mark servers make the table anew for them. So are new columns,
// which get the names that the client gives them with the revision.
func (w *work) prepare(ctx context.Context, t *catalog.Table, k *lack) (begin string, err error) {
	leftovers, err := w.Upkeep.LeftoversOf(ctx, t)
	if err != nil {
		return "", err
	}
	if len(revision.DropBackfilling(t)) > 0 {
		return revision.Adding(t, k.backfilling, leftovers...), nil
	}
	for _, name := range leftovers {
		if err := w.dropLeftoverNow(ctx, t, name); err != nil {
			return "", err
		}
	}
	if clauses := revision.AddAhead(revision.WithoutBackfilling(t), k.backfilling); len(clauses) > 0 {
		if err := turn.AnewIfTooWide(ctx, t, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), w.client.Exec); err != nil {
			return "", storedError(err, k.backfilling)
		}
		crash.Point("ddl.backfill.added")
	}
	return revision.Alter(t, k.backfilling, revision.NameNew(k.backfilling, false)), nil
}

// forsake brings a table back to what it was before something was to be backfilled. It is
// done by the service account: the client may be gone. Where a transaction uses the table for long it is
// left for later (postpone), as others who define something would wait for that.
func (w *work) forsake(ctx context.Context, t *catalog.Table) error {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(w.Upkeep.Patience, asideMost))
	defer cancel()
	var lost error
	err := w.aside(t, func() error {
		return turn.Patiently(within, func(ctx context.Context, wait time.Duration) error {
			w.Upkeep.Mu.Lock()
			defer w.Upkeep.Mu.Unlock()
			now := w.o.Ledger.Catalog().ByID(t.ID)
			if now == nil {
				return nil
			}
			err := w.Upkeep.TakeBack(ctx, now, wait)
			if errors.Is(err, ledger.ErrLost) { // it is done when the ledger is back
				lost, err = err, nil
			}
			return err
		})
	})
	if err != nil && within.Err() != nil {
		w.o.Log.Warn("a table keeps what was to be backfilled for now: a transaction uses it", "table", t.FullName())
		return nil
	}
	if err = cmp.Or(err, lost); err != nil {
		w.o.Log.Error("a table keeps what was to be backfilled for now", "table", t.FullName(), "error", err)
	}
	return err
}
