package ddl

import (
	"context"
	"maps"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/revision"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
)

// lacks makes the revision in which the rows get what a change needs, nil if there is
// nothing that such a revision can give. That rows are there is looked at without a
// lock, so that a busy table is not locked for nothing.
func (w *work) lacks(ctx context.Context, c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) (*lack, error) {
	if c.Definition.Temporary || c.Backfilled {
		return nil, nil //nolint:nilnil // there is nothing
	}
	if columns, ok := replacements(w.catalog, &w.session.Env, c, l, needs); slices.Contains(slices.Collect(maps.Values(needs)), alteration.NeedsForms) && !(ok && c.CanShadow(columns)) {
		return nil, nil //nolint:nilnil // there is nothing
	}
	out, err := w.lackOf(ctx, c, l, needs)
	if out == nil || err != nil {
		return nil, err
	}
	rows, err := w.client.Query(ctx, "SELECT 1 FROM "+c.Old.QuotedName()+" LIMIT 1")
	switch {
	case err != nil:
		return nil, err
	case len(rows) > 0 && w.session.Locked:
		return nil, sqlerr.DefinitionForm(c.Old.Name, "this change under LOCK TABLES")
	case len(rows) > 0 && !layers.CanBackfill(c.Old):
		return nil, backfillError(w.o.Log, c.Old, layers.ErrNoKey)
	case len(rows) > 0:
		return nil, out
	}
	return out, nil
}

// lackOf is lacks for a table that may have no rows.
func (w *work) lackOf(ctx context.Context, c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) (*lack, error) {
	out := &lack{backfilling: revision.WithoutBackfilling(c.Old), given: map[catalog.ID][]byte{}, called: map[catalog.ID]string{}}
	out.backfilling.Revision = c.Old.Revision + 1
	for i := range l.Table.Columns {
		column := &l.Table.Columns[i]
		switch needs[catalog.Folded(column.Name)] {
		case alteration.NeedsForms:
			out.addShadow(w.newID(), c.Before(column.Name), column)
		case alteration.NeedsToken:
			out.addLayers(c.Old.Column(c.Names[catalog.Folded(column.Name)]), column)
		case alteration.NeedsValue:
			if c.Old.Column(column.Name) >= 0 {
				return nil, nil //nolint:nilnil // the name is still another column's
			}
			given, ok, err := w.plainServer().given(ctx, column)
			if err != nil || !ok {
				return nil, err
			}
			out.addColumn(column, given)
		default:
		}
	}
	if !out.backfilling.Backfills() {
		return nil, nil //nolint:nilnil // there is nothing
	}
	return out, out.backfilling.Check()
}
