package ddl

import (
	"context"
	"errors"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
	"tunic/internal/layers"
	"tunic/internal/ledger"
)

// Layers of a table that clients use go up and down by a job, without a client that waits
// for it: by the service account alone, in steps of which each is done or not, whoever is
// killed when.
//
//	          AddLayers              BackfillLayers, ReadyLayers         RetireLayers            DropLayers
//	absent ──────────────► backfilling ──────────────────────► ready ──────────────► retiring ──────────────► absent
//	          one ALTER              the catalog                         the catalog             one ALTER, or two
//
// Each step looks at what is there, so that who takes over a job calls it again. What has
// been done is not done twice, and what cannot be done any more, because a client has
// dropped the table or changed the column, is one of the errors below. A layer that is on
// its way belongs to a job (catalog.Layer.Job): other changes of the table go by and leave
// it as it is, or take it away with its column.

// ErrTableGone says that the table has been dropped, or has no protected column any more.
var ErrTableGone = errors.New("the table is not there any more")

// AddLayers has every write of a table write layers from now on, which nobody reads yet.
// It waits until it has the table for a moment, for as long as ctx lasts. Errors are those
// of CanAdd, ErrTableGone, and the server's as *sqlerr.Error.
func (d *Definer) AddLayers(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	mine := map[string]bool{} // columns that were added in an earlier try
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := revision.CopyOf(t), false
		for _, request := range requests {
			added, err := next.Add(request, job)
			if err != nil {
				return err
			}
			if added {
				d.date(next.ByID(request.Column), request.Capability)
			}
			more = more || added
		}
		if !more {
			return nil
		}
		if !layers.CanBackfill(t) {
			return layers.ErrNoKey
		}
		if t.Encrypting() || t.Baring() {
			return turn.ErrElsewhere
		}
		if t.BackfillsForStatement() {
			return d.forsakeBriefly(ctx, t, wait) // and again
		}
		return d.turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
			if err := d.addColumns(ctx, t, next.Table, mine, wait); err != nil {
				return err
			}
			next.Revision++
			return d.changeBriefly(ctx, t, next.Table, revision.Alter(t, next.Table, nil), wait)
		})
	})
}

// ReadyLayers lets plans use layers that BackfillLayers has backfilled and looked at. It fails with
// ErrLayerGone if one of them is not there any more.
//
// A transaction that sees rows as they were before does without (catalog.SeenSince), so that
// nobody has to wait for it.
func (d *Definer) ReadyLayers(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	return d.amend(ctx, table, requests, func(c *catalog.Column, l *catalog.Layer) (bool, error) {
		switch {
		case l == nil || l.State != catalog.Ready && l.Job != job || l.State == catalog.Retiring:
			return false, revision.LayerGone(c, l)
		case l.State == catalog.Ready:
			return false, nil
		}
		l.State, l.Job, l.Nullable = catalog.Ready, 0, c.Type.NotNull
		return true, nil
	})
}

// RetireLayers has nobody use layers any more, and returns when each tunic knows. It fails
// with ErrKeyStands, and with ErrLayerGone where a layer is another job's. One that is not
// there needs nothing.
func (d *Definer) RetireLayers(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	err := d.amend(ctx, table, requests, func(_ *catalog.Column, l *catalog.Layer) (bool, error) {
		switch {
		case l == nil || l.State == catalog.Retiring && l.Job == job:
			return false, nil
		case l.State != catalog.Ready:
			return false, revision.ErrLayerGone
		}
		l.State, l.Job = catalog.Retiring, job
		return true, nil
	})
	if err != nil {
		return err
	}
	return turn.Patiently(ctx, func(ctx context.Context, _ time.Duration) error { return d.o.Ledger.AwaitMembers(ctx) })
}

