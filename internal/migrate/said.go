package migrate

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
)

// isDenied reports whether the server has denied a privilege: on a schema, a table or a
// column.
func isDenied(err error) bool {
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && slices.Contains([]uint16{1044, 1142, 1143}, said.Number)
}

func containsFold(all []string, name string) bool {
	return slices.ContainsFunc(all, func(other string) bool { return strings.EqualFold(other, name) })
}

// serverSaid is an error of the server's.
func serverSaid(number uint16, message string) string {
	return "the server has answered with error " + strconv.Itoa(int(number)) + ": " + sqlerr.Redacted(message)
}

// Problem is what to say of an error of a step, without what the server quotes: values may be in
// it. It is false of errors of the ledger.
func Problem(err error) (text string, ok bool) {
	if said, ok := errors.AsType[*sqlerr.Error](err); ok {
		if said.Code != 0 {
			return said.Message, true
		}
		return serverSaid(said.Number, said.Message), true
	}
	if said, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return serverSaid(said.Number, said.Message), true
	}
	if unshadowed, ok := errors.AsType[*layers.UnshadowedError](err); ok {
		return unshadowed.Error(), true
	}
	for _, known := range []error{
		upkeep.ErrTableGone, ddl.ErrProtected, layers.ErrNoKey, layers.ErrForeign, layers.ErrForeignWrite, layers.ErrMoved, layers.ErrConversion, catalog.ErrContent,
	} {
		if errors.Is(err, known) {
			return known.Error(), true
		}
	}
	return "", false
}
