package server

import (
	"database/sql"
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestPreparedOutlivesDefinitions: a prepared statement goes on after its table was
// changed, and says so after it is gone. One of a plain table in whose place there is
// a protected one is planned anew, so that no value of its reaches the server.
func TestPreparedOutlivesDefinitions(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			direct := through(t, server.Addr)
			mustExec(t, direct, "CREATE TABLE turns (id INT PRIMARY KEY, v VARCHAR(20))")
			proxy, _ := serveWith(t, cfg, kek)
			conn, err := through(t, proxy.Addr().String()).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			exec := func(text string) {
				t.Helper()
				if _, err := conn.ExecContext(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			prepare := func(text string) *sql.Stmt {
				t.Helper()
				st, err := conn.PrepareContext(t.Context(), text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				return st
			}
			exec("CREATE TABLE hidden (id INT PRIMARY KEY)")
			_, err = conn.ExecContext(t.Context(), "CREATE TEMPORARY TABLE hidden (id INT AUTO_INCREMENT PRIMARY KEY, v INT COMMENT 'tunic: plain')")
			wantNumber(t, err, 1235)
			exec("CREATE TABLE lives (id INT PRIMARY KEY, v VARCHAR(20), k INT COMMENT 'tunic: equality')")
			insert, read := prepare("INSERT INTO lives (id, v, k) VALUES (?, ?, ?)"), prepare("SELECT v, k + 0 FROM lives WHERE k = ?")
			plain := prepare("INSERT INTO turns VALUES (?, ?)")
			exec("PREPARE textual FROM 'INSERT INTO turns VALUES (3, \"now protected\")'")
			for i, change := range []string{"DO 0", "ALTER TABLE lives ADD COLUMN x INT", "ALTER TABLE lives ADD KEY (k)", "ALTER TABLE lives MODIFY v VARCHAR(30)"} {
				exec(change)
				if _, err := insert.ExecContext(t.Context(), i, "row", i*10); err != nil {
					t.Fatalf("after %s: %v", change, err)
				}
				var v string
				var k int
				if err := read.QueryRowContext(t.Context(), i*10).Scan(&v, &k); err != nil || v != "row" || k != i*10 {
					t.Errorf("after %s: %q, %d, %v", change, v, k, err)
				}
			}
			if _, err := plain.ExecContext(t.Context(), 1, "plain"); err != nil {
				t.Errorf("of a plain table: %v", err)
			}
			exec("DROP TABLE turns")
			exec("CREATE TABLE turns (id INT PRIMARY KEY, v VARCHAR(20))")
			exec("DROP TABLE lives")
			if _, err := plain.ExecContext(t.Context(), 2, "now protected"); err != nil {
				t.Errorf("of a table that is protected now: %v", err)
			}
			var through int
			if err := conn.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM turns WHERE id = 2 AND v = 'now protected'").Scan(&through); err != nil || through != 1 {
				t.Errorf("%d rows are there, %v", through, err)
			}
			if in := storedIn(t, direct, "turns"); in == "" || strings.Contains(in, "now protected") {
				t.Errorf("the server stores %q", in)
			}
			_, err = conn.ExecContext(t.Context(), "EXECUTE textual")
			wantNumber(t, err, 1615)
			_, err = insert.ExecContext(t.Context(), 2, "x", 3)
			wantNumber(t, err, 1146)
		})
	}
}

// storedIn are all bytes of all stored rows of a table.
func storedIn(t *testing.T, direct *sql.DB, table string) string {
	t.Helper()
	return strings.Join(textOf(t, direct, "SELECT * FROM "+table), "\n")
}
