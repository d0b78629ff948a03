package audit

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/examination"
	"tunic/internal/ddl/form"
)

// Plain is a column whose values are in the clear still, or a table.
type Plain struct {
	// Column is the column; "" says that the whole table is plain, or that pages of its file may have what was.
	Column string
	// Next is the command that is to be run again: "encrypt" or "decrypt".
	Next string
}

// plainOf finds out what of a table's values is in the clear, by what Examine has found between steps.
func plainOf(t *catalog.Table, found []examination.Mismatch) (all []Plain) {
	switch {
	case t.Encrypting():
		for i := range t.Columns {
			if of := t.Columns[i].Shadows; of != "" {
				all = append(all, Plain{of, "encrypt"})
			}
		}
		return all
	case t.Bared:
		return []Plain{{"", "decrypt"}}
	case t.Baring():
		for i := range t.Columns {
			if c := &t.Columns[i]; c.Layer(catalog.PlainForm) != nil {
				all = append(all, Plain{c.Name, "decrypt"})
			}
		}
		return all
	}
	pages := false
	for _, m := range found {
		if !m.Between() || m.Of != "column" {
			continue
		}
		at := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return strings.EqualFold(m.Name, catalog.AsideName(c.Name)) })
		if at >= 0 {
			all = append(all, Plain{t.Columns[at].Name, "encrypt"})
		}
		of := t.StoredColumn(m.Name)
		pages = pages || of.Kind == catalog.StoredSealed || of.Kind == catalog.StoredFamily || of.Kind == catalog.StoredPlain
	}
	if pages && len(all) == 0 {
		all = []Plain{{"", "encrypt"}}
	}
	return all
}

// around looks for what others have made at a stored table, or taken from it: triggers, which see all that is
// written and change it, and the CHECK that refuses values in the clear.
func around(ctx context.Context, conn *sql.Conn, t *catalog.Table, found *Table) (err error) {
	if t.Unchecked && !t.Bared && !t.Encrypting() {
		found.Unchecked = !exists(ctx, conn, "SELECT 1 FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?"+
			" AND CONSTRAINT_TYPE = 'CHECK' AND CONSTRAINT_NAME = ?", t.Schema, t.Name, form.CheckName(t))
	}
	rows, err := conn.QueryContext(ctx, "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?"+
		" ORDER BY TRIGGER_NAME", t.Schema, t.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		m := examination.Mismatch{Of: "trigger", Problem: "not made by tunic"}
		if err := rows.Scan(&m.Name); err != nil {
			return err
		}
		if !slices.Contains(found.Mismatches, m) {
			found.Mismatches = append(found.Mismatches, m)
		}
	}
	return rows.Err()
}
