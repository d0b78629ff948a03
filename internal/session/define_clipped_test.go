package session

import (
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

// TestClippedDefinitions: in a sql_mode in which MariaDB shows definitions in part, protected tables are not defined, and
// plain ones are.
func TestClippedDefinitions(t *testing.T) {
	racetest.InOrder(t)
	a := newAsked(t, value.MariaDB, sandboxtest.MariaDB(t))
	defer told(t, a.tunnel, "DROP TABLE IF EXISTS clipped, clipped_too, clipped_plain")
	told(t, a.tunnel, "CREATE TABLE clipped (id INT PRIMARY KEY, s VARCHAR(20) COMMENT 'tunic: sealed')")
	for _, mode := range []string{"MYSQL40", "MYSQL323", "NO_TABLE_OPTIONS", "NO_FIELD_OPTIONS", "NO_KEY_OPTIONS", "POSTGRESQL"} {
		told(t, a.tunnel, "SET sql_mode = '"+mode+"'")
		for _, statement := range []string{
			"ALTER TABLE clipped ADD z INT",
			"CREATE TABLE clipped_too (id INT PRIMARY KEY, s VARCHAR(20) COMMENT 'tunic: sealed')",
		} {
			if rows := told(t, a.tunnel, statement); len(rows) != 1 || !strings.Contains(rows[0], "TUNIC-2049") {
				t.Errorf("%s: %s: %q", mode, statement, rows)
			}
		}
		for _, statement := range []string{
			"CREATE TABLE clipped_plain (id INT PRIMARY KEY COMMENT 'tunic: plain')", "ALTER TABLE clipped_plain ADD KEY (id)", "DROP TABLE clipped_plain",
		} {
			if rows := told(t, a.tunnel, statement); len(rows) > 0 {
				t.Errorf("%s: %s: %q", mode, statement, rows)
			}
		}
	}
	told(t, a.tunnel, "SET sql_mode = DEFAULT")
	if rows := told(t, a.tunnel, "ALTER TABLE clipped ADD z INT"); len(rows) > 0 {
		t.Errorf("afterwards: %q", rows)
	}
}
