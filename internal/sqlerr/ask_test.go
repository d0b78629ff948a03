package sqlerr

import (
	"errors"
	"testing"
)

// askCases are mistakes of commands beside a tunic that runs.
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
		{
			MigrationHindered("2 things hinder it"), ExitFaults,
			"TUNIC-1831: 2 things hinder it; do for each thing that is listed what is said behind it, then begin again (docs/errors.md#tunic-1831)",
		},
		{
			MigrationNothing(errors.New("there is no such table")), ExitConfig,
			"TUNIC-1832: there is no such table; give the name as schema.table, and names of its columns with --columns; " +
				"check that --backend is the database that tunics with this key serve, and that the service account has privileges on the schema (docs/errors.md#tunic-1832)",
		},
		{
			MigrationCut("fill: the server has answered with error 1062"), ExitFaults,
			"TUNIC-1833: fill: the server has answered with error 1062; mend what the server has said, " +
				"and run the same command again: it goes on where it was (docs/errors.md#tunic-1833)",
		},
		{
			AssessDecides("2 tables cannot be encrypted yet"), ExitFaults,
			"TUNIC-1851: 2 tables cannot be encrypted yet; do for each thing that is listed what is said behind it, and assess again (docs/errors.md#tunic-1851)",
		},
		{
			AssessNothing(errors.New("there is no such schema")), ExitConfig,
			"TUNIC-1852: there is no such schema; give the name of a schema, and names of its tables behind it; make the ledger with tunic init; " +
				"check that the service account has privileges on the schema (docs/errors.md#tunic-1852)",
		},
		{
			AssessLog("--log", errors.New("it is no log")), ExitConfig,
			"TUNIC-1853: --log: it is no log; give --log a general or a slow query log of MySQL or MariaDB that this user may read; for --digests switch performance_schema on, " +
				"and GRANT SELECT ON performance_schema.events_statements_summary_by_digest to the service account (docs/errors.md#tunic-1853)",
		},
		{
			AuditFaults(2, 5), ExitFaults,
			"TUNIC-1801: not all is as tunic has written it in 2 of 5 tables; see what is listed: tokens are made anew with --repair; " +
				"what does not open has to come from a backup; a table that was changed around tunic has to be changed back (docs/errors.md#tunic-1801)",
		},
		{
			AuditNothing(errors.New("no table is protected in this database")), ExitConfig,
			"TUNIC-1802: no table is protected in this database; give names as schema.table, or none for all tables; " +
				"check that --backend is the database and that the service account may see its schema _tunic (docs/errors.md#tunic-1802)",
		},
	}
}
