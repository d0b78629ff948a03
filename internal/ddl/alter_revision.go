package ddl

import (
	"context"
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// alterRevision changes a protected table whose rows lack nothing, or says by a *lack
// what they do. backfilled says that what the table was backfilling has been backfilled for this
// change.
func (w *work) alterRevision(ctx context.Context, stmt *ast.AlterTable, t *catalog.Table, temporary, backfilled bool) error {
	c, err := w.changeOf(ctx, stmt, t)
	if err != nil {
		return err
	}
	c.Definition.Temporary, c.Backfilled = temporary, backfilled
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	next := definition.NewTwin(t.ID, t.Revision+1)
	// Who has lost its lock without noticing makes no twin in the place of another's.
	next.Name += "_" + strconv.FormatUint(w.catalog.Version, 10)
	l, err := w.mirrorChange(ctx, s, c, next)
	if err == nil && !backfilled {
		err = w.brings(c.Definition, l.Table, t)
	}
	if err == nil && !temporary {
		err = newCheckNames(ctx, s, w.catalog, l, t, w.o.Flavor)
	}
	if err == nil {
		crash.Point("ddl.twin.changed")
		c.Rowless = !temporary && alteration.Rowless(stmt, c, l.Table) // servers copy a temporary table for every change
		w.result.Rowless = c.Rowless
		if err = w.bring(ctx, s, c, l, temporary); err == nil && !temporary && alteration.CopiesRows(stmt, c, l.Table) {
			w.countCopied(ctx, s, l.Table)
		}
	}
	switch {
	case err == nil:
		w.Upkeep.DropTwin(ctx, t.Twin)
	case temporary:
		s.Drop(context.WithoutCancel(ctx), next.Name)
	default:
		w.Upkeep.DropUnused(ctx, t, next.Name, t.Twin)
	}
	return err
}

// countCopied has the client told of as many rows as a plain server would have copied. Where they cannot be counted, it is told what
// the change of the stored table has done.
func (w *work) countCopied(ctx context.Context, s *service.Connection, t *catalog.Table) {
	rows, err := s.Query(ctx, "SELECT COUNT(*) FROM "+t.QuotedName())
	if err != nil || len(rows) != 1 || rows[0][0] == nil {
		return
	}
	if n, err := strconv.ParseUint(*rows[0][0], 10, 64); err == nil {
		w.result.Looked, w.result.Rows = true, n
	}
}

// changeOf reads what a statement does, and refuses what cannot be done.
func (w *work) changeOf(ctx context.Context, stmt *ast.AlterTable, t *catalog.Table) (*alteration.Change, error) {
	spec, err := definition.Parse(t.Definition, t.Name, w.session.Modes)
	if err != nil {
		return nil, err
	}
	if w.o.Flavor == value.MariaDB {
		definition.AdoptJSON(spec)
		if alteration.ConvertsJSON(stmt, spec) {
			return nil, sqlerr.DefinitionForm(t.Name, "CONVERT TO CHARACTER SET with a column of JSON")
		}
	}
	c, err := alteration.NewChange(t, spec)
	if err != nil {
		return nil, err
	}
	c.Copies, c.Flavor = alteration.AsksCopy(stmt), w.o.Flavor
	stmt = ast.Clone(stmt)
	c.Settle(stmt, w.note)
	for _, o := range stmt.AlterOptions {
		if err := c.Apply(o); err != nil {
			return nil, err
		}
	}
	c.SettleColumns()
	if err := c.RefuseCrossed(); err != nil {
		return nil, err
	}
	if err := c.FollowChecks(w.o.Flavor); err != nil {
		return nil, err
	}
	c.Finish()
	if err := w.staysReferred(c); err != nil {
		return nil, err
	}
	c.LearnAnnotations()
	r := w.decider()
	r.Keep, r.Parents = c.Kept(), w.parents(ctx)
	if err := r.Decide(c.Definition); err != nil {
		return nil, err
	}
	if err := w.readable(c.Definition); err != nil {
		return nil, err
	}
	if err := c.StaysInFamilies(c.Definition); err != nil {
		return nil, err
	}
	w.lost = lostIn(r, c)
	return c, c.Definition.Refuse()
}

// lostIn are the annotations that a change takes from columns that stay protected.
func lostIn(r *definition.Decider, c *alteration.Change) (all []LostAnnotation) {
	for i := range c.Definition.Columns {
		column := &c.Definition.Columns[i]
		if note, lost := r.LosesAnnotation(c.Definition, column); lost {
			all = append(all, LostAnnotation{Column: c.Old.FullName() + "." + column.NameText(), Annotation: note.String()})
		}
	}
	return all
}

// staysReferred refuses to rename a column that another protected table refers to:
// the definition of that one would have to change in the same step.
func (w *work) staysReferred(c *alteration.Change) error {
	for t := range w.catalog.Tables() {
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			if t.ID == c.Old.ID || k.Schema != c.Old.Schema || k.Table != c.Old.Name {
				continue
			}
			for _, name := range k.Referenced {
				if !c.GoesOn(name) && (c.Coming(name) != nil || c.Crosses()) {
					return sqlerr.DefinitionForm(c.Old.Name, "another name of a column that a foreign key refers to")
				}
			}
		}
	}
	return nil
}

// mirrorChange makes the twin to come: a copy of the one that is, changed.
func (w *work) mirrorChange(ctx context.Context, s *service.Connection, c *alteration.Change, t *definition.Twin) (*definition.Logical, error) {
	c.Learn(t)
	was, err := s.Facts(ctx, c.Old.Twin)
	if err != nil {
		return nil, err
	}
	s.Drop(ctx, t.Name) // one that was left by a kill
	if err := s.Exec(ctx, "CREATE TABLE "+definition.QuotedTwin(t.Name)+" LIKE "+definition.QuotedTwin(c.Old.Twin)); err != nil {
		return nil, err
	}
	told := c.Told(t, w.catalog)
	s.SpeakOf(t, c.Definition)
	if len(told.AlterOptions) > 0 {
		printed, err := tsql.NewTree(told, nil).Print(definition.ModesOf(w.o.Flavor))
		if err != nil {
			return nil, sqlerr.DefinitionForm(c.Old.Name, "a part of this change")
		}
		t.Text = definition.InColumns(printed.String())
		if err := s.UseFor(ctx, t.Text, c.Definition.Schema); err != nil {
			return nil, err
		}
		if err := s.Define(ctx, t.Text); err != nil {
			return nil, err
		}
		warnings, err := s.Warnings(ctx)
		if err != nil {
			return nil, err
		}
		w.result.Warnings = append(w.result.Warnings, warnings...)
	}
	if err := c.Held(w.catalog, s.Has["foreign_key_checks"] != "OFF"); err != nil {
		return nil, err
	}
	is, err := s.Facts(ctx, t.Name)
	if err != nil {
		return nil, err
	}
	if err := s.DropConstraints(ctx, t, is); err != nil {
		return nil, err
	}
	return c.Merge(t, was, is, w.surroundings())
}
