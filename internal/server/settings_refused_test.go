package server

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestSettingsRefused: settings of a session by which a server answers otherwise than tunic computes have
// statements over protected tables refused, and nothing else.
func TestSettingsRefused(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			db.SetMaxOpenConns(1)
			mustExec(t, db, "CREATE TABLE c (id INT PRIMARY KEY AUTO_INCREMENT, s CHAR(5) CHARACTER SET utf8mb4 COLLATE "+
				map[sandbox.Flavor]string{sandbox.MariaDB: "utf8mb4_nopad_bin", sandbox.MySQL: "utf8mb4_0900_ai_ci"}[flavor]+", KEY (s))",
				"INSERT INTO c (s) VALUES ('ab')")
			settings := []string{"sql_auto_is_null = 1", "sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'"}
			if flavor == sandbox.MariaDB {
				settings = append(settings, "old_mode = 'ZERO_DATE_TIME_CAST'")
			}
			for _, setting := range settings {
				mustExec(t, db, "SET SESSION "+setting)
				if err := db.QueryRow("SELECT COUNT(*) FROM c WHERE s = 'ab'").Scan(new(int)); err == nil || !strings.Contains(err.Error(), "TUNIC-2001") {
					t.Errorf("with %s the client is told %v", setting, err)
				}
				mustExec(t, db, "SET sql_auto_is_null = 0, sql_mode = DEFAULT", "DO 1")
				if flavor == sandbox.MariaDB {
					mustExec(t, db, "SET old_mode = DEFAULT")
				}
				if got := textOf(t, db, "SELECT s FROM c WHERE s = 'ab'"); len(got) != 1 {
					t.Errorf("after %s: %v", setting, got)
				}
			}
		})
	}
}
