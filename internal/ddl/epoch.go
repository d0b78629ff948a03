package ddl

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// New forms are of the newest epoch there is; those that a column has keep theirs, until the
// column is brought to another.

// dateLayers gives layers that are new the epoch that their tokens are to be of: that of the
// layers that they are compared with, else the newest. was is the table before a change.
func (l *logical) dateLayers(was *catalog.Table, s *surroundings) {
	for i := range l.table.Columns {
		c := &l.table.Columns[i]
		old := columnOfID(was, c.ID)
		for j := range c.Layers {
			c.Layers[j].Epoch = epochOfLayer(c, old, c.Layers[j].Capability, s)
		}
	}
	for i := range l.table.ForeignKeys {
		l.dateForeignKey(&l.table.ForeignKeys[i], s.catalog)
	}
}

// columnOfID finds a column that may have another name by now; nil if there is none.
func columnOfID(t *catalog.Table, id catalog.ID) *catalog.Column {
	if t == nil {
		return nil
	}
	for i := range t.Columns {
		if t.Columns[i].ID == id {
			return &t.Columns[i]
		}
	}
	return nil
}

// epochOfLayer is the epoch of a column's layer: that which the layer had before, or that of
// the domain's other columns, or the newest.
func epochOfLayer(c, old *catalog.Column, capability policy.Capabilities, s *surroundings) uint16 {
	if old != nil {
		if before := old.Layer(capability); before != nil {
			return before.Epoch
		}
	}
	for t := range s.catalog.Tables() {
		for i := range t.Columns {
			other := &t.Columns[i]
			if l := other.Layer(capability); other.Domain == c.Domain && other.ID != c.ID && l != nil {
				return l.Epoch
			}
		}
	}
	return s.epoch
}

// date gives a new layer of a column that is there its epoch.
func (d *Definer) date(c *catalog.Column, capability policy.Capabilities) {
	s := &surroundings{catalog: d.o.Ledger.Catalog(), epoch: d.o.Ledger.Tree().Newest()}
	c.Layer(capability).Epoch = epochOfLayer(c, nil, capability, s)
}

// MoveEpoch has everything that is sealed of a table be sealed under an epoch from now on,
// which a master key has to serve that all members have. The fence of the table moves: the
// server refuses what was planned for another epoch. A table that is of the epoch, or a
// higher one, stays as it is. It waits until it has the table for a moment, for as long as ctx
// lasts. Errors are ErrTableGone, and the server's as *sqlerr.Error.
func (d *Definer) MoveEpoch(ctx context.Context, table catalog.ID, epoch uint16) error {
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := copyOf(t), false
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
		return d.changeBriefly(ctx, t, next.Table, alterText(t, next.Table, nil), wait)
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
