package ddl

import (
	"context"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/policy"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// work is one statement on its way.
type work struct {
	*Definer
	session Session
	client  Client
	catalog *catalog.Catalog
	result  Result
	made    *Made      // of a table that is made with rows; else nil
	brought []NewLayer // by the definition, if it comes to be
	lost    []LostAnnotation
	policy  *policy.Policy
	// replaces says that the statement replaces a view of its name; adopted are views that were the
	// server's until now; spoken is what the server has said of the statement, if others came after it.
	replaces bool
	adopted  []*adopted
	spoken   []service.Warning
}

// adopted is a view of the server's that becomes one of tunic's.
type adopted struct {
	view  *viewtext.View
	table *catalog.Table
	// loose says that its stored view does not read what it is over, which was not there.
	loose bool
}

// done is what has come of a definition.
func (w *work) done(err error) (Result, error) {
	if err != nil {
		return w.result, w.clientError(err)
	}
	if !w.result.Forward {
		w.result.Layers, w.result.Lost = w.brought, w.lost
	}
	return w.result, nil
}

// clientError makes an error one that a client may see.
func (w *work) clientError(err error) error {
	if service.Said(err, service.RowTooWide) {
		return sqlerr.RowSize()
	}
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return e
	}
	if w.o.Log != nil {
		w.o.Log.Error("a definition has failed", "error", err)
	}
	return sqlerr.NoLedger()
}

// tableName is the full name of a table.
type tableName struct{ schema, table string }

// name is the schema and the name of a table.
func (w *work) name(t ast.TableName) (schema, table string, err error) {
	if schema = t.Qualifier.String(); schema == "" {
		schema = w.session.Schema
	}
	if schema == "" {
		return "", "", &sqlerr.Error{Number: noDatabase, State: "3D000", Message: "No database selected"}
	}
	return schema, t.Name.String(), nil
}

// temporary finds a temporary table of the session.
func (w *work) temporary(schema, table string) *catalog.Table {
	if w.session.Temporary == nil {
		return nil
	}
	return w.session.Temporary(schema, table)
}

// table finds a protected table as the session sees it.
func (w *work) table(schema, table string) (t *catalog.Table, temporary bool) {
	if t := w.temporary(schema, table); t != nil {
		return t, true
	}
	return w.catalog.Table(schema, table), false
}

func (w *work) warn(x service.Warning) { w.result.Warnings = append(w.result.Warnings, x) }

// note is a warning of what was read.
func (w *work) note(level value.Level, number uint16, message string) {
	w.warn(service.Warning{Level: level, Number: number, Message: message})
}

// rules are the policy by which a definition goes, from its beginning to its end.
func (w *work) rules() *policy.Policy {
	if w.policy == nil {
		w.policy = w.Policy()
	}
	return w.policy
}

// printed is the statement as the client's session reads it.
func (w *work) printed(stmt ast.Statement) (string, error) {
	p, err := tsql.NewTree(stmt, nil).Print(w.session.Modes)
	if err != nil {
		return "", sqlerr.StatementRefused("this form of the definition")
	}
	return p.String(), nil
}

// heard takes the server's warnings of the client's last statement.
func (w *work) heard(ctx context.Context, failed error) error {
	if failed != nil {
		return nil //nolint:nilerr // it is told by who calls
	}
	w.result.Heard = true
	if w.spoken != nil {
		w.result.Warnings = append(w.result.Warnings, w.spoken...)
		return nil
	}
	rows, err := w.client.Query(ctx, "SHOW WARNINGS")
	w.result.Warnings = append(w.result.Warnings, service.ReadWarnings(rows, func(s string) string { return s })...)
	return err
}

// Numbers of the server's errors that tunic raises in its place.
const (
	noDatabase  = 1046
	tableExists = 1050
)
