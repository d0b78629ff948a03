package ddl

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
)

// TestTouchesOwn: whatever names tunic's own schema is refused, by a statement's names or by the current one.
func TestTouchesOwn(t *testing.T) {
	for statement, own := range map[string]bool{
		"CREATE TABLE t (a INT)": false, "CREATE TABLE _tunic.t (a INT)": true, "CREATE TABLE t LIKE _TUNIC.t_1": true,
		"RENAME TABLE t TO _tunic.t": true, "RENAME TABLE t TO u": false, "DROP TABLE t, _tunic.job": true,
		"DROP DATABASE _tunic": true, "DROP DATABASE shop": false, "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES _tunic.t_1 (a)": true,
	} {
		stmt := parse(t, statement, 0).Root()
		if err := touchesOwn("shop", stmt); (err != nil) != own {
			t.Errorf("%s: %v", statement, err)
		}
		if err := touchesOwn(catalog.Schema, stmt); err == nil && own {
			t.Errorf("%s in tunic's own schema", statement)
		}
	}
	if err := touchesOwn("_Tunic", parse(t, "DROP TABLE t", 0).Root()); !errors.Is(err, sqlerr.OwnSchema()) {
		t.Errorf("by the current schema: %v", err)
	}
}
