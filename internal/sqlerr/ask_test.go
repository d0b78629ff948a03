package sqlerr

import (
	"errors"
	"testing"
)

// askCases are mistakes of commands that ask a running tunic.
func askCases(t *testing.T) []startCase {
	t.Helper()
	refused := dialNobody(t)
	return []startCase{
		{
			AskDown("--port", "127.0.0.1:1", refused), ExitBackend,
			"TUNIC-1701: --port: no tunic can be reached at 127.0.0.1:1: connection refused; " +
				"check that tunic serve runs and that --host and --port, or --socket, are what its --listen is (docs/errors.md#tunic-1701)",
		},
		{
			AskLogin(&Error{Number: 1045, State: "28000", Message: "Access denied"}), ExitAccount,
			"TUNIC-1702: --user: the login was refused: ERROR 1045 (28000): Access denied; " +
				"check --user, --database and the password, in TUNIC_PASSWORD or --password-file (docs/errors.md#tunic-1702)",
		},
		{
			AskPasswordFile("p is empty", ""), ExitAccount,
			"TUNIC-1703: --password-file: p is empty; " +
				"give --password-file a regular file of one line that this user can read and others cannot (docs/errors.md#tunic-1703)",
		},
		{
			AskRefused(errors.New("1064")), ExitRefused,
			"TUNIC-1704: the statement is refused: 1064; change the statement as the message says; SELECT, INSERT, REPLACE, UPDATE and DELETE are explained (docs/errors.md#tunic-1704)",
		},
	}
}
