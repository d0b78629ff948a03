package layering

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/policy"
)

// date gives a new layer of a column that is there its epoch.
func (s *Layers) date(c *catalog.Column, capability policy.Capabilities) {
	c.Layer(capability).Epoch = form.EpochOfLayer(c, nil, capability, s.Tables.Ledger.Catalog(), s.Tables.Ledger.Tree().Newest())
}

// MoveEpoch has everything that is sealed of a table be sealed under an epoch from now on,
// which a master key has to serve that all members have. The fence of the table moves: the
// server refuses what was planned for another epoch. A table that is of the epoch, or a
// higher one, stays as it is. It waits until it has the table for a moment, for as long as ctx
// lasts. Errors are upkeep.ErrTableGone, and the server's as *sqlerr.Error.
func (s *Layers) MoveEpoch(ctx context.Context, table catalog.ID, epoch uint16) error {
	return s.Tables.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := revision.CopyOf(t), false
		for i := range next.Columns {
			if c := &next.Columns[i]; c.Protected() && c.Epoch < epoch {
				c.Epoch, more = epoch, true
			}
		}
		for i := range next.Families { // of the epoch of their columns
			next.Families[i].Epoch = max(next.Families[i].Epoch, epoch)
		}
		if !more {
			return nil
		}
		if t.BackfillsForStatement() {
			return s.Tables.ForsakeBriefly(ctx, t, wait) // and again
		}
		next.Revision++
		return s.Tables.ChangeBriefly(ctx, t, next.Table, revision.Alter(t, next.Table, nil), wait)
	})
}
