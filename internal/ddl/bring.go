package ddl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/guard"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// bring brings the stored table to what it is to be.
func (w *work) bring(ctx context.Context, s *service.Connection, c *alteration.Change, l *definition.Logical, temporary bool) error {
	from, err := w.storedNow(ctx, s, c.Old, temporary)
	if err != nil {
		return err
	}
	needs := c.Needs(l.Table)
	w.widen(ctx, c, l, needs)
	// A change of something else does not copy the table for the CHECK that it lacks.
	l.Table.Unchecked = c.Old.Unchecked && !c.Copies && len(l.Table.Checks) == 0 && c.SameCheck(l.Table, alteration.Rewritten(needs), w.o.Flavor)
	guards, err := guard.Of(l.Table, w.o.Flavor)
	if err != nil {
		return err
	}
	_, need := alteration.MostNeeded(needs)
	checks, more := c.Judges(guards, l.Table, needs)
	w.result.Looked = len(checks) > 0 && !c.Rowless
	tight := c.Unseen(l.Table, needs)
	if !more && len(checks)+len(tight) == 0 && need == alteration.NeedsNothing {
		if done, err := w.inPlace(ctx, c, l, from); done || err != nil {
			return err
		}
		if from, err = w.storedNow(ctx, s, c.Old, temporary); err != nil { // with what the try has left
			return err
		}
	}
	l.ForbidNull()
	run := w.altering(c, l, from, needs)
	switch {
	case more || len(checks) > 0 && need != alteration.NeedsNothing:
		run = w.whileEmpty(c, l, "", run, func(context.Context) error { return sqlerr.CheckRows(c.Old.Name) })
	case len(checks) > 0:
		run = w.whileEmpty(c, l, "", run, w.lookedAt(c, guards, checks, w.withoutNull(c, tight, run)))
	case need != alteration.NeedsNothing:
		if run, err = w.whileLacking(ctx, c, l, from, needs, tight); err != nil {
			return err
		}
	case len(tight) > 0:
		w.result.Looked = true // and no row was counted: a plain server makes it in place
		judged := w.withoutNull(c, tight, run)
		run = func(ctx context.Context) error { return w.locked(ctx, c, l.Table, judged) }
	}
	if !temporary {
		return w.bringClosed(ctx, s, c, l, run)
	}
	if err := run(ctx); err != nil {
		return storedError(err, l.Table)
	}
	w.result.Temporary = l.Table
	return nil
}

// lookedAt makes a change of a locked table if its rows fulfil new CHECKs.
func (w *work) lookedAt(c *alteration.Change, guards *guard.Set, checks []*guard.Guard, run func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := w.lookAt(ctx, c, guards, checks); err != nil {
			return err
		}
		return run(ctx)
	}
}

// whileLacking makes a change for which rows lack something: at once if there are none that do. Of columns tight, no row may be NULL.
func (w *work) whileLacking(
	ctx context.Context, c *alteration.Change, l *definition.Logical, from *showcreate.Table, needs map[string]alteration.Need, tight []string,
) (func(context.Context) error, error) {
	lack, err := w.lacks(ctx, c, l, needs)
	if err != nil {
		return nil, err
	}
	where := ""
	if len(tight) == 0 {
		where = c.OnlyWithValues(l.Table, needs)
	}
	return w.whileEmpty(c, l, where, w.altering(c, l, from, needs), w.withRows(c, l, from, needs, lack, tight)), nil
}

// altering alters the stored table. MariaDB lets no column go that a CHECK is over.
func (w *work) altering(c *alteration.Change, l *definition.Logical, from *showcreate.Table, needs map[string]alteration.Need) func(context.Context) error {
	statements := w.rewriting(c, l).statements(from, alteration.Rewritten(needs), keepCheck)
	return func(ctx context.Context) error {
		err := w.execAll(ctx, c, l, statements)
		if service.Said(err, service.NoColumn) && w.o.Flavor == value.MariaDB {
			err = w.execAll(ctx, c, l, w.rewriting(c, l).statements(from, alteration.Rewritten(needs), makeCheck))
		}
		return err
	}
}

// bringClosed changes a table with its gates closed.
func (w *work) bringClosed(ctx context.Context, s *service.Connection, c *alteration.Change, l *definition.Logical, run func(context.Context) error) error {
	step := ledger.Step{Old: c.Old, New: l.Table}
	if !l.Protects() {
		step.New = nil
	}
	done, err := w.change(ctx, []ledger.Step{step}, run)
	if len(done) > 0 && step.New == nil {
		s.Drop(context.WithoutCancel(ctx), l.Table.Twin)
	}
	return storedError(err, l.Table)
}

