package server

import (
	"testing"

	"tunic/internal/sandbox"
)

// TestOnRecord: before the server gets the first statement of a connection by which it may come to a plain table, the
// connection is on record in the ledger; and one that comes to none is not.
func TestOnRecord(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			db.SetMaxIdleConns(0) // each statement below is the first of its connection
			mustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY, n INT)")
			if err := server.Exec(t.Context(), "CREATE TABLE test.free (id INT PRIMARY KEY, n INT)"); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				statement string
				known     bool
			}{
				{"SELECT 1", false},
				{"SELECT n FROM kept", false},
				{"SET NAMES utf8mb4", false},
				{"SELECT n FROM free", true},
				{"SELECT free.n FROM free JOIN kept USING (id)", true},
				{"SET @v = (SELECT n FROM free LIMIT 1)", true},
				{"PREPARE s FROM 'SELECT n FROM free'", true},
				{"INSERT INTO free SELECT COUNT(*), 1 FROM information_schema.SCHEMATA", true},
				{"ALTER TABLE free ADD COLUMN m INT", true},
				{"CREATE INDEX by_m ON free (m)", true},
				{"CREATE VIEW shown AS SELECT n FROM free", true},
				{"RENAME TABLE free TO moved", true},
				{"TRUNCATE TABLE moved", true},
				{"DROP TABLE moved", true},
			} {
				conn, err := db.Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := conn.ExecContext(t.Context(), c.statement); err != nil {
					t.Fatalf("%s: %v", c.statement, err)
				}
				var number, rows int
				if err := conn.QueryRowContext(t.Context(), "SELECT CONNECTION_ID()").Scan(&number); err != nil {
					t.Fatal(err)
				}
				root := client(t, server.Addr, "root", "root", nil)
				if err := root.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM _tunic.connection WHERE number = ?", number).Scan(&rows); err != nil || (rows == 1) != c.known {
					t.Errorf("%s: %d rows, %v", c.statement, rows, err)
				}
				_ = conn.Close()
			}
		})
	}
}
