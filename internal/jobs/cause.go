package jobs

import (
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/ddl/upkeep"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// Cause is why a job has failed: a name that is written down, and never changes.
type Cause string

// The causes that all kinds have.
const (
	DiskFull      Cause = "disk_full"      // the server has no room for rows or a definition
	NoPrivilege   Cause = "no_privilege"   // the service account may not do what it has to
	ReadOnly      Cause = "read_only"      // the server takes no writes
	TableDropped  Cause = "table_dropped"  // the table is gone, or not protected any more
	ColumnChanged Cause = "column_changed" // the column was dropped or redefined, or the layer is another's
	Ceiling       Cause = "ceiling"        // the column's ceiling does not allow the layer any more
	KeyStands     Cause = "key_stands"     // a key is over the layer that is to be taken away
	NoKey         Cause = "no_key"         // no key tells the rows of the table apart any more
	Foreign       Cause = "foreign_value"  // a stored value does not open: tunic has not stored it
	Damaged       Cause = "table_damaged"  // the server says that the indexes of the table do not agree
	ForeignWrite  Cause = "foreign_write"  // somebody writes to the table around tunic
	Refused       Cause = "refused"        // tunic refuses what is asked: the log has its code
	ServerError   Cause = "server_error"   // the server refuses otherwise: its number is kept
	Internal      Cause = "internal"       // none of these: the log has the error
)

// Fix is what somebody can do before the job is resumed.
func (c Cause) Fix() string {
	if fix, ok := fixes[c]; ok {
		return fix
	}
	return fixes[Internal]
}

var fixes = map[Cause]string{
	DiskFull:      "make room on the database server, then resume the job",
	NoPrivilege:   "grant the service account its privileges again, then resume the job",
	ReadOnly:      "have the server take writes, then resume the job",
	TableDropped:  "cancel the job: nothing of it is left",
	ColumnChanged: "cancel the job, and ask for what the column needs now",
	Ceiling:       "raise the column's ceiling and resume the job, or cancel it",
	KeyStands:     "drop the key and resume the job, or cancel it",
	NoKey:         "give the table a primary key and resume the job, or cancel it",
	Foreign:       "run tunic verify, repair the rows that it names, then resume the job",
	Damaged:       "compare the table with a backup, have the server make it anew (ALTER TABLE … FORCE), then resume the job",
	ForeignWrite:  "have every writer come through tunic, then resume the job",
	Refused:       "see tunic's log, then resume or cancel the job",
	ServerError:   "see tunic's log and the server's error number, then resume or cancel the job",
	Internal:      "see tunic's log, then resume or cancel the job",
}

// numbers are the server's errors that have a cause (MySQL Error Message Reference;
// MariaDB Error Codes).
var numbers = map[Cause][]uint16{
	DiskFull:     {1021, 1114, 3168},
	NoPrivilege:  {1044, 1045, 1142, 1143, 1227, 1370, 1698},
	ReadOnly:     {1290, 1792, 1836, 3100},
	TableDropped: {1049, 1051, 1146},
}

// engineErrors are the server's errors that come of its storage engine, or of a disk that is full: what
// the engine was at may be half done.
var engineErrors = []uint16{
	3, 1021, 1026, 1030, 1032, 1034, 1035, 1114, 1194, 1195, 1712, 1815, 1877, 1878, 1932, 3168,
}

func ofEngine(number uint16) bool { return slices.Contains(engineErrors, number) }

// passing are errors after which the same may work: the server is stopped or starts, a
// connection was cut or killed, locks and limits.
var passing = []uint16{
	1040, 1053, 1077, 1078, 1079, 1129, 1152, 1158, 1159, 1160, 1161, 1184, 1203, 1205, 1213, 1226, 1317, 1412, 1615, 1927, 2006, 2013, 3024, 3169, 4031,
}

// numberOf is the server's number of an error; 0 of one that is not the server's.
func numberOf(err error) uint16 {
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return e.Number
	}
	if e, ok := errors.AsType[*sqlerr.Error](err); ok && e.Code == 0 {
		return e.Number
	}
	return 0
}

func messageOf(err error) string {
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return e.Message
	}
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return e.Message
	}
	return ""
}

// logged is what the log is told of an error. What the server quotes is left out: a value of a row,
// or a part of the statement, may be in it.
func logged(err error) slog.Attr {
	if n := numberOf(err); n != 0 {
		return slog.Group("", slog.Int("server_error", int(n)), slog.String("said", sqlerr.Redacted(messageOf(err))))
	}
	return slog.Any("error", err)
}

// passes reports whether what failed is to be tried again by itself.
func passes(err error) bool {
	for _, e := range [...]error{
		ledger.ErrLost, ledger.ErrBusy, ledger.ErrOutdated, sql.ErrConnDone, sql.ErrTxDone,
		io.EOF, io.ErrUnexpectedEOF,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	if unsound, ok := errors.AsType[*upkeep.UnsoundError](err); ok && !unsound.Damaged { // the server could not look through it
		return true
	}
	if ledger.Unreachable(err) {
		return true
	}
	if n := numberOf(err); n != 0 {
		return slices.Contains(passing, n)
	}
	e, own := errors.AsType[*sqlerr.Error](err)
	return own && e.Code == sqlerr.NoLedger().Code // for now
}

// causeOf names why a stage has failed for good.
func (k *Kind) causeOf(err error) Cause {
	if k.Cause != nil {
		if c := k.Cause(err); c != "" {
			return c
		}
	}
	n := numberOf(err)
	for c, all := range numbers {
		if slices.Contains(all, n) {
			return c
		}
	}
	switch {
	case (n == 1030 || n == 1026 || n == 3) && noSpace(messageOf(err)):
		return DiskFull
	case n != 0:
		return ServerError
	}
	if _, own := errors.AsType[*sqlerr.Error](err); own {
		return Refused
	}
	return Internal
}

// noSpace finds the system's error 28, "no space left on device", in a message: "Got error
// 28 from storage engine", "(Errcode: 28 "No space left on device")".
func noSpace(message string) bool {
	for _, form := range [...]string{"error 28 ", "errno 28 ", "errno: 28", "Errcode: 28"} {
		if strings.Contains(message, form) {
			return true
		}
	}
	return false
}
