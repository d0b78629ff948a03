package service

import (
	"errors"
	"slices"

	"tunic/internal/sqlerr"
)

// Said reports whether an error is the server's, and one of some numbers.
func Said(err error, numbers ...uint16) bool {
	said, ok := errors.AsType[*sqlerr.Error](err)
	return ok && said.Code == 0 && slices.Contains(numbers, said.Number)
}

// ofLogins are errors that servers answer a login with (MySQL Error Message Reference; MariaDB Error Codes): they are of
// tunic's account, and a client would take them for an answer to its own.
var ofLogins = []uint16{1040, 1045, 1129, 1130, 1203, 1698, 1820, 1862, 3118, 4151}

// Error is what the server has said, as an error that a client may see.
func Error(err error) error { return (&Connection{}).Error(err) }
