package translation

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

// Redefined is what servers say of a text whose table has changed too often meanwhile. tunic says it of a
// prepared statement as well, where servers say plan.NeedsPreparing.
func Redefined() *sqlerr.Error {
	return &sqlerr.Error{Number: 1412, State: "HY000", Message: "Table definition has changed, please retry transaction"}
}

// Moved is the refusal of a statement whose tables have got other fences, as the server
// would have it: it was of another time.
func Moved() *sqlerr.Error { return errMoved }

var errMoved = Redefined()

// deniedNumbers are the errors of a server for a privilege that a client lacks: on a table,
// and on a column.
var deniedNumbers = []uint16{1142, 1143}

// MayBeDenied reports whether an error may be that of a client without a privilege on a
// fence. The server has then done nothing of the statement.
func MayBeDenied(err error) bool {
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && e.Code == 0 && slices.Contains(deniedNumbers, e.Number)
}

// Retriable reports whether an error about a statement is for who may plan it again, and not
// yet for the client.
func Retriable(st *binding.Statement, e *sqlerr.Error) bool {
	fenced := func(t *catalog.Table) bool { return t.Fence() != "" }
	return MayBeStale(e) || MayBeDenied(e) && slices.ContainsFunc(st.Run.Tables, fenced)
}
