package server

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestJobsByFewPrivileges: layers come and go by a service account that has the privileges
// of docs/operating.md and no more, while a client keeps a transaction open, which finds
// what it sees all along.
func TestJobsByFewPrivileges(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			err := server.Exec(t.Context(), "CREATE USER few IDENTIFIED BY 'few'", "GRANT ALL ON `_tunic`.* TO few",
				"GRANT SELECT, INSERT, UPDATE, CREATE, ALTER, DROP, SHOW VIEW ON test.* TO few")
			if err != nil {
				t.Fatal(err)
			}
			cfg.Service.User, cfg.Service.Password = "few", config.NewSecret("few")
			proxy, _ := serveWith(t, cfg, kek)
			db, other := through(t, proxy.Addr().String()), through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))",
				"INSERT INTO person VALUES (1, 'Canary'), (2, 'Finch')")
			open, err := other.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = open.Close() }()
			if _, err := open.ExecContext(t.Context(), "START TRANSACTION WITH CONSISTENT SNAPSHOT"); err != nil {
				t.Fatal(err)
			}

			stateOf(t, db, addLayer(t, db, "person"), "done")
			is(t, "the layer", textOf(t, db, "SELECT layer, state FROM tunic.layers"), "equality ready")
			is(t, "by the layer", textOf(t, db, "SELECT id FROM person WHERE name = 'Finch'"), "2")
			var id int
			err = open.QueryRowContext(t.Context(), "SELECT id FROM person WHERE name = 'Finch'").Scan(&id)
			said, _ := errors.AsType[*mysql.MySQLError](err)
			anew := said != nil && said.Number == 1412 // to the server it is another table now
			if !anew && (err != nil || id != 2) {
				t.Errorf("in the transaction: %d, %v", id, err)
			}
			if _, err := open.ExecContext(t.Context(), "COMMIT"); err != nil {
				t.Fatal(err)
			}
			done, err := db.ExecContext(t.Context(), "CALL tunic.drop_layer('person', 'name', 'equality')")
			if err != nil {
				t.Fatal(err)
			}
			job, _ := done.LastInsertId()
			stateOf(t, db, job, "done")
			is(t, "no layers", textOf(t, db, "SELECT layer FROM tunic.layers"))
			_, err = db.ExecContext(t.Context(), "SELECT nosuch(name) FROM person")
			if err == nil || !strings.Contains(err.Error(), "TUNIC-2010: a stored function, or one that the server does not have,") {
				t.Errorf("a function that there is not: %v", err)
			}
		})
	}
}
