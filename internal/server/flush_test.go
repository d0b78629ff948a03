package server

import (
	"testing"
	"time"

	"tunic/internal/sandbox"
)

// TestReadLockOnAllTables: who has FLUSH TABLES WITH READ LOCK, as a backup has, asks and reads
// through tunic for longer than a lease lasts, and tunic goes on when it is given back.
func TestReadLockOnAllTables(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			if err := server.Exec(t.Context(), "GRANT RELOAD ON *.* TO app"); err != nil {
				t.Fatal(err)
			}
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY, n INT)", "INSERT INTO kept VALUES (1, 2)")
			if err := server.Exec(t.Context(), "CREATE TABLE test.free (id INT PRIMARY KEY, n INT)", "INSERT INTO test.free VALUES (1, 2)"); err != nil {
				t.Fatal(err)
			}
			conn, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if _, err := conn.ExecContext(t.Context(), "FLUSH TABLES WITH READ LOCK"); err != nil {
				t.Fatal(err)
			}
			const longerThanALease = 4 * time.Second
			for end := time.Now().Add(longerThanALease); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				for _, query := range []string{
					"SHOW CREATE TABLE kept", "SHOW COLUMNS FROM kept", "SELECT n FROM kept WHERE n = 2", "SHOW CREATE TABLE free",
					"SELECT n FROM free", "SELECT kept.n FROM kept JOIN free USING (n)",
				} {
					rows, err := conn.QueryContext(t.Context(), query)
					if err != nil {
						t.Fatalf("%s: %v", query, err)
					}
					if !rows.Next() {
						t.Errorf("%s: no row, %v", query, rows.Err())
					}
					_ = rows.Close()
				}
			}
			if _, err := conn.ExecContext(t.Context(), "UNLOCK TABLES"); err != nil {
				t.Fatal(err)
			}
			mustExec(t, db, "INSERT INTO kept VALUES (2, 3)", "CREATE TABLE later (id INT PRIMARY KEY, n INT)", "INSERT INTO later SELECT id, n FROM kept")
		})
	}
}
