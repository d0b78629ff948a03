package audit

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
)

// reader is a program or a view of the server's, which reads and writes what is stored.
type reader struct {
	kind, schema, name string
	names              func(t *catalog.Table) bool
}

// readers are all programs and views that the account sees and that are not tunic's. Those that a
// client makes through tunic name no protected table.
func (a *Audit) readers(ctx context.Context, known *catalog.Catalog) (all []reader, err error) {
	programs, err := ddl.Programs(ctx, a.Ledger.DB, "", "", true)
	if err != nil {
		return nil, err
	}
	for i := range programs {
		p := &programs[i]
		all = append(all, reader{p.Kind, p.Schema, p.Name, func(t *catalog.Table) bool { return p.Names(t.Schema, t.Name) }})
	}
	rows, err := a.Ledger.DB.QueryContext(ctx, "SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS"+
		" WHERE TABLE_SCHEMA NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema', ?)", catalog.Schema)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		v := reader{kind: "view"}
		var query sql.NullString
		if err := rows.Scan(&v.schema, &v.name, &query); err != nil {
			return nil, err
		}
		v.names = func(t *catalog.Table) bool {
			return strings.Contains(query.String, quoted(t.Schema)+"."+quoted(t.Name))
		}
		if known.View(v.schema, v.name) == nil {
			all = append(all, v)
		}
	}
	return all, rows.Err()
}

// quoted is a name as the server shows it in the query of a view.
func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// read tells which of the readers name the table.
func (found *Table) read(readers []reader, t *catalog.Table) {
	for _, r := range readers {
		switch {
		case !r.names(t):
		case r.kind == "view":
			found.Mismatches = append(found.Mismatches, ddl.Mismatch{Of: r.kind, Name: r.schema + "." + r.name, Problem: "not made by tunic"})
		default:
			found.Programs = append(found.Programs, r.kind+" "+r.schema+"."+r.name)
		}
	}
}
