package layering

import (
	"context"
	"errors"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/turn"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/layers"
)

// Add has every write of a table write layers from now on, which nobody reads yet.
// It waits until it has the table for a moment, for as long as ctx lasts. Errors are those
// of CanAdd, upkeep.ErrTableGone, and the server's as *sqlerr.Error.
func (s *Layers) Add(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	mine := map[string]bool{} // columns that were added in an earlier try
	return s.Tables.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := revision.CopyOf(t), false
		for _, request := range requests {
			added, err := next.Add(request, job)
			if err != nil {
				return err
			}
			if added {
				s.date(next.ByID(request.Column), request.Capability)
			}
			more = more || added
		}
		if !more {
			return nil
		}
		if !layers.CanBackfill(t) {
			return layers.ErrNoKey
		}
		if t.Converting() {
			return turn.ErrElsewhere
		}
		if t.BackfillsForStatement() {
			return s.Tables.ForsakeBriefly(ctx, t, wait) // and again
		}
		return s.Tables.Turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
			if err := s.addColumns(ctx, t, next.Table, mine, wait); err != nil {
				return err
			}
			next.Revision++
			return s.Tables.ChangeBriefly(ctx, t, next.Table, revision.Alter(t, next.Table, nil), wait)
		})
	})
}

// Ready lets plans use layers that Backfill has backfilled and looked at. It fails with
// ErrLayerGone if one of them is not there any more.
//
// A transaction that sees rows as they were before does without (catalog.SeenSince), so that
// nobody has to wait for it.
func (s *Layers) Ready(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	return s.amend(ctx, table, requests, func(c *catalog.Column, l *catalog.Layer) (bool, error) {
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

// Retire has nobody use layers any more, and returns when each tunic knows. It fails
// with ErrKeyStands, and with ErrLayerGone where a layer is another job's. One that is not
// there needs nothing.
func (s *Layers) Retire(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	err := s.amend(ctx, table, requests, func(_ *catalog.Column, l *catalog.Layer) (bool, error) {
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
	return turn.Patiently(ctx, func(ctx context.Context, _ time.Duration) error { return s.Tables.Ledger.AwaitMembers(ctx) })
}

// Drop takes the layers of a job away: those that retire, and those that are being
// backfilled, if the job is given up. One that a client has begun to need meanwhile stays.
func (s *Layers) Drop(ctx context.Context, job uint64, table catalog.ID) error {
	err := s.Tables.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, dropped := revision.WithoutLayers(t, func(l *catalog.Layer) bool { return l.Job == job && job != 0 })
		if len(dropped) == 0 {
			return s.Tables.DropLeftoversOf(ctx, t, wait)
		}
		return s.Tables.Turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
			next.Revision++
			if err := s.Tables.ChangeBriefly(ctx, t, next, revision.Dropping(t, next, dropped), wait); err != nil {
				return err
			}
			if t = s.Tables.Ledger.Catalog().ByID(table); t == nil {
				return upkeep.ErrTableGone
			}
			return s.Tables.DropLeftoversOf(ctx, t, wait)
		})
	})
	if errors.Is(err, upkeep.ErrTableGone) {
		return nil // and its layers with it
	}
	return err
}

// Keep gives up a job that takes layers away: those that retire are ready again.
func (s *Layers) Keep(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer) error {
	return s.amend(ctx, table, requests, func(_ *catalog.Column, l *catalog.Layer) (bool, error) {
		if l == nil || l.State != catalog.Retiring || l.Job != job {
			return false, nil
		}
		l.State, l.Job = catalog.Ready, 0
		return true, nil
	})
}

// amend changes what the catalog says of layers. say does so for one, which is nil if it
// is not there, as the column is then if that is gone too.
func (s *Layers) amend(ctx context.Context, table catalog.ID, requests []revision.NamedLayer, say func(*catalog.Column, *catalog.Layer) (bool, error)) error {
	return s.Tables.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
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
		if err := s.Tables.Ledger.Amend(ctx, wait, t, next.Table); err != nil {
			return err
		}
		crash.Point("ddl.online.amended")
		return nil
	})
}
