package plan

import (
	"fmt"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/sql"
)

// TestNamed: of a statement that is forwarded the tables are known, because one that
// is not there might have been meant to be protected.
func TestNamed(t *testing.T) {
	c := catalog.New(false)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for statement, want := range map[string]string{
		"SELECT * FROM a WHERE x = 'secret'":                     "[{shop a}]",
		"SELECT * FROM b.a JOIN c USING (id)":                    "[{b a} {shop c}]",
		"INSERT INTO a SELECT * FROM b":                          "[{shop a} {shop b}]",
		"EXPLAIN INSERT INTO a VALUES ('secret')":                "[{shop a}]",
		"EXPLAIN FORMAT=JSON SELECT * FROM a WHERE x = 'secret'": "[{shop a}]",
		"DESCRIBE a": "[]",
		"WITH c AS (SELECT * FROM a) SELECT * FROM c, B.c":                     "[{shop a} {B c}]",
		"WITH RECURSIVE c AS (SELECT 1 UNION SELECT 2 FROM C) SELECT * FROM c": "[]",
		"DELETE FROM a WHERE id IN (SELECT id FROM mysql.user, dual)":          "[{shop a}]",
		"SELECT * FROM information_schema.columns WHERE table_name = 'x'":      "[]",
		"SELECT 1; UPDATE a SET x = 'secret'":                                  "[{shop a}]",
	} {
		var fp sql.Fingerprinter
		if got := fmt.Sprint(p.Plan(&fp, []byte(statement), 0, "shop").Names); got != want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}
