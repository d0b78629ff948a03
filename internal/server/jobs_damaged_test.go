package server

import (
	"fmt"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestJobsOfDamagedTables: a job that the server's storage engine has stopped has the server look through the table before it goes
// on, and fails with a cause, as often as it is resumed, until the table is made anew.
func TestJobsOfDamagedTables(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			one, _ := serveWith(t, cfg, kek)
			db := through(t, one.Addr().String())
			mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40), n INT COMMENT 'tunic: plain', KEY (n))",
				"INSERT INTO person VALUES (1, 'Canary', 1), (2, 'Heron', 2)")
			tx, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.ExecContext(t.Context(), "UPDATE person SET n = 3 WHERE id = 1"); err != nil {
				t.Fatal(err)
			}
			id := addLayer(t, db, "person")
			mustExecWith(t, db, "CALL tunic.pause(?)", id)
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			full := fmt.Sprintf("REPLACE INTO _tunic.progress (job, place, done, expected, owner, beat, error) VALUES (%d, '', 0, 0, REPEAT(CHAR(0), 16), 1, 1114)", id)
			if err := server.Exec(t.Context(), full); err != nil {
				t.Fatal(err)
			}
			schema := textOf(t, db, "SELECT DATABASE()")[0]
			sandboxtest.Damage(t, server, schema, "person")
			for range 2 {
				waittest.Until(t, "the job is resumed", func() bool {
					_, err := db.ExecContext(t.Context(), "CALL tunic.resume(?)", id)
					return err == nil
				})
				stateOf(t, db, id, "failed")
				is(t, "cause", textOf(t, db, "SELECT cause FROM tunic.jobs WHERE id = ?", id), "table_damaged")
			}
			if err := server.Exec(t.Context(), "ALTER TABLE "+schema+".person FORCE"); err != nil {
				t.Fatal(err)
			}
			mustExecWith(t, db, "CALL tunic.resume(?)", id)
			stateOf(t, db, id, "done")
			is(t, "by the layer", textOf(t, db, "SELECT id FROM person WHERE name = 'Heron'"), "2")
		})
	}
}
