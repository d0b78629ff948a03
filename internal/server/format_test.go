package server

import (
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestFormatsAreDescribed: MariaDB reads the format of TO_CHAR when it prepares a statement, the one that tunic has described
// by it as well; the format's own words are not in that.
func TestFormatsAreDescribed(t *testing.T) {
	racetest.InOrder(t)
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Policy.Default = config.PolicyPlain
	proxy, _ := serveWith(t, cfg, kek)
	app := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
	t.Cleanup(func() { _ = app.Close() })
	mustExec(t, app, "CREATE TABLE event (day DATE, name VARCHAR(20) COMMENT 'tunic: sealed')", "INSERT INTO event VALUES ('2024-02-29', 'a')")
	for text, want := range map[string]string{
		"SELECT TO_CHAR(day, 'YYYY') FROM event":                                           "2024",
		"SELECT TO_CHAR(day, 'DD.MM.YYYY \"of it\"') FROM event":                           "29.02.2024 of it",
		"SELECT name FROM event WHERE TO_CHAR(day, 'YYYY') = '2024'":                       "a",
		"SELECT name FROM event ORDER BY TO_CHAR(day, 'HH24:MI')":                          "a",
		"SELECT TO_CHAR(day, CONCAT('Y', 'Y')) FROM event WHERE TO_CHAR(day, 'MM') = '02'": "24",
	} {
		var got string
		if err := app.QueryRowContext(t.Context(), text).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	_, err := app.ExecContext(t.Context(), "SELECT TO_CHAR(day, 'YYYY of it') FROM event")
	wantNumber(t, err, 3047)
}
