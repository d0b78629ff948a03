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
	"tunic/internal/layers"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// replacements are the columns whose forms a change makes anew for each row; false if
// that cannot be done.
func (w *work) replacements(c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) (all []layers.Replacement, ok bool) {
	if c.Definition.Temporary || !layers.CanBackfill(c.Old) {
		return nil, false
	}
	for i := range l.Table.Columns {
		next := &l.Table.Columns[i]
		if needs[catalog.Folded(next.Name)] != alteration.NeedsForms {
			continue
		}
		old := c.Before(next.Name)
		if old == nil || !old.Protected() || !next.Protected() || next.ValidJSON && !old.ValidJSON || w.related(c, old) {
			return nil, false
		}
		r := layers.Replacement{Old: old, New: next, Sealed: revision.ResealedName(next.Name), Tokens: map[policy.Capabilities]string{}}
		r.Same = value.Widens(&old.Type, &next.Type)
		if !r.Same && !layers.CanConvert(&old.Type, &next.Type, &w.session.Env) {
			return nil, false
		}
		for _, layer := range next.Layers {
			r.Tokens[layer.Capability] = revision.ResealedName(layer.Stored)
		}
		all = append(all, r)
	}
	return all, true
}

// related says that a column is tied to another by a foreign key that is there: their
// tokens have to be changed together.
func (w *work) related(c *alteration.Change, old *catalog.Column) bool {
	has := func(names []string, name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return catalog.Folded(n) == catalog.Folded(name) })
	}
	for t := range w.catalog.Tables() {
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			if t.ID == c.Old.ID && has(k.Columns, old.Name) || k.Schema == c.Old.Schema && k.Table == c.Old.Name && has(k.Referenced, old.Name) {
				return true
			}
		}
	}
	return false
}

// reseal changes a locked table with rows: new forms are made beside the old ones,
// which they then replace. What a kill leaves of them Sweep takes away, and so does the
// next change.
func (w *work) reseal(ctx context.Context, c *alteration.Change, l *definition.Logical, from *showcreate.Table, needs map[string]alteration.Need, columns []layers.Replacement) (err error) {
	after, resealed := *from, revision.ResealedColumns(l.Table, columns)
	after.Columns = slices.Concat(from.Columns, resealed)
	c.Resealed = map[string]string{}
	var add, drop []string
	for _, s := range resealed {
		add, drop = append(add, "ADD COLUMN "+s.Text), append(drop, "DROP COLUMN "+catalog.Quoted(s.Name))
	}
	for i := range columns {
		c.Resealed[catalog.Folded(columns[i].New.Name)] = columns[i].Sealed
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
	if err := w.atUTC(ctx, func() error { return job.Backfill(ctx) }); err != nil {
		return w.backfillError(c.Old, err)
	}
	crash.Point("ddl.reseal.done")
	return w.execAll(ctx, c, l, w.stepOf(c, l, &after, alteration.Rewritten(needs), keepCheck))
}
