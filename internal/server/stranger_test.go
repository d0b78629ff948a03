package server

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/sandbox"
)

// TestStrangers: a table with the mark of a stored one that the ledger does not know is nobody's plain table, whatever the
// policy says, from the next start on; one without the mark is.
func TestStrangers(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			root := client(t, server.Addr, "root", "root", nil)
			t.Cleanup(func() { _ = root.Close() })
			proxy, stop := serveWith(t, cfg, kek)
			mustExec(t, through(t, proxy.Addr().String()), "CREATE TABLE kept (id INT PRIMARY KEY, v INT COMMENT 'tunic: sealed')")
			stop()
			mustExec(t, root, "CREATE TABLE test.stray LIKE test.kept", "CREATE TABLE test.free (id INT PRIMARY KEY) COMMENT 'tunic is nice here'")
			proxy, _ = serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			t.Cleanup(func() { _ = db.Close() })
			mustExec(t, db, "INSERT INTO kept VALUES (1, 2)", "INSERT INTO free VALUES (1)")
			for _, text := range []string{"SELECT * FROM stray", "INSERT INTO stray (id, v) VALUES (1, 2)", "SELECT * FROM kept JOIN stray USING (id)", "INSERT INTO free SELECT id FROM stray"} {
				if err := doneBy(db.ExecContext(t.Context(), text)); err == nil || !strings.Contains(err.Error(), "TUNIC-") {
					t.Errorf("%s: %v", text, err)
				}
			}
			st, err := db.PrepareContext(t.Context(), "INSERT INTO stray (id, v) VALUES (?, ?)")
			if err == nil {
				err = doneBy(st.ExecContext(t.Context(), 1, 2))
			}
			if err == nil || !strings.Contains(err.Error(), "TUNIC-") {
				t.Errorf("prepared: %v", err)
			}
		})
	}
}
