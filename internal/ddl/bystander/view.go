package bystander

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// Uncovered refuses to put a protected table, or a view over one, where a view of the server's
// reads: what is written through it would reach the server as it is, and of tunic's view the
// server has no rows. Views that the service account may not see are not found. Who can makes such
// views tunic's first; one may come until everybody knows the name.
func Uncovered(ctx context.Context, db *sql.DB, known *catalog.Catalog, steps []ledger.Step) error {
	for _, s := range steps {
		if !s.Comes() {
			continue
		}
		view, err := viewOf(ctx, db, known, s.New)
		if err != nil {
			return err
		}
		if view != "" {
			return sqlerr.ViewUnderneath(s.New.Name, view)
		}
	}
	return nil
}

// viewOf is a view of the server's that reads a table of this name, "" if there is none.
func viewOf(ctx context.Context, db *sql.DB, known *catalog.Catalog, t *catalog.Table) (name string, err error) {
	views, err := Views(ctx, db, viewtext.NameIn(t))
	for _, v := range views {
		if known.View(v.Schema, v.Name) == nil {
			return v.Name, err
		}
	}
	return "", err
}

// View is a view as the server has it: of its own, or what it has of one of tunic's.
type View struct {
	Schema, Name string
	Query        string
}

// Reads reports whether the view reads a table.
func (v *View) Reads(t *catalog.Table) bool {
	return strings.Contains(v.Query, viewtext.NameIn(t))
}

// Views are the views that an account sees whose queries have a text in them; all of them have "".
func Views(ctx context.Context, db *sql.DB, text string) (all []View, err error) {
	rows, err := db.QueryContext(ctx,
		"SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE LOCATE(?, VIEW_DEFINITION) > 0 AND TABLE_SCHEMA <> ?",
		text, catalog.Schema)
	if err != nil {
		return nil, fmt.Errorf("look for views: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var v View
		if err := rows.Scan(&v.Schema, &v.Name, &v.Query); err != nil {
			return nil, fmt.Errorf("look for views: %w", err)
		}
		all = append(all, v)
	}
	return all, rows.Err()
}
