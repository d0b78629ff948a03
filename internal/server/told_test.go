package server

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// TestToldOfChanges: what one tunic has changed another one tells of as soon as the change was
// acknowledged, by each way to ask: types, keys and columns of one time.
func TestToldOfChanges(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			one, _ := serveWith(t, cfg, kek)
			two, _ := serveWith(t, cfg, kek)
			dbs := []*sql.DB{through(t, one.Addr().String()), through(t, two.Addr().String())}
			mustExec(t, dbs[0], "CREATE TABLE told (id INT PRIMARY KEY, c0 INT)")
			prepared, err := dbs[1].Prepare("SHOW COLUMNS FROM told")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = prepared.Close() }()
			for n := 1; n <= 6; n++ {
				typ := []string{"bigint", "date", "varchar(9)"}[n%3]
				mustExec(t, dbs[0], fmt.Sprintf("ALTER TABLE told ADD COLUMN c%d %s, ADD KEY k%d (c%d)", n, typ, n, n))
				ways := map[string]func() (*sql.Rows, error){
					"prepared":          func() (*sql.Rows, error) { return prepared.Query() },
					"SHOW COLUMNS":      func() (*sql.Rows, error) { return dbs[1].Query("SHOW COLUMNS FROM told") },
					"SHOW CREATE TABLE": func() (*sql.Rows, error) { return dbs[1].Query("SHOW CREATE TABLE told") },
					"SHOW INDEX":        func() (*sql.Rows, error) { return dbs[1].Query("SHOW INDEX FROM told") },
					"information_schema": func() (*sql.Rows, error) {
						return dbs[1].Query("SELECT column_name, column_type FROM information_schema.columns WHERE table_name = 'told'")
					},
				}
				// One of them at a time asks right behind the change.
				way := []string{"SHOW COLUMNS", "prepared", "information_schema", "SHOW CREATE TABLE", "SHOW INDEX", "SHOW COLUMNS"}[n-1]
				rows, err := ways[way]()
				if err != nil {
					t.Fatalf("%s: %v", way, err)
				}
				is := strings.Join(linesOf(t, rows), " ")
				want := []string{fmt.Sprintf("c%d", n), typ}
				if way == "SHOW INDEX" {
					want = []string{fmt.Sprintf("k%d", n)}
				}
				for _, w := range want {
					if !strings.Contains(is, w) {
						t.Errorf("%s, change %d: %s is missing in %s", way, n, w, is)
					}
				}
			}
		})
	}
}

// TestDefinitionOutlastsLedger: a definition that comes when the connection of the ledger has just
// broken waits until it is back, as other statements do.
func TestDefinitionOutlastsLedger(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE outlasts (id INT PRIMARY KEY, n INT)", "INSERT INTO outlasts VALUES (1, 2)")
			root := client(t, server.Addr, "root", "root", func(*mysql.Config) {})
			defer func() { _ = root.Close() }()
			for i := range 3 {
				for _, id := range textOf(t, root, "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'tunic_service'") {
					_, _ = root.ExecContext(t.Context(), "KILL "+id) // one may be gone
				}
				time.Sleep(20 * time.Millisecond) // until the server has closed them
				mustExec(t, db, fmt.Sprintf("ALTER TABLE outlasts ADD COLUMN c%d INT", i))
			}
		})
	}
}
