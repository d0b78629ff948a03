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

// Numbers of the errors by which a server denies a privilege.
const (
	deniedSchema = 1044 // ER_DBACCESS_DENIED_ERROR
	deniedTable  = 1142 // ER_TABLEACCESS_DENIED_ERROR
	deniedColumn = 1143 // ER_COLUMNACCESS_DENIED_ERROR
	deniedServer = 1227 // ER_SPECIFIC_ACCESS_DENIED_ERROR
)

// answered is what the server has answered, if an error is that.
func answered(err error) (number uint16, message string) {
	if said, ok := errors.AsType[*sqlerr.Error](err); ok && said.Code == 0 {
		return said.Number, said.Message
	}
	if said, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return said.Number, said.Message
	}
	return 0, ""
}

// isDenied reports whether the server has denied a privilege: on a schema, a table or a
// column.
func isDenied(err error) bool {
	number, _ := answered(err)
	return slices.Contains([]uint16{deniedSchema, deniedTable, deniedColumn}, number)
}

// deniedPrivilege is the name of the privilege that the server has denied; "" if it does not say.
func deniedPrivilege(err error) string {
	_, message := answered(err)
	privilege, _, ok := strings.Cut(message, " command denied")
	if !ok {
		if _, message, ok = strings.Cut(message, "(at least one of) the "); ok {
			privilege, _, _ = strings.Cut(message, " privilege")
		}
	}
	if !ok || strings.Trim(privilege, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_, ") != "" {
		return ""
	}
	return privilege
}

// grantFix is what to do about a privilege that the server has denied; "" of other errors.
func grantFix(err error) string {
	privilege := deniedPrivilege(err)
	switch number, _ := answered(err); {
	case number == deniedServer && privilege != "":
		return "GRANT " + privilege + " ON *.* to the service account"
	case isDenied(err) && privilege != "":
		return "GRANT " + privilege + " to the service account, on the schema of that table, as tunic help operating says"
	case isDenied(err), number == deniedServer:
		return "GRANT the service account the privileges that tunic help operating lists"
	}
	return ""
}

func containsFold(all []string, name string) bool {
	return slices.ContainsFunc(all, func(other string) bool { return strings.EqualFold(other, name) })
}

// serverSaid is an error of the server's.
func serverSaid(number uint16, message string) string {
	return "the server has answered with error " + strconv.Itoa(int(number)) + ": " + sqlerr.Redacted(message)
}

// Failure is what has failed, as Problem says it, and what to do about it; "" if that is not known.
func Failure(err error) (problem, fix string, ok bool) {
	if said, is := errors.AsType[*sqlerr.Error](err); is && said.Code != 0 {
		problem, fix = said.Parts()
		return problem, fix, true
	}
	problem, ok = Problem(err)
	if unsound, is := errors.AsType[*upkeep.UnsoundError](err); is {
		return problem, unsound.Fix(), ok
	}
	return problem, grantFix(err), ok
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
	if unsound, ok := errors.AsType[*upkeep.UnsoundError](err); ok {
		return unsound.Error(), true
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
