package server

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestRowsAreNotTaken: rows of a protected table are not made those of another one, by which stored forms would be read and
// plain values written. What is of plain tables alone is the server's.
func TestRowsAreNotTaken(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			proxy, _ := serveWith(t, cfg, kek)
			app := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			t.Cleanup(func() { _ = app.Close() })
			mustExec(t, app, "CREATE TABLE kept (id INT NOT NULL, name VARCHAR(20) COMMENT 'tunic: sealed') ENGINE=MyISAM", "INSERT INTO kept VALUES (1, 'a')",
				"CREATE TABLE whole (id INT) ENGINE=MERGE", "CREATE TABLE free (id INT) ENGINE=MyISAM", "CREATE TABLE again (id INT)",
				"CREATE TABLE parts (id INT) PARTITION BY RANGE (id) (PARTITION p VALUES LESS THAN (9))")
			for _, text := range []string{
				"CREATE TABLE m (id INT) ENGINE=MERGE UNION=(kept)", "ALTER TABLE whole UNION=(free, kept)", "ALTER TABLE whole UNION (`test`.`kept`), COMMENT 'x'",
				"ALTER TABLE parts EXCHANGE PARTITION p WITH TABLE kept", "ALTER TABLE parts EXCHANGE PARTITION p WITH TABLE test.kept WITHOUT VALIDATION",
				"CREATE TABLE f (id INT) ENGINE=FEDERATED CONNECTION='mysql://app@127.0.0.1/test/kept'", "ALTER TABLE whole UNION=(_tunic.object)",
			} {
				for _, prepared := range []bool{false, true} {
					if err := called(t, app, text, prepared); err == nil || !strings.Contains(err.Error(), "TUNIC-20") {
						t.Errorf("%s, prepared %t: %v", text, prepared, err)
					}
				}
			}
			mustExec(t, app, "ALTER TABLE whole UNION=(free), INSERT_METHOD=LAST", "INSERT INTO whole VALUES (3)", "ALTER TABLE parts EXCHANGE PARTITION p WITH TABLE again")
			var n int
			if err := app.QueryRowContext(t.Context(), "SELECT id FROM free").Scan(&n); err != nil || n != 3 {
				t.Errorf("of plain tables: %d, %v", n, err)
			}
		})
	}
}
