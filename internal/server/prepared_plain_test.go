package server

import (
	"errors"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestPreparedOverPlain: where a plain table with columns of other types takes the name of a protected
// one, a prepared statement tells what is there, or has to be prepared again. A client that keeps
// the definitions of results must not read rows by those of before.
func TestPreparedOverPlain(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			t.Cleanup(func() { _ = db.Close() })
			db.SetMaxOpenConns(2)
			for _, c := range []struct {
				name, swap string
				executed   bool
			}{
				{"renamed", "RENAME TABLE m TO gone, n TO m", true},
				{"renamed before it was executed", "RENAME TABLE m TO gone, n TO m", false},
				{"made anew", "CREATE OR REPLACE TABLE m (id INT PRIMARY KEY COMMENT 'tunic: plain', b FLOAT COMMENT 'tunic: plain')", true},
			} {
				mustExec(t, db, "DROP TABLE IF EXISTS m, n, gone",
					"CREATE TABLE m (id INT PRIMARY KEY COMMENT 'tunic: plain', b INT COMMENT 'tunic: sealed')", "INSERT INTO m VALUES (1, 12)",
					"CREATE TABLE n (id INT PRIMARY KEY COMMENT 'tunic: plain', b FLOAT COMMENT 'tunic: plain')", "INSERT INTO n VALUES (1, 12)")
				if flavor == sandbox.MySQL && c.name == "made anew" {
					continue // there is no such statement
				}
				st, err := db.PrepareContext(t.Context(), "SELECT b FROM m WHERE id = ?")
				if err != nil {
					t.Fatal(err)
				}
				var got float64
				if c.executed {
					if err := st.QueryRowContext(t.Context(), 1).Scan(&got); err != nil || got != 12 {
						t.Fatalf("%s: before: %v, %v", c.name, got, err)
					}
				}
				mustExec(t, db, c.swap)
				if c.name == "made anew" {
					mustExec(t, db, "INSERT INTO m VALUES (1, 12)")
				}
				for range 3 {
					refusal := new(mysql.MySQLError)
					err := st.QueryRowContext(t.Context(), 1).Scan(&got)
					if again := errors.As(err, &refusal) && refusal.Number == 1615; !again && (err != nil || got != 12) {
						t.Errorf("%s: %v, %v, want 12 or error 1615", c.name, got, err)
					}
				}
				_ = st.Close()
			}
		})
	}
}
