package server

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// addLayer asks for a layer, and returns the job's number.
func addLayer(t *testing.T, db *sql.DB, table string) int64 {
	t.Helper()
	done, err := db.ExecContext(t.Context(), "CALL tunic.add_layer(?, 'name', 'equality')", table)
	if err != nil {
		t.Fatal(err)
	}
	id, err := done.LastInsertId()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestJobsEndWithAName: a table that is dropped under its job, a ceiling that is lowered, a
// privilege of the service account's that is taken: the job fails with a cause, and is
// resumed once that is mended, or undone. A client that leaves a transaction open keeps the
// job waiting, and nobody else.
func TestJobsEndWithAName(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			one, _ := serveWith(t, cfg, kek)
			other, _ := serveWith(t, cfg, kek)
			db, beside := through(t, one.Addr().String()), through(t, other.Addr().String())
			for _, table := range []string{"dropped", "lowered", "refused"} {
				mustExec(t, db, "CREATE TABLE "+table+" (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))", "INSERT INTO "+table+" VALUES (1, 'Canary')")
			}
			cause := func(id int64, state, want string) {
				t.Helper()
				stateOf(t, beside, id, state)
				is(t, "cause", textOf(t, beside, "SELECT cause FROM tunic.jobs WHERE id = ?", id), want)
			}
			// held begins a job, and pauses it while it waits for a transaction.
			held := func(table string) int64 {
				t.Helper()
				tx, err := db.BeginTx(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := tx.ExecContext(t.Context(), "UPDATE "+table+" SET name = 'Heron'"); err != nil {
					t.Fatal(err)
				}
				id := addLayer(t, db, table)
				is(t, "beside the waiting job", textOf(t, beside, "SELECT name FROM "+table), "Canary")
				mustExecWith(t, beside, "CALL tunic.pause(?)", id)
				stateOf(t, db, id, "paused")
				if err := tx.Commit(); err != nil {
					t.Fatal(err)
				}
				return id
			}

			id := held("dropped")
			mustExec(t, beside, "DROP TABLE dropped")
			mustExecWith(t, beside, "CALL tunic.resume(?)", id)
			cause(id, "failed", "table_dropped")
			mustExecWith(t, db, "CALL tunic.cancel(?)", id)
			cause(id, "cancelled", "-")

			id = held("lowered")
			mustExec(t, beside, "ALTER TABLE lowered MODIFY name VARCHAR(40) COMMENT 'tunic: sealed'")
			mustExecWith(t, beside, "CALL tunic.resume(?)", id)
			cause(id, "failed", "ceiling")
			mustExecWith(t, db, "CALL tunic.cancel(?)", id)
			cause(id, "cancelled", "-")
			is(t, "what is left", textOf(t, db, "SELECT id FROM lowered WHERE name = 'Heron'"), "1")

			id = held("refused")
			grantees(t, server, "REVOKE ALTER ON *.* FROM ")
			mustExecWith(t, beside, "CALL tunic.resume(?)", id)
			cause(id, "failed", "no_privilege")
			grantees(t, server, "GRANT ALTER ON *.* TO ")
			mustExecWith(t, beside, "CALL tunic.resume(?)", id)
			cause(id, "done", "-")
			is(t, "the layer", textOf(t, db, "SELECT table_name, state FROM tunic.layers WHERE state <> 'absent'"), "refused ready")
			is(t, "by the layer", textOf(t, beside, "SELECT id FROM refused WHERE name = 'Heron'"), "1")
		})
	}
}

func mustExecWith(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement, args...)
	for end := time.Now().Add(10 * time.Second); err != nil && strings.Contains(err.Error(), "TUNIC-2053") && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond) // the ledger was lost with the connections of the service account
		_, err = db.ExecContext(t.Context(), statement, args...)
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// grantees changes a privilege of the service account's, and has it connect anew: servers
// ask for privileges on everything when an account connects.
func grantees(t *testing.T, server *sandbox.Server, statement string) {
	t.Helper()
	if err := server.Exec(t.Context(), statement+"'tunic_service'@'%'"); err != nil {
		t.Fatal(err)
	}
	root := client(t, server.Addr, "root", "root", func(*mysql.Config) {})
	defer func() { _ = root.Close() }()
	for _, id := range textOf(t, root, "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'tunic_service'") {
		_, _ = root.ExecContext(t.Context(), "KILL "+id) // one may be gone
	}
}
