package plain

import (
	"slices"
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Asker asks the server about plain tables, for one statement.
type Asker struct {
	// Ask has the server asked, on the client's connection. A refusal is what it says in the place of rows; an error
	// ends the session.
	Ask      func(question string) (rows [][]*string, refusal *sqlerr.Error, err error)
	Response *wire.Response // that of the last question
	Types    catalog.Types
	Rules    *policy.Policy
	Catalog  *catalog.Catalog
}

// Tables are the plain tables that a plan of some statements needs, as far as they are to be
// had: of the first that is not, refusal is what the server says; nil if the table has something
// that tunic does not know. An error ends the session.
func (a *Asker) Tables(needs []resolve.Name, by []plan.Statement) (tables []*catalog.Table, refusal *sqlerr.Error, err error) {
	writes := slices.ContainsFunc(by, func(of plan.Statement) bool { return of.Kind == sql.Update || of.Kind == sql.Delete })
	for _, n := range needs {
		t, refusal, err := a.Table(n, writes)
		if err != nil || refusal != nil || t == nil {
			return tables, refusal, err
		}
		tables = append(tables, t)
	}
	return tables, nil, nil
}

// Table is a plain table, or view, as it is now; refusal is what the server says
// instead. Without either it has something that tunic does not know. One that may be
// written has its definition as well, where the client may see it. An error ends the session.
func (a *Asker) Table(n resolve.Name, written bool) (t *catalog.Table, refusal *sqlerr.Error, err error) {
	name := identifier.Quoted(n.Schema) + "." + identifier.Quoted(n.Table)
	rows, refusal, err := a.Ask("SHOW FULL COLUMNS FROM " + name)
	if refusal != nil || err != nil {
		return nil, refusal, err
	}
	if HasFence(rows) { // it is protected, and by nobody's catalog
		return nil, sqlerr.TableUnlisted(n.Table), nil
	}
	if IsGuarded(a.Rules, n, rows) {
		return nil, sqlerr.StatementPlain(n.Table), nil
	}
	columns, key, ok := Columns(rows, a.Types)
	if !ok {
		return nil, nil, nil
	}
	t = catalog.NewPlain(n.Schema, n.Table, columns)
	if len(key) > 0 {
		t.Keyed()
	}
	if !written {
		return t, nil, nil
	}
	rows, refusal, err = a.Ask("SHOW CREATE TABLE " + name)
	if refusal != nil || err != nil {
		return t, nil, err // who may read a view, or some columns, need not see how they are made
	}
	if len(rows) != 1 || len(rows[0]) < 2 || rows[0][1] == nil {
		return nil, nil, nil
	}
	t.Define(*rows[0][1], key)
	return t, nil, nil
}

// Missing is what the server says of a table that is not there, or that the client may
// not see; nil if it is there, as it is known from then on, in a version of the catalog. An error ends the session.
func (a *Asker) Missing(known *Known, version uint64, name resolve.Name) (*sqlerr.Error, error) {
	question := "SHOW COLUMNS FROM " + identifier.Quoted(name.Schema) + "." + identifier.Quoted(name.Table)
	fences, refusal, err := a.Ask(question + " LIKE '" + catalog.FencePattern + "'")
	if err != nil || refusal != nil {
		return refusal, err
	}
	switch {
	case len(fences) == 0:
	case a.Catalog.View(name.Schema, name.Table) != nil:
		return sqlerr.StatementRefused("this statement on a view of protected tables"), nil
	default: // it is protected, and by nobody's catalog
		return sqlerr.TableUnlisted(name.Table), nil
	}
	if a.Rules.Guards(name.Schema, name.Table) {
		columns, refusal, err := a.Ask(question)
		if err != nil || refusal != nil {
			return refusal, err
		}
		if len(columns) == 0 || IsGuarded(a.Rules, name, columns) {
			return sqlerr.StatementPlain(name.Table), nil
		}
	}
	known.Add(name, version, a.Rules)
	return nil, nil //nolint:nilnil // there is nothing to say
}

// Guarded looks up all tables that words could name, in a schema of names without one. ok says that one of them has a
// guarded column; refusal is what the server says in the place of an answer. An error ends the session.
func (a *Asker) Guarded(schema string, words []string) (table string, ok bool, refusal *sqlerr.Error, err error) {
	rows, refusal, err := a.Ask(question(schema, words))
	if err == nil && refusal == nil {
		refusal, err = a.skipped()
	}
	if err != nil || refusal != nil {
		return "", false, refusal, err
	}
	table, ok = GuardedIn(rows, a.Rules, words, a.Catalog)
	return table, ok, nil, nil
}

// skipped is a refusal if the server may have left tables out of its answer to the question before: where a definition has
// a table, and waits for the client's own transaction, MariaDB warns in place of its rows.
func (a *Asker) skipped() (*sqlerr.Error, error) {
	said := a.Response.Warnings
	if said == 0 {
		return nil, nil //nolint:nilnil // there is nothing to say
	}
	rows, refusal, err := a.Ask("SHOW WARNINGS")
	if err != nil || refusal != nil {
		return refusal, err
	}
	isSkipped := func(row []*string) bool {
		return len(row) > 1 && row[1] != nil && *row[1] == strconv.Itoa(sqlerr.TableSkipped)
	}
	if len(rows) < int(said) || slices.ContainsFunc(rows, isSkipped) {
		return sqlerr.LockWait(), nil
	}
	return nil, nil //nolint:nilnil // there is nothing to say
}
