package ddl

import (
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
	case (e.Number == service.CheckViolated || e.Number == service.ConstraintFails) && strings.Contains(e.Message, form.CheckPrefix):
		return sqlerr.NeedsRewrite(t.Name, "")
	}
	var pairs []string
	for i := range t.Columns {
		for _, l := range t.Columns[i].Layers {
			pairs = append(pairs, l.Stored, t.Columns[i].Name)
		}
	}
	said.Message = strings.NewReplacer(pairs...).Replace(said.Message)
	return &said
}