// storedNow is what the server holds. A table that is not marked as the catalog
// says, or has more columns, was changed by somebody else, and is not touched. Columns
// with names of tunic's own may be left over from a kill.
func (w *work) storedNow(ctx context.Context, s *service.Connection, t *catalog.Table, temporary bool) (*showcreate.Table, error) {
	statement := "SHOW CREATE TABLE " + identifier.Quoted(t.Schema) + "." + identifier.Quoted(t.Name)
	query := func() ([][]*string, error) { return s.Query(ctx, statement) }
	if temporary {
		query = func() ([][]*string, error) { return w.client.Query(ctx, statement) }
	}
	rows, err := query()
	if err != nil || len(rows) == 0 {
		return nil, errors.Join(err, service.NoRow(len(rows)))
	}
	account, err := showcreate.Read(service.Text(rows[0][1]))
	if err != nil {
		return nil, err
	}
	if _, mark := showcreate.OptionComment(account.Options); showcreate.UnquoteString(account.Options[mark.From:mark.To]) != ledger.Mark(t) {
		return nil, sqlerr.ChangedAround(t.Name, "its comment is not tunic's mark of it")
	}
	if !account.TakeFence(t.Fence()) {
		return nil, sqlerr.ChangedAround(t.Name, "it lacks the column that tunic marks its revision with")
	}
	for i := range account.Columns {
		if name := account.Columns[i].Name; !catalog.Reserved(name) && t.StoredColumn(name).Kind == catalog.NotStored {
			return nil, sqlerr.ChangedAround(t.Name, "it has a column that tunic has not made")
		}
	}
	return account, nil
}

// withRows is what to do for a change that needs something of each row if there are
// some: to have them backfilled first, to make a column's forms anew, or to refuse it.
func (w *work) withRows(c *alteration.Change, l *definition.Logical, from *showcreate.Table, needs map[string]alteration.Need, lack *lack, tight []string) func(context.Context) error {
	if columns, ok := replacements(w.catalog, &w.session.Env, c, l, needs); lack == nil && ok && !alteration.Wanting(needs) {
		return w.withoutNull(c, tight, func(ctx context.Context) error { return w.reseal(ctx, c, l, from, needs, columns) })
	}
	return func(ctx context.Context) error {
		if lack != nil {
			return lack
		}
		switch nothing, err := w.onlyNull(ctx, c, l, needs); {
		case err != nil:
			return err
		case nothing:
			return w.withoutNull(c, tight, w.altering(c, l, from, needs))(ctx)
		}
		column, _ := alteration.MostNeeded(needs)
		return sqlerr.NeedsRewrite(c.Old.Name, column)
	}
}

// whileEmpty changes the stored table by run if it has no rows of a condition, and by
// full if it has some. A lock makes sure of which it is.
func (w *work) whileEmpty(c *alteration.Change, l *definition.Logical, where string, run, full func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if w.session.Locked && !c.Definition.Temporary {
			return sqlerr.DefinitionForm(c.Old.Name, "this change under LOCK TABLES")
		}
		return w.locked(ctx, c, l.Table, func(ctx context.Context) error {
			there, err := w.anyRow(ctx, c.Old, where)
			switch {
			case err != nil:
				return err
			case there:
				return full(ctx)
			}
			if where != "" {
				if there, err = w.anyRow(ctx, c.Old, ""); err != nil {
					return err
				}
			}
			if !there { // which a plain server says that copies them; the last that this one says is of UNLOCK TABLES
				w.result.Looked = true
			}
			return run(ctx)
		})
	}
}

// anyRow reports whether the client finds a row of a condition.
func (w *work) anyRow(ctx context.Context, t *catalog.Table, where string) (bool, error) {
	rows, err := w.client.Query(ctx, "SELECT 1 FROM "+t.QuotedName()+where+" LIMIT 1")
	return len(rows) > 0, err
}

// lockList are the tables that the statement needs: the table, and those that its
// foreign keys refer to.
func lockList(name string, t *catalog.Table) string {
	list := []string{name + " WRITE"}
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		other := identifier.Quoted(k.Schema) + "." + identifier.Quoted(k.Table) + " WRITE"
		if !slices.Contains(list, other) {
			list = append(list, other)
		}
	}
	return strings.Join(list, ", ")
}
