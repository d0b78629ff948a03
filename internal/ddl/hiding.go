package ddl

import (
	"context"
	"errors"

	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// A plain temporary table hides a protected one of its name: the server takes it for that in statements of
// tunic's as well, until it is dropped.

// hides reports whether the session may have a plain temporary table of a name.
func (w *work) hides(schema, table string) bool {
	return w.session.Hides != nil && w.session.Hides(schema, table)
}

// hidesNone refuses a plain temporary table with the name of a protected one.
func (w *work) hidesNone(temporary bool, schema, table string) error {
	if temporary && w.isProtected(tableName{schema, table}) {
		return sqlerr.DefinitionForm(table, "a plain temporary table in the place of a protected one")
	}
	return nil
}

// isProtected reports whether a name is that of a protected table, or of a view over one.
func (w *work) isProtected(n tableName) bool {
	return w.catalog.Table(n.schema, n.table) != nil || w.catalog.View(n.schema, n.table) != nil
}

// isTemporary says that the client has a temporary table of a name.
func (w *work) isTemporary(ctx context.Context, n tableName) bool {
	rows, err := w.client.Query(ctx, "SHOW CREATE TABLE "+identifier.Quoted(n.schema)+"."+identifier.Quoted(n.table))
	return err == nil && len(rows) > 0 && showcreate.Tokens(service.Text(rows[0][1]))[1].Is(service.Text(rows[0][1]), "TEMPORARY")
}

// renamesNoHiding refuses to give a plain temporary table the name of a protected one. Only the server
// knows of every table of the session whether it is temporary; it is asked where it would refuse the name
// of another one.
func (w *work) renamesNoHiding(ctx context.Context, pairs [][2]tableName) error {
	now := map[tableName]bool{} // whether names are of protected tables, behind the renames before
	protected := func(n tableName) bool {
		is, renamed := now[n]
		return renamed && is || !renamed && w.isProtected(n)
	}
	for _, p := range pairs {
		from, to := p[0], p[1]
		if protected(to) && w.isTemporary(ctx, from) {
			return w.hidesNone(true, to.schema, to.table)
		}
		now[to] = protected(from)
		now[from] = false
	}
	return nil
}

// dropHiding drops plain temporary tables that hide protected ones. done is false if there are none, as
// far as the session knows, or if the server says so of the one that the statement names.
func (w *work) dropHiding(ctx context.Context, stmt *ast.DropTable) (done bool, err error) {
	hiding := 0
	var last tableName
	for _, name := range stmt.FromTables {
		schema, table, err := w.name(name)
		if n := (tableName{schema, table}); err == nil && w.hides(schema, table) && w.isProtected(n) {
			hiding, last = hiding+1, n
		}
	}
	switch {
	case hiding == 0, stmt.Temp && hiding < len(stmt.FromTables):
		return false, nil
	case hiding < len(stmt.FromTables):
		return true, sqlerr.DefinitionForm(last.table, "DROP of a plain temporary table of that name beside others, without TEMPORARY,")
	}
	temporary := *stmt
	temporary.Temp = true // the protected table stays, whether there is the other one or not
	alone := hiding == 1 && !stmt.Temp
	temporary.IfExists = stmt.IfExists && !alone
	statement, err := w.printed(&temporary)
	if err != nil {
		return true, err
	}
	if err = w.client.Exec(ctx, statement); alone && service.Said(err, sqlerr.UnknownTable) {
		return false, nil
	}
	return true, errors.Join(err, w.heard(ctx, err))
}
