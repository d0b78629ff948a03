package ddl

import (
	"context"
	"database/sql"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/examination"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sqlerr"
)

// Examine compares a stored table with what the catalog says it is, by what the server
// says of it on a connection of the service account's. Comments of columns and keys and
// the AUTO_INCREMENT are not compared: they move without a change of the catalog.
func Examine(ctx context.Context, conn *sql.Conn, known *catalog.Catalog, t *catalog.Table) ([]examination.Mismatch, error) {
	s := &service.Connection{Conn: conn}
	rows, err := s.Query(ctx, "SHOW CREATE TABLE "+t.QuotedName())
	if said, ok := errors.AsType[*sqlerr.Error](err); ok && (said.Number == service.NoTable || said.Number == service.NoSchema) {
		return []examination.Mismatch{{Of: "table", Problem: examination.Missing}}, nil
	}
	if err != nil || len(rows) == 0 {
		return nil, errors.Join(err, service.NoRow(len(rows)))
	}
	is, err := showcreate.Read(service.Text(rows[0][1]))
	if err != nil {
		return []examination.Mismatch{{Of: "table", Problem: examination.Different}}, nil //nolint:nilerr // it is a view, say
	}
	want, err := examination.Stored(known, t)
	if err != nil {
		return nil, err
	}
	return examination.BetweenSteps(t, is, want, examination.Compare(t, is, want)), nil
}
