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

// Error is what the server has said, as an error that a client may see.
func Error(err error) error { return (&Connection{}).Error(err) }
