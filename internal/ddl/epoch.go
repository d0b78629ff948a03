package ddl

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/policy"
)

// New forms are of the newest epoch there is; those that a column has keep theirs, until the
// column is brought to another.

// dateLayers gives layers that are new the epoch that their tokens are to be of: that of the
// layers that they are compared with, else the newest. was is the table before a change.
func (l *logical) dateLayers(was *catalog.Table, s *surroundings) {
	for i := range l.table.Columns {
		c := &l.table.Columns[i]
		old := form.ColumnOfID(was, c.ID)
		for j := range c.Layers {
			c.Layers[j].Epoch = form.EpochOfLayer(c, old, c.Layers[j].Capability, s.catalog, s.epoch)
		}
	}
	for i := range l.table.ForeignKeys {
		l.dateForeignKey(&l.table.ForeignKeys[i], s.catalog)
	}
}

// date gives a new layer of a column that is there its epoch.
func (d *Definer) date(c *catalog.Column, capability policy.Capabilities) {
	c.Layer(capability).Epoch = form.EpochOfLayer(c, nil, capability, d.o.Ledger.Catalog(), d.o.Ledger.Tree().Newest())
}

// MoveEpoch has everything that is sealed of a table be sealed under an epoch from now on,
// which a master key has to serve that all members have. The fence of the table moves: the
// server refuses what was planned for another epoch. A table that is of the epoch, or a
// higher one, stays as it is. It waits until it has the table for a moment, for as long as ctx
// lasts. Errors are ErrTableGone, and the server's as *sqlerr.Error.
func (d *Definer) MoveEpoch(ctx context.Context, table catalog.ID, epoch uint16) error {
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := revision.CopyOf(t), false
		for i := range next.Columns {
			if c := &next.Columns[i]; c.Protected() && c.Epoch < epoch {
				c.Epoch, more = epoch, true
			}
		}
		if !more {
			return nil
		}
		if t.FillsForStatement() {
			return d.forsakeBriefly(ctx, t, wait) // and again
		}
		next.Revision++
		return d.changeBriefly(ctx, t, next.Table, revision.Alter(t, next.Table, nil), wait)
	})
}

// dateForeignKey gives the layers of referring columns the epochs of those that they refer to.
func (l *logical) dateForeignKey(k *catalog.ForeignKey, known *catalog.Catalog) {
	parent := known.Table(k.Schema, k.Table)
	if k.Schema == l.table.Schema && k.Table == l.table.Name {
		parent = l.table
	}
	if parent == nil {
		return
	}
	for i, name := range k.Columns {
		at, to := l.table.Column(name), parent.Column(k.Referenced[i])
		if at < 0 || to < 0 {
			continue
		}
		c := &l.table.Columns[at]
		for j := range c.Layers {
			if referred := parent.Columns[to].Layer(c.Layers[j].Capability); referred != nil {
				c.Layers[j].Epoch = referred.Epoch
			}
		}
	}
}
