package ddl

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

// uncovered refuses to put a protected table, or a view over one, where a view of the server's
// reads: what is written through it would reach the server as it is, and of tunic's view the
// server has no rows. Views that the service account may not see are not found. Who can makes such
// views tunic's first (adoptReaders); one may come until everybody knows the name.
func (w *work) uncovered(ctx context.Context, steps []ledger.Step) error {
	for _, s := range steps {
		if !comes(s) {
			continue
		}
		view, err := w.viewOf(ctx, s.New)
		if err != nil {
			return err
		}
		if view != "" {
			return sqlerr.ViewUnderneath(s.New.Name, view)
		}
	}
	return nil
}

// comes reports whether a step has a protected table, or a view over one, where there was none of
// its name.
func comes(s ledger.Step) bool {
	return s.New != nil && (s.Old == nil || s.Old.Schema != s.New.Schema || s.Old.Name != s.New.Name)
}

// viewOf is a view of the server's that reads a table of this name, "" if there is none.
func (w *work) viewOf(ctx context.Context, t *catalog.Table) (name string, err error) {
	views, err := ServerViews(ctx, w.o.DB, viewtext.NameIn(t))
	for _, v := range views {
		if w.catalog.View(v.Schema, v.Name) == nil {
			return v.Name, err
		}
	}
	return "", err
}

// ServerView is a view as the server has it: of its own, or what it has of one of tunic's.
type ServerView struct {
	Schema, Name string
	query        string
}

// Reads reports whether the view reads a table.
func (v *ServerView) Reads(t *catalog.Table) bool {
	return strings.Contains(v.query, viewtext.NameIn(t))
}

// ServerViews are the views that an account sees whose queries have a text in them; all of them have "".
func ServerViews(ctx context.Context, db *sql.DB, text string) (all []ServerView, err error) {
	rows, err := db.QueryContext(ctx,
		"SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE LOCATE(?, VIEW_DEFINITION) > 0 AND TABLE_SCHEMA <> ?",
		text, catalog.Schema)
	if err != nil {
		return nil, fmt.Errorf("look for views: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var v ServerView
		if err := rows.Scan(&v.Schema, &v.Name, &v.query); err != nil {
			return nil, fmt.Errorf("look for views: %w", err)
		}
		all = append(all, v)
	}
	return all, rows.Err()
}
