package server

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestViewUnderneath: nothing protected takes the place of what a routine of the server's reads, or a
// view that cannot be tunic's: a view of tunic's has no rows there, and a table has stored forms.
func TestViewUnderneath(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			app := through(t, proxy.Addr().String())
			direct := client(t, server.Addr, "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			for _, text := range []string{"CREATE TABLE bare (a VARCHAR(20))", "CREATE VIEW seen AS SELECT a FROM bare", "CREATE FUNCTION shout(a VARCHAR(20)) RETURNS VARCHAR(20) DETERMINISTIC RETURN UPPER(a)", "CREATE VIEW above AS SELECT shout(a) AS a FROM seen", "CREATE PROCEDURE asks() SELECT a FROM told"} {
				if _, err := direct.ExecContext(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			for _, c := range []struct{ text, want string }{
				{"CREATE TABLE person (a VARCHAR(20))", ""},
				{"INSERT INTO person VALUES ('Alice')", ""},
				{"CREATE OR REPLACE VIEW seen AS SELECT a FROM person", "TUNIC-2059: seen cannot get protected columns while view above of the server reads it"},
				{"ALTER VIEW seen AS SELECT a FROM person", "TUNIC-2059"},
				{"DROP VIEW seen", ""},
				{"CREATE VIEW seen AS SELECT a FROM person", "TUNIC-2059"},
				{"CREATE VIEW other AS SELECT a FROM person", ""},
				{"RENAME TABLE other TO seen", "TUNIC-2059"},
				{"RENAME TABLE person TO seen", "TUNIC-2059"},
				{"CREATE TABLE seen (a VARCHAR(20))", "TUNIC-2059"},
				{"CREATE TABLE seen AS SELECT a FROM person", "TUNIC-2059"},
				{"CREATE VIEW told AS SELECT a FROM person", "TUNIC-2061: told cannot get protected columns while procedure asks of the server names it"},
				{"DROP VIEW above", ""},
				{"CREATE VIEW seen AS SELECT a FROM person", ""},
				{"CREATE VIEW above AS SELECT a FROM seen", ""},
				{"CREATE OR REPLACE VIEW seen AS SELECT CONCAT(a, '') AS a FROM person", ""}, // tunic has the other
				{"DROP VIEW seen", ""},
				{"CREATE VIEW seen AS SELECT a FROM person", ""},
			} {
				_, err := app.ExecContext(t.Context(), c.text)
				if got := errorText(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
					t.Errorf("%s: %q, want %q", c.text, got, c.want)
				}
			}
			is(t, "rows of the view over the view", textOf(t, app, "SELECT a FROM above"), "Alice")
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
