package server

import (
	"database/sql"
	"slices"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// elsewhereShapes are statements that are prepared in one schema and executed in another, which has a
// table of the same name.
var elsewhereShapes = []string{
	"INSERT INTO t VALUES (3, 30, 'three')",
	"INSERT INTO t VALUES (1, 30, 'again') ON DUPLICATE KEY UPDATE x = x + 1, s = CONCAT(s, '+')",
	"INSERT INTO t SELECT id + 100, x, s FROM t",
	"REPLACE INTO t VALUES (2, 2, 'put')",
	"UPDATE t SET s = CONCAT(s, '!') WHERE x < 25",
	"UPDATE t SET x = 5 WHERE id = 2",
	"UPDATE t SET x = x * 2 WHERE id IN (1, 2)",
	"UPDATE t, other.t AS o SET t.s = CONCAT(o.s, t.s) WHERE t.id = o.id",
	"DELETE FROM t WHERE x + 0 = 10",
	"DELETE FROM t",
}

// TestPreparedElsewhere: a prepared statement means the tables of the schema that it was prepared in,
// whatever USE has made the current one, and whether they have another definition since or not.
func TestPreparedElsewhere(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			mustExec(t, db, "CREATE DATABASE other")
			for _, shape := range elsewhereShapes {
				want := elsewhere(t, db, shape)
				if got := elsewhere(t, db, shape, "USE other"); !slices.Equal(got, want) {
					t.Errorf("%s: behind USE there is %v, want %v", shape, got, want)
				}
				if got := elsewhere(t, db, shape, "USE other", "ALTER TABLE test.t ADD KEY (x)"); !slices.Equal(got, want) {
					t.Errorf("%s: behind USE and a definition there is %v, want %v", shape, got, want)
				}
			}
		})
	}
}

// elsewhere prepares a statement, runs others, executes it, and returns what is stored in both schemas.
func elsewhere(t *testing.T, db *sql.DB, shape string, before ...string) (all []string) {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	run := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			if _, err := conn.ExecContext(t.Context(), text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
	}
	for _, schema := range []string{"test", "other"} {
		run("DROP TABLE IF EXISTS "+schema+".t", "CREATE TABLE "+schema+".t (id INT PRIMARY KEY, x INT, s VARCHAR(20))",
			"INSERT INTO "+schema+".t VALUES (1, 10, 'a'), (2, 20, 'b')")
	}
	run("USE test", "UPDATE other.t SET s = 'others'")
	st, err := conn.PrepareContext(t.Context(), shape)
	if err != nil {
		t.Fatalf("%s: %v", shape, err)
	}
	defer st.Close()
	run(before...)
	if _, err := st.ExecContext(t.Context()); err != nil {
		return []string{err.Error()}
	}
	all = append(all, textOf(t, db, "SELECT CONCAT_WS(':', id, x, s) FROM test.t ORDER BY id")...)
	return append(all, textOf(t, db, "SELECT CONCAT_WS(':', 'other', id, x, s) FROM other.t ORDER BY id")...)
}
