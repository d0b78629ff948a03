package server

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sqlerr"
)

// narrowly tests with a service account that has the privileges of docs/operating.md for schema test, and, where it
// sees all programs, those for that; clients have a schema other as well.
func narrowly(t *testing.T, sees bool, test func(t *testing.T, root *sql.DB, cfg *config.Config, kek *keys.KEK)) {
	t.Helper()
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			root := client(t, server.Addr, "root", "root", func(*mysql.Config) {})
			t.Cleanup(func() { _ = root.Close() })
			exec := func(statement string) { mustExec(t, root, statement) }
			sandboxtest.Narrow(t, exec, "narrow", "test")
			if sees {
				sandboxtest.Seeing(t, exec, flavor == sandbox.MySQL, "narrow")
			}
			mustExec(t, root, "CREATE DATABASE other")
			cfg.Service.User, cfg.Service.Password = "narrow", config.NewSecret("narrow")
			test(t, root, cfg, kek)
		})
	}
}

// givesUnseen are definitions that give something protected a name where the service account does not find it again.
var givesUnseen = []string{
	"RENAME TABLE q TO other.q", "ALTER TABLE q RENAME other.q",
	"RENAME TABLE q TO q2, q2 TO other.q", "RENAME TABLE q TO other.q, other.y TO q", "RENAME TABLE other.y TO other.z, q TO other.y",
	"CREATE VIEW other.vw AS SELECT id, name FROM test.q", "CREATE OR REPLACE VIEW other.vw AS SELECT id, name FROM test.q",
	"CREATE TABLE other.like_q LIKE q", "CREATE TABLE other.of_q SELECT * FROM q",
}

// TestUnseenName: a definition is refused that gives something protected a name where the service account would not find it
// again. Nothing has changed then, for other statements and for the next start.
func TestUnseenName(t *testing.T) {
	racetest.InOrder(t)
	for name, sees := range map[string]bool{"narrow": false, "that sees programs": true} {
		t.Run(name, func(t *testing.T) {
			narrowly(t, sees, func(t *testing.T, root *sql.DB, cfg *config.Config, kek *keys.KEK) {
				proxy, stop := serveWith(t, cfg, kek)
				db := through(t, proxy.Addr().String())
				mustExec(t, db, "CREATE TABLE q (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))", "INSERT INTO q VALUES (1, 'Canary')")
				mustExec(t, root, "CREATE TABLE other.y (id INT)")
				before := strings.Join(textOf(t, root, "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME, TABLE_COMMENT) FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('test', 'other') ORDER BY 1"), " ")
				for _, text := range givesUnseen {
					err := doneBy(db.ExecContext(t.Context(), text))
					if said, _ := errors.AsType[*mysql.MySQLError](err); said == nil || !strings.HasPrefix(said.Message, sqlerr.AccountBlind("").Code.String()) {
						t.Errorf("%s: %v", text, err)
					}
					is(t, text, textOf(t, db, "SELECT name FROM q"), "Canary")
				}
				after := strings.Join(textOf(t, root, "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME, TABLE_COMMENT) FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('test', 'other') ORDER BY 1"), " ")
				if before != after {
					t.Errorf("at the server were %s, and are %s", before, after)
				}
				stop()
				proxy, _ = serveKnown(t, cfg, kek)
				is(t, "after a restart", textOf(t, through(t, proxy.Addr().String()), "SELECT name FROM q"), "Canary")
			})
		})
	}
}
