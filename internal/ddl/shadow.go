package ddl

import (
	"context"
	"maps"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
)

// widen has columns get shadows whose values stay what they are and whose stored columns would
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
		if at < 0 || next.Family != "" || needs[catalog.Folded(next.Name)] != alteration.NeedsNothing || !next.Protected() || !c.Old.Columns[at].Protected() {
			continue
		}
		old := &c.Old.Columns[at]
		if !form.InPlaceType(form.SealedType(&old.Type, before[old.Stored()]), form.SealedType(&next.Type, after[next.Stored()])) {
			with[catalog.Folded(next.Name)], more = alteration.NeedsForms, true
		}
	}
	if columns, ok := replacements(w.catalog, &w.session.Env, c, l, with); !more || !ok || !c.CanShadow(columns) {
		return
	}
	// Who may change the table and not read it has it copied.
	if rows, err := w.client.Query(ctx, "SELECT 1 FROM "+c.Old.QuotedName()+" LIMIT 1"); err == nil && len(rows) > 0 {
		maps.Copy(needs, with)
	}
}
