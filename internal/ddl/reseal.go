package ddl

import (
	"context"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/layers"
)

// reseal changes a locked table with rows: new forms are made beside the old ones,
// which they then replace. What a kill leaves of them Sweep takes away, and so does the
// next change.
func (w *work) reseal(ctx context.Context, c *alteration.Change, l *definition.Logical, from *showcreate.Table, needs map[string]alteration.Need, columns []layers.Replacement) (err error) {
	after, resealed := *from, revision.ResealedColumns(l.Table, columns)
	after.Columns = slices.Concat(from.Columns, resealed)
	c.Resealed = map[string]string{}
	var add, drop []string
	for _, s := range resealed {
		add, drop = append(add, "ADD COLUMN "+s.Text), append(drop, "DROP COLUMN "+identifier.Quoted(s.Name))
	}
	for i := range columns {
		c.Resealed[catalog.Folded(columns[i].New.Stored())] = columns[i].Sealed
		for _, layer := range columns[i].New.Layers {
			c.Resealed[catalog.Folded(layer.Stored)] = columns[i].Tokens[layer.Capability]
		}
	}
	alter := "ALTER TABLE " + c.Old.QuotedName() + " "
	if err := w.client.Exec(ctx, alter+strings.Join(add, ", ")); err != nil {
		w.Upkeep.Postpone(c.Old, w.Upkeep.TakingBack())
		return err
	}
	crash.Point("ddl.reseal.begun")
	defer func() {
		if err == nil {
			return
		}
		if w.client.Exec(context.WithoutCancel(ctx), alter+strings.Join(drop, ", ")) != nil {
			w.Upkeep.Postpone(c.Old, w.Upkeep.TakingBack()) // or they have their own names by now
		}
	}()
	job := layers.Reseal{
		Exec: w.client.Exec, Query: w.client.Query, Ring: w.ring(),
		Table: c.Old, Columns: columns, Env: &w.session.Env,
	}
	if err := w.plainServer().atUTC(ctx, func() error { return job.Backfill(ctx) }); err != nil {
		return backfillError(w.o.Log, c.Old, err)
	}
	crash.Point("ddl.reseal.done")
	return w.execAll(ctx, c, l, w.rewriting(c, l).statements(&after, alteration.Rewritten(needs), keepCheck))
}
