package ledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"tunic/internal/catalog"
)

// Marked is a table with the mark of a stored one; ID is in hexadecimal digits.
type Marked struct{ Schema, Name, ID string }

// Strangers are the tables with a mark that the service account sees and that neither the catalog nor a change under way
// knows: of another ledger, or restored from a backup without theirs.
func (l *Ledger) Strangers(ctx context.Context) ([]Marked, error) {
	found, err := MarkedTables(ctx, l.o.DB)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	l.mu.Lock()
	steps := slices.Concat(l.unsettled(), l.own)
	l.mu.Unlock()
	known := l.Catalog()
	return slices.DeleteFunc(found, func(s Marked) bool {
		if t := known.Table(s.Schema, s.Name); t != nil && t.ID.String() == s.ID {
			return true
		}
		return slices.ContainsFunc(steps, func(of Step) bool { return of.New != nil && of.New.ID.String() == s.ID })
	}), nil
}

// Querier is a connection, or many.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// MarkedTables are all tables that have a mark and that an account sees, but for those of schema _tunic.
func MarkedTables(ctx context.Context, db Querier) (all []Marked, err error) {
	rows, err := db.QueryContext(ctx, "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_COMMENT FROM information_schema.TABLES"+
		" WHERE TABLE_COMMENT LIKE 'tunic %' AND TABLE_SCHEMA <> ? ORDER BY 1, 2", catalog.Schema)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s Marked
		var comment string
		if err := rows.Scan(&s.Schema, &s.Name, &comment); err != nil {
			return nil, err
		}
		if id, ok := markedID(comment); ok {
			s.ID = id
			all = append(all, s)
		}
	}
	return all, rows.Err()
}
