package said

import (
	"strconv"
	"unicode/utf8"

	"tunic/internal/sqlerr"
)

// Errors that servers have for what tunic carries out in their place, in their words.

// NotPreparable is what servers say to the preparation of a statement of a kind that cannot
// be prepared.
func NotPreparable() *sqlerr.Error {
	return &sqlerr.Error{Number: 1295, State: "HY000", Message: "This command is not supported in the prepared statement protocol yet"}
}

// WrongColumns is what servers say of INTO with more or fewer variables than columns.
func WrongColumns() *sqlerr.Error {
	return &sqlerr.Error{Number: 1222, State: "21000", Message: "The used SELECT statements have a different number of columns"}
}

// nearBytesMax is how much of a text servers quote where they do not read on.
const nearBytesMax = 80

// SyntaxError is what a server says of a text that it does not read on from rest, in a line
// of it.
func SyntaxError(mariaDB bool, rest string, line int) *sqlerr.Error {
	server := "MySQL"
	if mariaDB {
		server = "MariaDB"
	}
	return &sqlerr.Error{Number: 1064, State: "42000", Message: "You have an error in your SQL syntax; check the manual that corresponds to your " +
		server + " server version for the right syntax to use near '" + near(mariaDB, rest) + "' at line " + strconv.Itoa(line)}
}

// near is what servers quote of a text: whole characters, and MariaDB says that there are more.
func near(mariaDB bool, rest string) string {
	if len(rest) <= nearBytesMax {
		return rest
	}
	most, more := nearBytesMax, ""
	if mariaDB {
		more = "..."
		most -= len(more)
	}
	for most > nearBytesMax-len(more)-utf8.UTFMax && !utf8.RuneStart(rest[most]) {
		most--
	}
	return rest[:most] + more
}
