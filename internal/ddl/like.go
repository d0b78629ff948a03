package ddl

import (
	"context"
	"strings"

	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
)

// createLike is of CREATE TABLE … LIKE: the table is made of the other one's
// definition, and the policy decides anew about the columns that the other has in
// plain.
func (w *work) createLike(ctx context.Context, stmt *ast.CreateTable, schema, table string) error {
	fromSchema, from, err := w.name(stmt.OptLike.LikeTable)
	if err != nil {
		return err
	}
	source, _ := w.table(fromSchema, from)
	// The client has to be allowed to see the other table's definition.
	rows, err := w.client.Query(ctx, "SHOW CREATE TABLE "+identifier.Quoted(fromSchema)+"."+identifier.Quoted(from))
	if err != nil {
		return err
	}
	var shown string
	r := w.decider()
	switch {
	case source != nil:
		shown, r.Keep = source.Definition, definition.KeptProtected(source)
	case len(rows) == 0 || !strings.HasPrefix(service.Text(rows[0][1]), "CREATE T"):
		w.result.Forward = true // a view, which the server refuses
		return nil
	default:
		if shown, err = w.shownPlain(ctx, fromSchema, from, service.Text(rows[0][1])); err != nil {
			return err
		}
	}
	d := &definition.Definition{Schema: schema, Table: table, Temporary: stmt.Temp, IfNotExists: stmt.IfNotExists, Like: true}
	if d.Spec, err = definition.Parse(shown, from, w.session.Modes); err != nil {
		if source == nil && !w.rules().MayProtect(schema, table) && !policy.MayAnnotate([]byte(shown)) {
			w.result.Forward = true
			return w.hidesNone(stmt.Temp, schema, table)
		}
		return err
	}
	if source != nil {
		d.AnnotateAll(d.Spec)
	}
	definition.WithoutNames(d.Spec, w.o.Flavor)
	return w.define(ctx, d, r)
}

// shownPlain is the definition of a plain table in the one form that is read here,
// whatever the client's session is set to. The server shows a temporary table only
// to its own session.
func (w *work) shownPlain(ctx context.Context, schema, table, theirs string) (string, error) {
	if strings.HasPrefix(theirs, "CREATE TEMPORARY") {
		return theirs, nil
	}
	s, err := w.service(ctx)
	if err != nil {
		return "", err
	}
	defer s.Close()
	rows, err := s.Query(ctx, "SHOW CREATE TABLE "+identifier.Quoted(schema)+"."+identifier.Quoted(table))
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return service.Text(rows[0][1]), nil
}
