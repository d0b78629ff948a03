package ddl

import (
	"context"
	"errors"

	"tunic/internal/ddl/definition"
	"tunic/internal/identifier"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// displace drops the table in whose place another is made, as MariaDB does for CREATE OR
// REPLACE TABLE: before the other is made, and for good if that fails.
func (w *work) displace(ctx context.Context, d *definition.Definition) error {
	if !d.Replaces {
		return nil
	}
	protected := w.taken(d)
	switch {
	case !protected && !d.Protects(): // the server does it all
		return nil
	case d.Temporary:
		return sqlerr.DefinitionForm(d.Table, "CREATE OR REPLACE of a temporary table")
	case w.session.Locked || w.session.Frozen != nil:
		return sqlerr.DefinitionForm(d.Table, "CREATE OR REPLACE under LOCK TABLES")
	case len(definition.ForeignKeysOf(d)) > 0: // one of its own to itself would refer to what goes
		return sqlerr.DefinitionForm(d.Table, "CREATE OR REPLACE with a foreign key")
	}
	name := ast.TableName{Qualifier: ast.Name(d.Schema), Name: ast.Name(d.Table)}
	if err := w.drop(ctx, &ast.DropTable{IfExists: true, FromTables: ast.TableNames{name}}); err != nil {
		return err
	}
	// What was noted of a table that is not there is of another statement.
	w.result.Warnings, w.result.Heard = nil, false
	if w.result.Forward { // a plain table is in the way, or none
		w.result.Forward = false
		return w.client.Exec(ctx, "DROP TABLE IF EXISTS "+identifier.Quoted(d.Schema)+"."+identifier.Quoted(d.Table))
	}
	return nil
}

// refusesNew is the refusal of a table that is to be made in another's place, before that is dropped:
// a twin of it is made to see, of a copy of the definition. An error of the server's is none: it
// drops the other then, too.
func (w *work) refusesNew(ctx context.Context, d *definition.Definition, r *definition.Decider) error {
	if !d.Replaces {
		return nil
	}
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	copied := &definition.Definition{Schema: d.Schema, Table: d.Table, Spec: ast.Clone(d.Spec), Temporary: d.Temporary, Like: true}
	if err := r.Decide(copied); err != nil {
		return err
	}
	warnings, brought := w.result.Warnings, w.brought
	t := definition.NewTwin(w.newID(), 1)
	_, err = w.makeTwin(ctx, s, copied, t)
	s.Drop(context.WithoutCancel(ctx), t.Name)
	w.result.Warnings, w.brought = warnings, brought
	if e, ok := errors.AsType[*sqlerr.Error](err); ok && e.Code == 0 {
		return nil
	}
	return err
}

// replacesPlain refuses CREATE OR REPLACE TABLE … LIKE and … SELECT that have anything to
// do with protected tables.
func (w *work) replacesPlain(stmt *ast.CreateTable, schema, table string) error {
	touches := w.rules().MayProtect(schema, table)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if n, ok := n.(ast.TableName); ok && !n.Name.IsEmpty() {
			schema, table, err := w.name(n)
			known, _ := w.table(schema, table)
			touches = touches || err != nil || known != nil || w.catalog.View(schema, table) != nil
		}
		return !touches, nil
	}, stmt)
	if touches {
		return sqlerr.DefinitionForm(table, "CREATE OR REPLACE with LIKE or a query")
	}
	return nil
}
