package ddl

import (
	"errors"
	"log/slog"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
)

// backfillError is what to tell of rows that could not be backfilled. What the client can mend
// by itself is not for the log. Of what the server has said only the number is: a part
// of the statement may be in it.
func backfillError(log *slog.Logger, t *catalog.Table, err error) error {
	switch {
	case errors.Is(err, layers.ErrNoKey):
		return sqlerr.CannotBackfill(t.Name, "it has no primary key or unique key that tells all of its rows apart")
	case errors.Is(err, layers.ErrConversion):
		return sqlerr.CannotBackfill(t.Name, "it has values that do not fit the new type as they are")
	}
	said, _ := errors.AsType[*sqlerr.Error](service.Error(err))
	if said != nil {
		log.Error("the rows of a table could not be backfilled", "table", t.FullName(), "server_error", said.Number, "said", sqlerr.Redacted(said.Message))
	} else {
		log.Error("the rows of a table could not be backfilled", "table", t.FullName(), "error", err)
	}
	const denied, columnDenied = 1142, 1143
	switch {
	case errors.Is(err, layers.ErrForeign), errors.Is(err, layers.ErrForeignWrite):
		return sqlerr.CannotBackfill(t.Name, "it has rows that tunic has not written")
	case said == nil, slices.Contains(leaving, said.Number), errors.Is(err, layers.ErrMoved): // by another tunic's change
		return sqlerr.NoLedger()
	case said.Number == denied, said.Number == columnDenied:
		return sqlerr.CannotBackfill(t.Name, "the service account may not SELECT and UPDATE its rows")
	}
	return sqlerr.CannotBackfill(t.Name, "the server did not take it; tunic's log says why")
}

// leaving are the errors of a server, or of one of its connections, that is about to end.
var leaving = []uint16{1053, 1927, 3169}
