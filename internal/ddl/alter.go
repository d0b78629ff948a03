package ddl

import (
	"context"
	"errors"
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

// alter is of ALTER TABLE, CREATE INDEX and DROP INDEX.
func (w *work) alter(ctx context.Context, stmt *ast.AlterTable) error {
	schema, name, err := w.name(stmt.Table)
	if err != nil {
		return err
	}
	if to, alone := alteration.RenameOnly(stmt); alone {
		return w.alterName(ctx, stmt, tableName{schema, name}, to)
	}
	t, temporary := w.table(schema, name)
	if t == nil && w.catalog.View(schema, name) != nil {
		w.result.Forward = true // the server says that it is a view
		return nil
	}
	if t == nil {
		return w.alterPlain(ctx, stmt, schema, name)
	}
	if alteration.Passive(t, stmt) {
		w.result.Forward = true
		return nil
	}
	if stmt.PartitionSpec != nil || stmt.PartitionOption != nil {
		return sqlerr.DefinitionForm(name, "a change of partitions")
	}
	if !temporary {
		end, err := w.begin(ctx, func() []*catalog.Table { return []*catalog.Table{w.catalog.Table(schema, name)} })
		if err != nil {
			return err
		}
		defer end()
		if t = w.catalog.Table(schema, name); t == nil {
			return sqlerr.NoLedger() // dropped meanwhile; the next try finds it so
		}
	}
	if t.Encrypting() {
		return sqlerr.DefinitionForm(name, "a change of a table before tunic encrypt has ended, or was taken back with --abort,")
	}
	if t.Baring() {
		return sqlerr.DefinitionForm(name, "a change of a table before tunic decrypt has ended")
	}
	return w.alterProtected(ctx, stmt, t, temporary)
}

func (w *work) alterName(ctx context.Context, stmt *ast.AlterTable, from tableName, to ast.TableName) error {
	statement, err := w.printed(stmt)
	if err != nil {
		return err
	}
	return w.renameAll(ctx, [][2]tableName{{from, w.newName(from, to)}}, statement)
}

// newName is the name that an ALTER TABLE gives a table.
func (w *work) newName(from tableName, to ast.TableName) tableName {
	n := tableName{schema: to.Qualifier.String(), table: to.Name.String()}
	if n.schema == "" {
		n.schema = from.schema // of the table, not of the session
		if w.session.Schema != "" {
			n.schema = w.session.Schema
		}
	}
	return n
}

// alterPlain is of a table that is not protected. It does not become so: what is
// there would stay as it is.
func (w *work) alterPlain(ctx context.Context, stmt *ast.AlterTable, schema, name string) error {
	if err := w.exists(ctx, schema, name); err != nil {
		if !tsql.TableIfExists(stmt) {
			return err
		}
		w.result.Forward = true
		return nil
	}
	// Under a new name as well: its columns would stay plain there, and so their defaults
	// and labels.
	names := []tableName{{schema, name}}
	for _, o := range stmt.AlterOptions {
		if to, ok := o.(*ast.RenameTableName); ok {
			names = append(names, w.newName(names[0], to.Table))
		}
	}
	for _, n := range names {
		if err := w.staysPlain(ctx, stmt, n); err != nil {
			return err
		}
	}
	w.result.Forward = true
	return nil
}

// staysPlain refuses a change of a table that is not protected, if the policy protects what
// it adds under a name.
func (w *work) staysPlain(ctx context.Context, stmt *ast.AlterTable, n tableName) error {
	d := &definition.Definition{Schema: n.schema, Table: n.table, Spec: &ast.TableSpec{}}
	for _, o := range ast.Clone(stmt).AlterOptions {
		alteration.BareName(o)
		switch o := o.(type) {
		case *ast.AddColumns:
			d.Spec.Columns = append(d.Spec.Columns, o.Columns...)
		case *ast.ModifyColumn:
			d.Spec.Columns = append(d.Spec.Columns, o.NewColDefinition)
		case *ast.ChangeColumn:
			d.Spec.Columns = append(d.Spec.Columns, o.NewColDefinition)
		case *ast.AddConstraintDefinition:
			d.Spec.Constraints = append(d.Spec.Constraints, o.ConstraintDefinition)
		}
	}
	keep := map[string]definition.Kept{}
	for _, def := range d.Spec.Columns {
		keep[catalog.Folded(def.Name.String())] = definition.Kept{}
	}
	r := w.decider()
	r.Keep, r.Parents = keep, w.parents(ctx)
	if err := r.Decide(d); err != nil {
		return err
	}
	for i := range d.Columns {
		if d.Columns[i].Protected() {
			return sqlerr.ProtectionChanges(d.Columns[i].NameText())
		}
	}
	for _, k := range definition.ForeignKeysOf(d) {
		for i := range k.Columns {
			if protected, _ := r.Referenced(d, &k, i); protected {
				return sqlerr.ForeignKeyPlain(k.Columns[i])
			}
		}
	}
	return nil
}

// alterProtected changes a protected table. If its rows lack something for the
// change, they are backfilled first.
func (w *work) alterProtected(ctx context.Context, stmt *ast.AlterTable, t *catalog.Table, temporary bool) error {
	err := w.alterRevision(ctx, stmt, t, temporary, false)
	if lack, ok := errors.AsType[*lack](err); ok {
		return w.alterBackfilled(ctx, stmt, t, lack)
	}
	return err
}

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
		err = w.newCheckNames(ctx, s, l, t)
	}
	if err == nil {
		crash.Point("ddl.twin.changed")
		c.Rowless = alteration.Rowless(stmt, c, l.Table)
		w.result.Rowless = c.Rowless
		err = w.bring(ctx, s, c, l, temporary)
	}
	switch {
	case err == nil:
		s.Drop(context.WithoutCancel(ctx), t.Twin)
	case temporary:
		s.Drop(context.WithoutCancel(ctx), next.Name)
	default:
		w.dropUnused(ctx, t, next.Name, t.Twin)
	}
	return err
}

// catalogHas says that the catalog still has the table as it was.
func (w *work) catalogHas(t *catalog.Table) bool {
	now := w.o.Ledger.Catalog().Table(t.Schema, t.Name)
	return now != nil && now.Revision == t.Revision && now.ID == t.ID
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
	return c, c.Definition.Refuse()
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
	is, err := s.Facts(ctx, t.Name)
	if err != nil {
		return nil, err
	}
	if err := s.DropConstraints(ctx, t, is); err != nil {
		return nil, err
	}
	return c.Merge(t, was, is, w.surroundings())
}

// exists makes sure, before a change of a plain table is forwarded, that the table is
// there: one that is not might have been protected, and so the defaults and labels of
// the change. It returns the server's error.
func (w *work) exists(ctx context.Context, schema, name string) error {
	if !w.rules().MayProtect(schema, name) {
		return nil
	}
	_, err := w.client.Query(ctx, "SHOW COLUMNS FROM "+catalog.Quoted(schema)+"."+catalog.Quoted(name)+" LIKE ''")
	return err
}