// DropLayers takes the layers of a job away: those that retire, and those that are being
// backfilled, if the job is given up. One that a client has begun to need meanwhile stays.
func (d *Definer) DropLayers(ctx context.Context, job uint64, table catalog.ID) error {
	err := d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, dropped := revision.WithoutLayers(t, func(l *catalog.Layer) bool { return l.Job == job && job != 0 })
		if len(dropped) == 0 {
			return d.dropLeftoversOf(ctx, t, wait)
		}
		return d.turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
			next.Revision++
			if err := d.changeBriefly(ctx, t, next, revision.Dropping(t, next, dropped), wait); err != nil {
				return err
			}
			if t = d.o.Ledger.Catalog().ByID(table); t == nil {
				return ErrTableGone
			}
			return d.dropLeftoversOf(ctx, t, wait)
		})
	})
	if errors.Is(err, ErrTableGone) {
		return nil // and its layers with it
	}
	return err
}

// KeepLayers gives up a job that takes layers away: those that retire are ready again.
func (d *Definer) KeepLayers(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	return d.amend(ctx, table, requests, func(_ *catalog.Column, l *catalog.Layer) (bool, error) {
		if l == nil || l.State != catalog.Retiring || l.Job != job {
			return false, nil
		}
		l.State, l.Job = catalog.Ready, 0
		return true, nil
	})
}

// amend changes what the catalog says of layers. say does so for one, which is nil if it
// is not there, as the column is then if that is gone too.
func (d *Definer) amend(ctx context.Context, table catalog.ID, requests []revision.NamedLayer, say func(*catalog.Column, *catalog.Layer) (bool, error)) error {
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := revision.CopyOf(t), false
		for _, request := range requests {
			var l *catalog.Layer
			c := next.ByID(request.Column)
			if c != nil {
				l = c.Layer(request.Capability)
			}
			changed, err := say(c, l)
			if err != nil {
				return err
			}
			if changed && l.State == catalog.Retiring && revision.KeyStands(t, c, l.Capability) {
				return revision.ErrKeyStands
			}
			more = more || changed
		}
		if !more {
			return nil
		}
		next.CatalogVersion++
		if err := d.o.Ledger.Amend(ctx, wait, t, next.Table); err != nil {
			return err
		}
		crash.Point("ddl.online.amended")
		return nil
	})
}

// step does something with a table that nobody else changes meanwhile, and again later
// where that is so or transactions use the table.
func (d *Definer) step(ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table, wait time.Duration) error) error {
	return turn.Patiently(ctx, func(ctx context.Context, wait time.Duration) error {
		ctx, h := turn.Holding(ctx, &d.mu)
		if h == nil {
			return turn.ErrElsewhere
		}
		defer h.End()
		if err := d.o.Ledger.Usable(); err != nil {
			return err
		}
		if d.backfilling[table] != nil {
			return turn.ErrElsewhere
		}
		unlock, err := d.o.Ledger.TryLock(ctx, []catalog.ID{table})
		switch {
		case err != nil:
			return service.Error(err)
		case unlock == nil:
			return turn.ErrElsewhere
		}
		defer unlock()
		t := d.o.Ledger.Catalog().ByID(table)
		if err := d.o.Ledger.Refresh(ctx, []*catalog.Table{t}); err != nil {
			return err
		}
		if t = d.o.Ledger.Catalog().ByID(table); t == nil {
			return ErrTableGone
		}
		return do(ctx, t, wait)
	})
}

// changeBriefly brings a table to its next revision by one statement of the service
// account's. What has been done is nobody's error.
func (d *Definer) changeBriefly(ctx context.Context, t, next *catalog.Table, statement string, wait time.Duration) error {
	return d.turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
		done, err := d.o.Ledger.ChangeWithin(ctx, wait, []ledger.Step{{Old: t, New: next}}, func(ctx context.Context) error {
			crash.Point("ddl.online.altering")
			err := d.turns.Brief(ctx, statement, wait)
			crash.Point("ddl.online.altered")
			return err
		})
		if len(done) > 0 {
			crash.Point("ddl.online.settled")
			return nil
		}
		return err
	})
}

// forsakeBriefly takes away what a statement has left that was backfilling a table. What is to
// be done with the table is then to be tried again.
func (d *Definer) forsakeBriefly(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	if err := d.forsakeOnce(ctx, t, wait); err != nil {
		return err
	}
	return turn.ErrElsewhere
}
