package ddl

import (
	"context"

	"tunic/internal/ddl/definition"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Do runs a statement that defines something, or says that it is to be forwarded.
// Errors are *sqlerr.Error: refusals with a code of tunic's own, and what the
// server has said, with the names that the client knows.
//
// Every statement that makes, changes, renames or drops a table or a schema has to
// pass here, those on plain tables included: a foreign key or an annotation may
// speak of protected data.
func (d *Definer) Do(ctx context.Context, stmt ast.Statement, s Session, client Client) (Result, error) {
	w := &work{Definer: d, session: s, client: client, catalog: d.o.Ledger.Catalog()}
	if err := touchesOwn(w.session.Schema, stmt); err != nil {
		return Result{}, err
	}
	if d.o.Flavor == value.MariaDB {
		definition.BareDefaults(stmt)
	}
	var err error
	switch stmt := stmt.(type) {
	case *ast.CreateTable:
		err = w.create(ctx, stmt)
	case *ast.DropTable:
		err = w.drop(ctx, stmt)
	case *ast.DropDatabase:
		err = w.dropSchema(ctx, stmt)
	case *ast.RenameTable:
		err = w.rename(ctx, stmt)
	case *ast.DropView:
		err = w.dropView(ctx, stmt)
	case *ast.AlterTable:
		err = w.alter(ctx, stmt)
	case *ast.TruncateTable, *ast.CreateDatabase, *ast.AlterDatabase:
		w.result.Forward = true // neither definition nor catalog change
	default:
		err = sqlerr.StatementRefused("this definition")
	}
	return w.done(err)
}
