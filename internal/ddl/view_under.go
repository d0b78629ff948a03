package ddl

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// uncovered refuses to put a protected table where a view of the server's reads: what is
// written through it would reach the server as it is. Views that the service account may
// not see are not found.
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

// comes reports whether a step has a protected table where there was none of its name.
func comes(s ledger.Step) bool {
	return s.New != nil && s.New.View == nil && (s.Old == nil || s.Old.Schema != s.New.Schema || s.Old.Name != s.New.Name)
}

// viewOf is a view of the server's that reads a table of this name, "" if there is none.
func (w *work) viewOf(ctx context.Context, t *catalog.Table) (name string, err error) {
	rows, err := w.o.DB.QueryContext(ctx,
		"SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEWS WHERE LOCATE(?, VIEW_DEFINITION) > 0 AND TABLE_SCHEMA <> ?",
		quoteName(t.Schema)+"."+quoteName(t.Name), catalog.Schema)
	if err != nil {
		return "", fmt.Errorf("look for views: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var schema, view sql.NullString
		if err := rows.Scan(&schema, &view); err != nil {
			return "", fmt.Errorf("look for views: %w", err)
		}
		if w.catalog.View(schema.String, view.String) == nil {
			return view.String, nil
		}
	}
	return "", rows.Err()
}
