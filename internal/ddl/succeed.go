package ddl

import (
	"context"
	"maps"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/layers"
)

// A column whose values need other forms, as of another type, gets a successor
// (catalog.Table.Successor): a column with the new forms beside it, which every statement
// writes too and which is filled like a new layer. Who reads goes by the old one until the
// change is made, and then the successor has its name.

// succeedable says that columns of a table can have successors while clients use it: the
// server refuses whoever does not know of them, and writes none of them by itself.
func (c *change) succeedable(columns []layers.Replacement) bool {
	return c.old.Fenced && !slices.ContainsFunc(columns, func(r layers.Replacement) bool { return r.Old.Generated || r.New.Generated })
}

// addSuccessor adds what is to take the place of a column. Its ID is its own, so that a
// transaction which sees rows from before it was filled is told (catalog.SeenSince).
func (k *lack) addSuccessor(id catalog.ID, old, next *catalog.Column) {
	c := *next
	c.ID, c.Name, c.Copies = id, catalog.CopyName(old.Name), old.Name
	c.Filling, c.Invisible, c.OnUpdateNow = true, true, false
	c.Default = catalog.Default{Kind: catalog.DefaultNull}
	c.Layers = nil
	for _, l := range next.Layers {
		l.State, l.Job, l.Nullable, l.Stored = catalog.Filling, 0, false, catalog.StoredName(c.Name, l.Capability)
		c.Layers = append(c.Layers, l)
	}
	k.filling.Columns = append(k.filling.Columns, c)
}

// was is the column whose stored forms one of the table to come has: that which it was
// before, or the successor of that one, which has been filled.
func (c *change) was(name string) *catalog.Column {
	old := c.before(name)
	if !c.filled || old == nil || old.Filling {
		return old
	}
	if at := c.old.Successor(c.old.Column(old.Name)); at >= 0 {
		return &c.old.Columns[at]
	}
	return old
}

// succeeded says that a column of the table before has a successor that has been filled.
func (c *change) succeeded(old string) bool {
	at := c.old.Column(old)
	return c.filled && at >= 0 && c.old.Successor(at) >= 0
}

// widen has columns get successors whose values stay what they are and whose stored columns would
// be copied, as one that becomes a BLOB.
func (w *work) widen(ctx context.Context, c *change, l *definition.Logical, needs map[string]need) {
	if c.d.Temporary || c.filled || c.copies || c.crosses() || w.session.Locked || !c.old.Fenced {
		return
	}
	before, after := form.BlobsFor(c.old), form.BlobsFor(l.Table)
	with, more := maps.Clone(needs), false
	for i := range l.Table.Columns {
		next := &l.Table.Columns[i]
		at := c.old.Column(c.names[catalog.Folded(next.Name)])
		if at < 0 || needs[catalog.Folded(next.Name)] != stays || !next.Protected() || !c.old.Columns[at].Protected() {
			continue
		}
		if !form.InPlaceType(form.SealedType(&c.old.Columns[at].Type, before[at]), form.SealedType(&next.Type, after[i])) {
			with[catalog.Folded(next.Name)], more = anew, true
		}
	}
	if columns, ok := w.replacements(c, l, with); !more || !ok || !c.succeedable(columns) {
		return
	}
	// Who may change the table and not read it has it copied.
	if rows, err := w.client.Query(ctx, "SELECT 1 FROM "+c.old.QuotedName()+" LIMIT 1"); err == nil && len(rows) > 0 {
		maps.Copy(needs, with)
	}
}
