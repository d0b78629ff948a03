package ddl

import (
	"context"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/identifier"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
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
	if w.session.Clips {
		return clipped(name)
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
	if t.Moving() {
		return sqlerr.DefinitionForm(name, "a change of a table before tunic rotate --families has ended")
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
	for _, n := range names[1:] {
		if err := w.renamesNoHiding(ctx, [][2]tableName{{names[0], n}}); err != nil {
			return err
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

// catalogHas says that the catalog still has the table as it was.
func (w *work) catalogHas(t *catalog.Table) bool {
	now := w.o.Ledger.Catalog().Table(t.Schema, t.Name)
	return now != nil && now.Revision == t.Revision && now.ID == t.ID
}

// exists makes sure, before a change of a plain table is forwarded, that the table is
// there: one that is not might have been protected, and so the defaults and labels of
// the change. It returns the server's error.
func (w *work) exists(ctx context.Context, schema, name string) error {
	if !w.rules().MayProtect(schema, name) {
		return nil
	}
	_, err := w.client.Query(ctx, "SHOW COLUMNS FROM "+identifier.Quoted(schema)+"."+identifier.Quoted(name)+" LIKE ''")
	return err
}
