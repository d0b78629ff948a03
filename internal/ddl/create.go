package ddl

import (
	"context"

	"tunic/internal/ddl/definition"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// create is of CREATE TABLE.
func (w *work) create(ctx context.Context, stmt *ast.CreateTable) error {
	schema, table, err := w.name(stmt.Table)
	if err != nil {
		return err
	}
	if tsql.Replaces(stmt) && stmt.IfNotExists {
		return &sqlerr.Error{Number: 1221, State: "HY000", Message: "Incorrect usage of OR REPLACE and IF NOT EXISTS"}
	}
	if tsql.Replaces(stmt) && (stmt.OptLike != nil || stmt.Select != nil) {
		if err := w.replacesPlain(stmt, schema, table); err != nil {
			return err
		}
	}
	if stmt.OptLike != nil {
		return w.createLike(ctx, stmt, schema, table)
	}
	if stmt.Select != nil {
		return w.plainSelect(stmt, table)
	}
	d := &definition.Definition{Schema: schema, Table: table, Spec: stmt.TableSpec, Temporary: stmt.Temp, IfNotExists: stmt.IfNotExists, Replaces: tsql.Replaces(stmt)}
	return w.define(ctx, d, w.decider())
}
