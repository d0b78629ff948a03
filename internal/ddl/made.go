package ddl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// CREATE TABLE … SELECT makes a table of a definition that nobody has written: a column
// for each of the query, behind those of the statement that the query has not. The server
// tells it, of a table of the query over twins, which have no rows. The rows are inserted
// as INSERT … SELECT inserts them, before anybody else may see the table
// (ledger.Change).

// Made is a CREATE TABLE … SELECT whose query has been planned.
type Made struct {
	*ast.CreateTable
	// View is the query, as that of a view is described.
	viewtext.View
	// ReadsProtected says that it reads something protected.
	ReadsProtected bool
	// Ready is called with the table before it is made, and refuses what cannot be
	// inserted into it; Insert inserts the rows, into columns of these names.
	Ready, Insert func(t *catalog.Table, into []string) error
}

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
	err := w.touchesOwn(m.CreateTable)
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
	w.result.Forward = true
	return nil
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
	if w.foreignText(m.Statement) {
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
		return sqlerr.FlowRefused(flowing(derived))
	}
	return nil
}

// flowing is the first column that a query makes.
func flowing(derived []*ast.ColumnDefinition) string {
	if len(derived) == 0 {
		return ""
	}
	return derived[0].Name.String()
}

// makeWithRows makes a stored table together with its rows, and the twin t of it is dropped
// if it does not come to that.
func (w *work) makeWithRows(ctx context.Context, s *service.Connection, d *definition.Definition, l *definition.Logical) error {
	made, err := w.makeAndInsert(ctx, s, d, l)
	if !made {
		w.dropUnused(ctx, l.Table, l.Table.Twin)
	}
	if err == nil && !made {
		return w.existing(d)
	}
	return err
}

// makeAndInsert makes a stored table and has its rows inserted. It is not made, without an error,
// if a plain table has the name and the statement has IF NOT EXISTS.
func (w *work) makeAndInsert(ctx context.Context, s *service.Connection, d *definition.Definition, l *definition.Logical) (made bool, err error) {
	if err := w.made.Ready(l.Table, w.made.OwnNames()); err != nil {
		return false, err
	}
	account := l.Stored()
	if !d.Temporary {
		account.Options = strings.Replace(account.Options, showcreate.QuoteString(ledger.Mark(l.Table)), showcreate.QuoteString(ledger.Unfinished(l.Table)), 1)
	}
	outright := *d
	outright.IfNotExists = false
	statement := definition.Respell(definition.CreateText(&outright, account), w.session.Modes)
	if d.Temporary {
		return w.makeTemporaryAndInsert(ctx, l, statement)
	}
	if err := errors.Join(s.May(ctx, "DROP", d.Schema), w.free(ctx, []ledger.Step{{New: l.Table}})); err != nil {
		return false, err
	}
	created := false
	done, err := w.o.Ledger.Change(ctx, []ledger.Step{{New: l.Table}}, func(ctx context.Context) error {
		err := w.uncovered(ctx, []ledger.Step{{New: l.Table}}) // everybody knows the name by now
		if err == nil {
			err = w.client.Exec(ctx, statement)
		}
		if created = err == nil; !created {
			return err
		}
		if err := w.tighten(ctx); err != nil {
			return err
		}
		return w.insertRows(ctx, l.Table)
	})
	e, said := errors.AsType[*sqlerr.Error](err)
	switch {
	case w.o.Ledger.Usable() != nil && err != nil:
		w.o.Log.Error("the ledger has not taken a definition", "error", err)
		return false, sqlerr.NoLedger()
	case said && !created && d.IfNotExists && e.Number == tableExists:
		return false, nil
	}
	return len(done) > 0, err
}

// insertRows has the rows inserted, and gives the table its mark. It is the service account that
// does: who may make a table and insert into it need not be able to change it. The
// client's transaction is ended before, since it holds the server's lock on the table.
func (w *work) insertRows(ctx context.Context, t *catalog.Table) error {
	crash.Point("ddl.made.empty")
	err := w.made.Insert(t, w.made.OwnNames())
	if ended := w.client.Exec(context.WithoutCancel(ctx), tsql.TextCommit); err == nil {
		err = ended
	}
	if err != nil {
		return err
	}
	crash.Point("ddl.made.filled")
	_, err = w.o.DB.ExecContext(ctx, "ALTER TABLE "+t.QuotedName()+" COMMENT="+showcreate.QuoteString(ledger.Mark(t)))
	return err
}

// makeTemporaryAndInsert makes a temporary table together with its rows.
func (w *work) makeTemporaryAndInsert(ctx context.Context, l *definition.Logical, statement string) (made bool, err error) {
	if err := w.client.Exec(ctx, statement); err != nil {
		return false, err
	}
	if err := w.made.Insert(l.Table, w.made.OwnNames()); err != nil {
		return false, errors.Join(err, w.client.Exec(context.WithoutCancel(ctx), "DROP TEMPORARY TABLE "+l.Table.QuotedName()))
	}
	w.result.Temporary = l.Table
	return true, nil
}
