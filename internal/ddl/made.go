package ddl

import (
	"context"
	"slices"

	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/viewtext"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// CREATE TABLE … SELECT makes a table of a definition that nobody has written: a column
// for each of the query, behind those of the statement that the query has not. The server
// tells it, of a table of the query over twins, which have no rows. The rows are inserted
// as INSERT … SELECT inserts them, before anybody else may see the table
// (ledger.Change).

// MayMake says that a CREATE TABLE … SELECT is not the server's alone: it reads something
// protected, or something of what it makes may be protected.
func (d *Definer) MayMake(stmt *ast.CreateTable, readsProtected bool, s Session) bool {
	w := &work{Definer: d, session: s, catalog: d.o.Ledger.Catalog()}
	schema, table, err := w.name(stmt.Table)
	if err != nil {
		return false // the server says so
	}
	if found, _ := w.table(schema, table); found != nil || readsProtected || d.Policy().MayProtect(schema, table) {
		return true
	}
	speaks := false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if c, ok := n.(*ast.ColumnDefinition); ok {
			speaks = speaks || c.Type.Options != nil && c.Type.Options.Comment != nil
		}
		return true, nil
	}, stmt)
	return speaks
}

// DoMade is Do for such a statement.
func (d *Definer) DoMade(ctx context.Context, m *Made, s Session, client Client) (Result, error) {
	w := &work{Definer: d, session: s, client: client, catalog: d.o.Ledger.Catalog()}
	err := touchesOwn(w.session.Schema, m.CreateTable)
	if err == nil {
		err = w.createSelect(ctx, m)
	}
	return w.done(err)
}

// plainSelect forwards a CREATE TABLE … SELECT that has nothing to do with anything
// protected. Others are DoMade's.
func (w *work) plainSelect(stmt *ast.CreateTable, table string) error {
	reads := false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if n, ok := n.(ast.TableName); ok {
			if schema, name, err := w.name(n); err == nil {
				found, _ := w.table(schema, name)
				reads = reads || found != nil || w.catalog.View(schema, name) != nil
			}
		}
		return true, nil
	}, stmt)
	if w.MayMake(stmt, reads, w.session) {
		return sqlerr.CreateSelect(table, "it has not been planned")
	}
	schema, name, err := w.name(stmt.Table)
	if err != nil {
		return err
	}
	w.result.Forward = true
	return w.hidesNone(stmt.Temp, schema, name)
}

// createSelect is of CREATE TABLE … SELECT.
func (w *work) createSelect(ctx context.Context, m *Made) error {
	schema, table, err := w.name(m.Table)
	if err != nil {
		return err
	}
	if tsql.Replaces(m.CreateTable) {
		return sqlerr.CreateSelect(table, "it replaces a table")
	}
	if w.session.Locked {
		return sqlerr.CreateSelect(table, "the session has locked tables")
	}
	d := &definition.Definition{Schema: schema, Table: table, Spec: &ast.TableSpec{}, Temporary: m.Temp, IfNotExists: m.IfNotExists}
	if m.TableSpec != nil {
		d.Spec = m.TableSpec
	}
	if w.taken(d) {
		return w.existing(d)
	}
	if d.Temporary && slices.ContainsFunc(m.Reads, func(r viewtext.Reads) bool { return r.Name == table && r.Schema == schema }) {
		return sqlerr.CreateSelect(table, "it reads the table that the temporary one would hide")
	}
	if w.session.foreignText(m.Statement) {
		return sqlerr.DefinitionCharset(table)
	}
	if m.NamesStrings() {
		return sqlerr.ColumnUnnamed()
	}
	derived, err := w.derived(ctx, m, d)
	if err != nil {
		return err
	}
	if d.Spec, err = d.WithColumns(derived, m.OwnNames()); err != nil {
		return err
	}
	w.made = m
	if err := w.define(ctx, d, w.decider()); err != nil || !w.result.Forward {
		return err
	}
	if m.ReadsProtected {
		return w.notPlain(m, table)
	}
	return nil
}

// notPlain refuses a table of plain columns that are read from something protected: it would be the server's, which reads
// nothing of that. The error names the first column with protected values, if there is one.
func (w *work) notPlain(m *Made, table string) error {
	for i, name := range m.OwnNames() {
		if i >= len(m.Flows) || m.Flows[i] {
			return sqlerr.FlowRefused(name)
		}
	}
	return sqlerr.CreateSelect(table, "no column of it would be protected")
}
