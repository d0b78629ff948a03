package ddl

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/service"
	"tunic/internal/sqlerr"
)

// storedError is what the server has said of a stored table, in words of the
// logical one: without the bytes of tokens, and with the names of columns.
func storedError(err error, t *catalog.Table) error {
	e, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || e.Code != 0 {
		return err
	}
	said := *e
	switch {
	case e.Number == service.DuplicateEntry:
		if at := strings.Index(e.Message, " for key "); at >= 0 {
			said.Message = "Duplicate entry" + e.Message[at:]
		}
	case isCheck(e):
		return sqlerr.ChangedAround(t.Name, "a row of it has something else than a sealed form")
	}
	var pairs []string
	for s := range t.StoredColumns() {
		if s.Layer != nil || s.Family != nil {
			pairs = append(pairs, s.Name, logicalNames(t, s))
		}
	}
	said.Message = strings.NewReplacer(pairs...).Replace(said.Message)
	return &said
}

// logicalNames are the names of the columns whose values a stored column has.
func logicalNames(t *catalog.Table, s catalog.StoredColumn) string {
	if s.Family == nil {
		return s.Column.Name
	}
	var names []string
	for _, i := range t.Members(s.Family) {
		names = append(names, t.Columns[i].Name)
	}
	return strings.Join(names, ", ")
}

// isCheck reports whether tunic's own CHECK has failed.
func isCheck(e *sqlerr.Error) bool {
	return (e.Number == service.CheckViolated || e.Number == service.ConstraintFails) && strings.Contains(e.Message, form.CheckPrefix)
}

// namingUnsealed has the error of a change that tunic's own CHECK has ended name the column whose value is no sealed form:
// somebody has written it at the server while the table had no CHECK. Who may not read the table is told no column.
func (w *work) namingUnsealed(ctx context.Context, t *catalog.Table, err error) error {
	if said, ok := errors.AsType[*sqlerr.Error](err); !ok || said.Code != 0 || !isCheck(said) {
		return err
	}
	for s := range t.StoredColumns() {
		if !form.Checked(s) {
			continue
		}
		rows, failed := w.client.Query(ctx, "SELECT 1 FROM "+t.QuotedName()+" WHERE NOT ("+form.CheckTerm(s)+") LIMIT 1")
		if failed == nil && len(rows) > 0 {
			names := logicalNames(t, s)
			w.o.Log.Error("a change has met a stored value that tunic has not written", "table", t.FullName(), "column", names)
			return sqlerr.NotAuthentic(names)
		}
	}
	return err
}
