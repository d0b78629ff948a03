package report

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tunic/internal/catalog"
)

// systemSchemas are the servers' own, and tunic's.
var systemSchemas = []string{"mysql", "information_schema", "performance_schema", "sys", catalog.Schema}

// facts are what information_schema says of tables.
type facts struct {
	// whole says that the account sees every table.
	whole   bool
	schemas []string
	tables  []tableFacts
	// stored are the types of stored columns, by schema, table and column.
	stored map[[3]string]string
	at     map[[2]string]int // of tables
}

type tableFacts struct {
	schema, name string
	view         bool
	columns      []columnFacts
	keys         []Key
	foreign      []Foreign
}

type columnFacts struct {
	name, typ, comment string
	counts             bool // AUTO_INCREMENT
}

// readFacts asks the server. Names of schemas are those to look at; none is all but the system's.
func readFacts(ctx context.Context, db *sql.DB, schemas []string) (*facts, error) {
	f := &facts{stored: map[[3]string]string{}}
	where := func(column string) (string, []any) {
		list, word := systemSchemas, " NOT IN ("
		if len(schemas) > 0 {
			list, word = schemas, " IN ("
		}
		args := make([]any, len(list))
		for i := range list {
			args[i] = list[i]
		}
		return " WHERE " + column + word + strings.Repeat(", ?", len(list))[2:] + ")", args
	}
	var err error
	if f.whole, err = seesAll(ctx, db); err != nil {
		return nil, err
	}
	for _, ask := range []struct {
		query, schema, order string
		row                  func(*sql.Rows) error
	}{
		{"SELECT SCHEMA_NAME FROM information_schema.SCHEMATA", "SCHEMA_NAME", "1", f.schemaRow},
		{"SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE = 'VIEW' FROM information_schema.TABLES", "TABLE_SCHEMA", "1, 2", f.tableRow},
		{
			"SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COLUMN_COMMENT, EXTRA LIKE '%auto_increment%' FROM information_schema.COLUMNS",
			"TABLE_SCHEMA", "1, 2, ORDINAL_POSITION", f.columnRow,
		},
		{
			"SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, INDEX_TYPE, COALESCE(COLUMN_NAME, '') FROM information_schema.STATISTICS",
			"TABLE_SCHEMA", "1, 2, INDEX_NAME <> 'PRIMARY', 3, SEQ_IN_INDEX", f.keyRow,
		},
		{
			"SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, CONCAT(REFERENCED_TABLE_SCHEMA, '.', REFERENCED_TABLE_NAME) FROM information_schema.KEY_COLUMN_USAGE",
			"REFERENCED_TABLE_NAME IS NOT NULL AND TABLE_SCHEMA", "1, 2, 3, ORDINAL_POSITION", f.foreignRow,
		},
	} {
		condition, args := where(ask.schema)
		if err := each(ctx, db, ask.row, ask.query+condition+" ORDER BY "+ask.order, args...); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// each hands on every row of a query.
func each(ctx context.Context, db *sql.DB, row func(*sql.Rows) error, query string, args ...any) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("look at tables: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows); err != nil {
			return fmt.Errorf("look at tables: %w", err)
		}
	}
	return rows.Err()
}

func (f *facts) schemaRow(rows *sql.Rows) error {
	var name string
	err := rows.Scan(&name)
	f.schemas = append(f.schemas, name)
	return err
}

func (f *facts) tableRow(rows *sql.Rows) error {
	var t tableFacts
	err := rows.Scan(&t.schema, &t.name, &t.view)
	f.tables = append(f.tables, t)
	return err
}

// table is a table by its name; nil if it was not there when the tables were read.
func (f *facts) table(schema, name string) *tableFacts {
	if f.at == nil {
		f.at = map[[2]string]int{}
		for i := range f.tables {
			f.at[[2]string{f.tables[i].schema, f.tables[i].name}] = i
		}
	}
	at, ok := f.at[[2]string{schema, name}]
	if !ok {
		return nil
	}
	return &f.tables[at]
}

func (f *facts) columnRow(rows *sql.Rows) error {
	var schema, table string
	var c columnFacts
	if err := rows.Scan(&schema, &table, &c.name, &c.typ, &c.comment, &c.counts); err != nil {
		return err
	}
	f.stored[[3]string{schema, table, c.name}] = c.typ
	if t := f.table(schema, table); t != nil {
		t.columns = append(t.columns, c)
	}
	return nil
}

func (f *facts) keyRow(rows *sql.Rows) error {
	var schema, table, name, kind, column string
	var many bool
	if err := rows.Scan(&schema, &table, &name, &many, &kind, &column); err != nil {
		return err
	}
	t := f.table(schema, table)
	if t == nil {
		return nil
	}
	if n := len(t.keys); n == 0 || t.keys[n-1].Name != name {
		t.keys = append(t.keys, Key{Name: name, Kind: keyKind(name, kind, many)})
	}
	last := &t.keys[len(t.keys)-1]
	last.Parts = append(last.Parts, KeyPart{Column: column})
	return nil
}

// keyKind is the kind of an index of a plain table.
func keyKind(name, kind string, many bool) string {
	switch {
	case strings.EqualFold(kind, "FULLTEXT"), strings.EqualFold(kind, "SPATIAL"):
		return strings.ToLower(kind)
	case strings.EqualFold(name, "PRIMARY"):
		return "primary"
	case many:
		return "index"
	}
	return "unique"
}

func (f *facts) foreignRow(rows *sql.Rows) error {
	var schema, table, name, column, to string
	if err := rows.Scan(&schema, &table, &name, &column, &to); err != nil {
		return err
	}
	t := f.table(schema, table)
	if t == nil {
		return nil
	}
	if n := len(t.foreign); n == 0 || t.foreign[n-1].Name != name {
		t.foreign = append(t.foreign, Foreign{Name: name, References: to})
	}
	last := &t.foreign[len(t.foreign)-1]
	last.Columns = append(last.Columns, column)
	return nil
}

// seesAll reports whether the account has SELECT on everything, without which the server shows it only
// tables that it has some privilege on.
func seesAll(ctx context.Context, db *sql.DB) (bool, error) {
	var account string
	if err := db.QueryRowContext(ctx, "SELECT CURRENT_USER()").Scan(&account); err != nil {
		return false, fmt.Errorf("look at the account: %w", err)
	}
	at := strings.LastIndexByte(account, '@')
	if at < 0 {
		return false, nil
	}
	me, found := "'"+account[:at]+"'@'"+account[at+1:]+"'", false
	// Which are its own is seen here: MySQL 9.7 finds no row by GRANTEE = ?.
	err := each(ctx, db, func(rows *sql.Rows) error {
		var grantee string
		err := rows.Scan(&grantee)
		found = found || grantee == me
		return err
	}, "SELECT GRANTEE FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'SELECT'")
	return found, err
}
