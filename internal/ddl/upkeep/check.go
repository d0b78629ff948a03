package upkeep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
)

// check gives a stored table its CHECK, unless it has it: another process may have made the
// table since all were looked at.
func (s *Tables) check(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	has, strays, err := s.checksOf(ctx, t)
	if err != nil {
		return fmt.Errorf("look for a check: %w", err)
	}
	if has || t.Unchecked {
		return nil
	}
	check := showcreate.Check{Name: form.CheckName(t), Text: "CHECK (" + form.CheckText(t) + ")"}
	statement := "ALTER TABLE " + t.QuotedName() + " ADD " + check.SQL()
	for _, name := range strays {
		statement += ", DROP CHECK " + identifier.Quoted(name)
	}
	return s.Turns.Brief(ctx, statement, wait)
}

// strayCheck is how the names begin that MySQL gives the CHECKs of a table while ALTER TABLE copies
// it. Where an engine's definitions are not atomic, as MEMORY's, a kill of the server may leave them so.
const strayCheck = "#cc_"

// ChecksOf reports whether a stored table has its CHECK, and the names that MySQL has left it under.
func (s *Tables) checksOf(ctx context.Context, t *catalog.Table) (has bool, strays []string, err error) {
	rows, err := s.DB.QueryContext(ctx, "SELECT k.CONSTRAINT_NAME, c.CHECK_CLAUSE FROM information_schema.TABLE_CONSTRAINTS k"+
		" JOIN information_schema.CHECK_CONSTRAINTS c ON c.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = k.CONSTRAINT_NAME"+
		" WHERE k.CONSTRAINT_SCHEMA = ? AND k.TABLE_SCHEMA = ? AND k.TABLE_NAME = ? AND k.CONSTRAINT_TYPE = 'CHECK'", t.Schema, t.Schema, t.Name)
	if err != nil {
		return false, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name, clause string
		if err := rows.Scan(&name, &clause); err != nil {
			return false, nil, err
		}
		switch {
		case name == form.CheckName(t):
			has = true
		case strings.HasPrefix(name, strayCheck) && namesProtected(t, clause): // clients' own speak of plain columns
			strays = append(strays, name)
		}
	}
	return has, strays, rows.Err()
}

// namesProtected reports whether a CHECK is over a protected column.
func namesProtected(t *catalog.Table, clause string) bool {
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
		return c.Protected() && strings.Contains(clause, identifier.Quoted(c.Stored()))
	})
}

// isChanged reports whether an error of the server's says that a table lacks a column
// that a CHECK names, or has rows that the CHECK does not allow, as the flavors say it.
func isChanged(err error) bool {
	const rowsMariaDB, rowsMySQL = 4025, 3819
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && e.Code == 0 && (e.Number == service.NoColumn || e.Number == rowsMariaDB || e.Number == rowsMySQL)
}

// isGone reports whether an error of the server's says that there is no such table.
func isGone(err error) bool {
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && e.Code == 0 && (e.Number == service.NoTable || e.Number == service.NoSchema)
}
