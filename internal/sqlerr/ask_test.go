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
				"check that tunic serve runs and that --host and --port, or --socket, are what its --listen is (see tunic help TUNIC-1701)",
		},
		{
			AskLogin(&Error{Number: 1045, State: "28000", Message: "Access denied"}), ExitAccount,
			"TUNIC-1702: --user: the login was refused: ERROR 1045 (28000): Access denied; " +
				"check --user, --database and the password, in TUNIC_PASSWORD or --password-file (see tunic help TUNIC-1702)",
		},
		{
			AskPasswordFile("p is empty", ""), ExitAccount,
			"TUNIC-1703: --password-file: p is empty; " +
				"give --password-file a regular file of one line that this user can read and others cannot (see tunic help TUNIC-1703)",
		},
		{
			AskRefused(errors.New("1064")), ExitRefused,
			"TUNIC-1704: the statement is refused: 1064; change the statement as the message says; SELECT, INSERT, REPLACE, UPDATE and DELETE are explained (see tunic help TUNIC-1704)",
		},
		{
			AskNotReady("nothing answers at 127.0.0.1:1", refused), ExitInternal,
			"TUNIC-1711: --admin: nothing answers at 127.0.0.1:1: connection refused; " +
				"see that tunic serve runs, and its log; give --admin the address that it has (see tunic help TUNIC-1711)",
		},
		{
			MigrationHindered("2 things hinder it"), ExitFaults,
			"TUNIC-1831: 2 things hinder it; do what the list says for each entry, then run the command again (see tunic help TUNIC-1831)",
		},
		{
			MigrationNothing(errors.New("there is no such table"), "give the name as schema.table"), ExitConfig,
			"TUNIC-1832: there is no such table; give the name as schema.table (see tunic help TUNIC-1832)",
		},
		{
			MigrationDamaged("shop.t: exchange: the table is damaged"), ExitFaults,
			"TUNIC-1835: shop.t: exchange: the table is damaged; compare the table with a backup, since rows may be missing or wrong, and write what is missing through tunic; " +
				"then have the server make it anew (ALTER TABLE … FORCE, at the server itself), and run the same command again: it continues where it was (see tunic help TUNIC-1835)",
		},
		{
			MigrationCut("shop.t: fill: the server has answered with error 1062", ""), ExitFaults,
			"TUNIC-1833: shop.t: fill: the server has answered with error 1062; correct what the server says, " +
				"and run the same command again: it continues where it was (see tunic help TUNIC-1833)",
		},
		{
			MigrationUnseen("shop.t: the server has answered with error 1142", "GRANT it"), ExitFaults,
			"TUNIC-1833: shop.t: the server has answered with error 1142; GRANT it, and run the same command again: nothing has been changed (see tunic help TUNIC-1833)",
		},
		{
			RotationFailed("shop.t: the server has answered with error 1142", ""), ExitFaults,
			"TUNIC-1821: shop.t: the server has answered with error 1142; correct what it says of each table, " +
				"and run the same command again: it goes on with what is left (see tunic help TUNIC-1821)",
		},
		{
			AssessDecides("2 tables cannot be encrypted yet"), ExitFaults,
			"TUNIC-1871: 2 tables cannot be encrypted yet; do what the list says for each entry, and assess again (see tunic help TUNIC-1871)",
		},
		{
			AssessNothing(errors.New("there is no such schema"), "give the name of a schema"), ExitConfig,
			"TUNIC-1872: there is no such schema; give the name of a schema (see tunic help TUNIC-1872)",
		},
		{
			AssessLog("--log", errors.New("it is no log")), ExitConfig,
			"TUNIC-1873: --log: it is no log; give --log a general or a slow query log of MySQL or MariaDB that this user may read; for --digests switch performance_schema on, " +
				"and GRANT SELECT ON performance_schema.events_statements_summary_by_digest to the service account (see tunic help TUNIC-1873)",
		},
		{
			AuditFaults(2, 5), ExitFaults,
			"TUNIC-1801: not all is as tunic has written it in 2 of 5 tables; see the list: --repair computes tokens again; " +
				"restore a value that does not open from a backup; change a table back that was changed around tunic (see tunic help TUNIC-1801)",
		},
		{
			ReportDecisions(1), ExitFaults,
			"TUNIC-1861: one thing needs a decision; do what the list says for each entry, or accept it with --accept; tunic help report.md explains the kinds (see tunic help TUNIC-1861)",
		},
		{
			ReportNothing(errors.New("there is no such schema")), ExitConfig,
			"TUNIC-1862: there is no such schema; give names of schemas, or none for all; check that the service account has privileges on the schema (see tunic help TUNIC-1862)",
		},
		{
			AuditNothing(errors.New("no table is protected in this database")), ExitConfig,
			"TUNIC-1802: no table is protected in this database; give names as schema.table, or none for all tables; " +
				"check that --backend is the database and that the service account may see its schema _tunic (see tunic help TUNIC-1802)",
		},
		{
			StatusUnreachable("127.0.0.1:1", errors.New("connection refused")), ExitBackend,
			"TUNIC-1851: --admin 127.0.0.1:1: does not answer with a status: connection refused; give --admin HOST:PORT the address that a tunic serves with its own --admin (see tunic help TUNIC-1851)",
		},
		{
			StatusToken("127.0.0.1:1"), ExitConfig,
			"TUNIC-1852: --admin 127.0.0.1:1: shows its status only with the token; give --admin-token-file the file that the tunic was started with; " +
				"one that listens on other than a loopback address needs such a file (see tunic help TUNIC-1852)",
		},
		{
			StatusBad("draining", 2), ExitFaults,
			"TUNIC-1853: tunic is draining, and has 2 alarms; see the status: each warning says what to do (see tunic help TUNIC-1853)",
		},
	}
}
