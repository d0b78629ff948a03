package server

import (
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

func TestProbe(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			app := through(t, proxy.Addr().String())
			direct := client(t, server.Addr, "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			_ = direct
			for _, q := range []string{
				"CREATE TABLE person (a VARCHAR(20), city VARCHAR(20), n INT, m INT)", "INSERT INTO person VALUES ('Alice','Rome',3,4),('Bob','Oslo',4,4)",
				"CREATE VIEW b AS SELECT 1 AS a, 1 AS city, 1 AS n", "CREATE VIEW a AS SELECT a, city FROM b WHERE city = 'Rome' AND n > 2", "CREATE VIEW aa AS SELECT a AS x, CONCAT(a, '-') AS y FROM a WITH CASCADED CHECK OPTION", "DROP VIEW b",
				"CREATE VIEW b AS SELECT a, city, n FROM person",
				"SELECT a FROM a", "SELECT y FROM aa", "SHOW CREATE VIEW a", "SHOW CREATE VIEW aa",
				"CREATE VIEW p AS SELECT 1 AS a, 1 AS city, 1 AS n", "CREATE VIEW o AS SELECT a, city FROM p WHERE city = 'Rome' AND n > 2", "CREATE VIEW oo AS SELECT a AS x, CONCAT(a, '-') AS y FROM o",
				"CREATE OR REPLACE VIEW p AS SELECT a, city, n FROM person",
				"SELECT a FROM o", "SELECT y FROM oo",
				"CREATE TABLE late (a VARCHAR(20), m INT)",
				"CREATE VIEW l AS SELECT a FROM late WHERE m = 0x34",
				"DROP TABLE late",
				"CREATE TABLE late (a VARCHAR(20), m INT)", "INSERT INTO late VALUES ('x', 0x34)", "SELECT a FROM l",
			} {
				rows, err := app.QueryContext(t.Context(), q)
				n := 0
				if err == nil {
					for rows.Next() {
						n++
						cols, _ := rows.Columns()
						v := make([]any, len(cols))
						for i := range v {
							v[i] = new(any)
						}
						_ = rows.Scan(v...)
						for i := range v {
							w := *(v[i].(*any))
							if b, ok := w.([]byte); ok {
								w = string(b)
							}
							t.Log(w)
						}
					}
					err = rows.Err()
					rows.Close()
				}
				t.Logf("%s: %d rows, %v", q, n, err)
			}
		})
	}
}
