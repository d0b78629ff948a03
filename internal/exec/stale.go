package exec

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
)

// staleNumbers are the errors of a server for a statement whose names are of another time:
// a column, a table, or what a stored view needs, is not there; or a sealed value is compared
// with a column that has become one of text (1300), which MariaDB comes to before the fence.
var staleNumbers = []uint16{errBadField, 1146, 1356, 1300}

// MayBeStale reports whether an error is one that the server has for a statement that was
// planned for another form of its tables: of the fence, or of another name that it comes to
// first. The server has then done nothing of the statement, and the client knows nothing of
// it. Whether the plan was out of date the catalog tells, once it is read again.
func MayBeStale(err error) bool {
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && (e.Code == 0 && slices.Contains(staleNumbers, e.Number) || e == errMoved || e == binding.ErrMisfit)
}

// NamesFence reports whether an error is that a fence is not there, under which no client knows
// anything.
func NamesFence(e *sqlerr.Error) bool {
	name := quotedFirst([]byte(e.Message))
	return e.Code == 0 && e.Number == errBadField && catalog.IsFence(name[strings.LastIndexByte(name, '.')+1:])
}
