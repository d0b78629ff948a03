package server

import (
	"testing"

	"tunic/internal/sandbox"
)

// TestReplacedOnlyByWhatMayBe: CREATE OR REPLACE TABLE drops a table before it makes the other. If
// tunic refuses the other, the first stays.
func TestReplacedOnlyByWhatMayBe(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE stays (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO stays VALUES (1, 'old')")
	for _, text := range []string{
		"CREATE OR REPLACE TABLE stays (id INT PRIMARY KEY, name VARCHAR(20) CHARACTER SET big5 COMMENT 'tunic: equality')",
		"CREATE OR REPLACE TABLE stays (id INT PRIMARY KEY, name VARCHAR(20) COMMENT 'tunic: sealed', KEY (name))",
	} {
		failsAs(t, db, 1235, "TUNIC-20", text)
		is(t, text, textOf(t, db, "SELECT id, name FROM stays"), "1 old")
	}
	mustExec(t, db, "CREATE OR REPLACE TABLE stays (id INT PRIMARY KEY, name VARCHAR(30), n INT)", "INSERT INTO stays VALUES (2, 'new', 3)")
	is(t, "of the new table", textOf(t, db, "SELECT id, name, n FROM stays"), "2 new 3")
}
