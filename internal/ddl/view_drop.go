package ddl

import (
	"context"
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/sql/ast"
)

// dropView is of DROP VIEW. The statement runs as it is: stored views have the names of
// the logical ones.
func (w *work) dropView(ctx context.Context, stmt *ast.DropView) error {
	if len(w.viewsNamed(stmt)) == 0 {
		w.result.Forward = true
		return nil
	}
	end, err := w.begin(ctx, func() []*catalog.Table { return w.viewsNamed(stmt) })
	if err != nil {
		return err
	}
	defer end()
	err = w.removeViews(ctx, w.viewsNamed(stmt), viewtext.Drop(stmt))
	return errors.Join(err, w.heard(ctx, err))
}

// viewsNamed are the views over protected tables that the statement names.
func (w *work) viewsNamed(stmt *ast.DropView) (found []*catalog.Table) {
	for _, name := range stmt.FromTables {
		schema, view, err := w.name(name)
		if err != nil {
			continue // the server says so
		}
		if v := w.catalog.View(schema, view); v != nil && !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return found
}
