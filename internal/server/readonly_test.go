package server

import (
	"testing"
	"time"

	"tunic/internal/sandbox"
)

// TestReadOnlyServer: while a server takes no writes, for longer than a lease lasts, protected
// tables are read through tunic, writes are answered with the server's own error, and tunic goes on when it takes them again.
func TestReadOnlyServer(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			only := "super_read_only"
			if flavor == sandbox.MariaDB {
				only = "read_only" // which an account passes that may
				if err := server.Exec(t.Context(), "REVOKE READ ONLY ADMIN ON *.* FROM "+sandbox.ServiceUser); err != nil {
					t.Fatal(err)
				}
			}
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY, n INT)", "INSERT INTO kept VALUES (1, 2)")
			if err := server.Exec(t.Context(), "SET GLOBAL "+only+" = 1"); err != nil {
				t.Fatal(err)
			}
			const longerThanALease = 5 * time.Second
			for end := time.Now().Add(longerThanALease); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				is(t, "rows", textOf(t, db, "SELECT n FROM kept WHERE n = 2"), "2")
				is(t, "columns", textOf(t, db, "SELECT DATA_TYPE FROM information_schema.COLUMNS WHERE TABLE_NAME = 'kept' AND COLUMN_NAME = 'n'"), "int")
				failsAs(t, db, 1290, "", "UPDATE kept SET n = 3 WHERE id = 1")
				failsAs(t, db, 1290, "", "INSERT INTO kept VALUES (2, 3)")
			}
			failsAs(t, db, 1290, "", "CREATE TABLE later (id INT PRIMARY KEY, n INT)")
			failsAs(t, db, 1290, "", "ALTER TABLE kept ADD COLUMN m INT")
			if err := server.Exec(t.Context(), "SET GLOBAL read_only = 0"); err != nil {
				t.Fatal(err)
			}
			mustExec(t, db, "INSERT INTO kept VALUES (2, 3)", "CREATE TABLE later (id INT PRIMARY KEY, n INT)", "INSERT INTO later SELECT id, n FROM kept")
		})
	}
}
