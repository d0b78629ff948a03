package ddl

import (
	"context"
	"maps"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
)

// addShadow adds what is to take the place of a column. Its ID is its own, so that a
// transaction which sees rows from before it was backfilled is told (catalog.SeenSince).
func (k *lack) addShadow(id catalog.ID, old, next *catalog.Column) {
	c := *next
	c.ID, c.Name, c.Shadows = id, catalog.ShadowName(old.Name), old.Name
	c.Backfilling, c.Invisible, c.OnUpdateNow = true, true, false
	c.Default = catalog.Default{Kind: catalog.DefaultNull}
	c.Layers = nil
	for _, l := range next.Layers {
		l.State, l.Job, l.Nullable, l.Stored = catalog.Backfilling, 0, false, catalog.StoredName(c.Name, l.Capability)
		c.Layers = append(c.Layers, l)
	}
	k.backfilling.Columns = append(k.backfilling.Columns, c)
}

// widen has columns get successors whose values stay what they are and whose stored columns would
// be copied, as one that becomes a BLOB.
func (w *work) widen(ctx context.Context, c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) {
	if c.Definition.Temporary || c.Backfilled || c.Copies || c.Crosses() || w.session.Locked || !c.Old.Fenced {
		return
	}
	before, after := form.BlobsFor(c.Old), form.BlobsFor(l.Table)
	with, more := maps.Clone(needs), false
	for i := range l.Table.Columns {
		next := &l.Table.Columns[i]
		at := c.Old.Column(c.Names[catalog.Folded(next.Name)])
		if at < 0 || needs[catalog.Folded(next.Name)] != alteration.NeedsNothing || !next.Protected() || !c.Old.Columns[at].Protected() {
			continue
		}
		if !form.InPlaceType(form.SealedType(&c.Old.Columns[at].Type, before[at]), form.SealedType(&next.Type, after[i])) {
			with[catalog.Folded(next.Name)], more = alteration.NeedsForms, true
		}
	}
	if columns, ok := w.replacements(c, l, with); !more || !ok || !c.CanShadow(columns) {
		return
	}
	// Who may change the table and not read it has it copied.
	if rows, err := w.client.Query(ctx, "SELECT 1 FROM "+c.Old.QuotedName()+" LIMIT 1"); err == nil && len(rows) > 0 {
		maps.Copy(needs, with)
	}
}
