package ledger

import (
	"database/sql/driver"
	"errors"
	"net"
	"slices"

	"github.com/go-sql-driver/mysql"
)

// passing are errors of a server that say nothing of the ledger and pass by themselves (MySQL Error
// Message Reference; MariaDB Error Codes): of connecting, of a server that stops, of a node that is not
// in its cluster's primary component, and of who is ended while it waits or commits.
var passing = []uint16{
	1040, 1129, 1203, 1226, 1158, 1159, 1160, 1161, 2006, 2013,
	1053, 1077, 1078, 1079, 1047,
	1180, 1205, 1213, 1317, 1927, 1969, 3024, 3101, 3169, 4031,
}

// passes reports whether an error is that the server was not there to answer, or did not answer for a
// reason that passes: the ledger is out of reach, and is looked for again.
func passes(err error) bool {
	refusal, answered := errors.AsType[*mysql.MySQLError](err)
	return Unreachable(err) || answered && slices.Contains(passing, refusal.Number)
}

// Unreachable reports whether an error is that the server was not there to answer, or not in
// time: a deadline that is over is a net.Error, too.
func Unreachable(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn)
}

// Denied reports whether a server has denied a statement to the account.
func Denied(err error) bool {
	refusal, answered := errors.AsType[*mysql.MySQLError](err)
	return answered && slices.Contains(denials, refusal.Number)
}

// denials are the errors of who lacks a privilege (MySQL Error Message Reference; MariaDB Error Codes).
var denials = []uint16{1044, 1045, 1142, 1143, 1227, 1370, 1698, 4151}
