package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/support"
	"tunic/internal/resolve"
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

// valueless are kinds that name a table and neither return nor take values of its rows, or are asked for
// their tables in another way: definitions and locks have them in the plan's action, what cannot be read
// in its guesses, and a text that is prepared is planned by itself.
var valueless = []string{
	"unknown", "IMPORT TABLE", "DESCRIBE", "CREATE TABLE", "DROP TABLE", "TRUNCATE TABLE", "DROP INDEX", "LOCK TABLES", "PREPARE", "EXECUTE IMMEDIATE",
	"SHOW COLUMNS", "SHOW INDEX", "SHOW CREATE TABLE", "GRANT", "ANALYZE TABLE", "CHECK TABLE", "OPTIMIZE TABLE", "REPAIR TABLE",
	"CACHE INDEX", "LOAD INDEX", "FLUSH",
}

// TestKindsTellTables: a statement of whatever kind that may read or write rows of a table is known to name it,
// so that a table that a rule guards is not reached by a kind that nobody has thought of.
func TestKindsTellTables(t *testing.T) {
	c := catalog.New(false)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	names := regexp.MustCompile(`\bt\b`)
	looked := 0
	for _, row := range support.Rows() {
		if !names.MatchString(row.Example) || slices.Contains(valueless, row.Kind.String()) {
			continue
		}
		looked++
		for _, m := range []sql.Modes{0, sql.MariaDB} {
			var fp sql.Fingerprinter
			got := p.Plan(&fp, []byte(row.Example), m, "shop")
			if !slices.Contains(got.Names, resolve.Name{Schema: "shop", Table: "t"}) && !slices.Contains(got.Words(), "t") {
				t.Errorf("%s: the names are %v, the words %v: t is not told (mayHoldQuery, namesBehind)", row.Example, got.Names, got.Words())
			}
		}
	}
	if looked < 20 {
		t.Errorf("%d examples name a table", looked)
	}
}

// TestKindsDefine: a statement of whatever kind that makes or changes a table or a schema is planned as a definition
// also where it names nothing protected: what it makes may have to be. A view is of what there is.
func TestKindsDefine(t *testing.T) {
	c := catalog.New(false)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	begins := regexp.MustCompile(`^(CREATE|ALTER|DROP|RENAME|TRUNCATE) `)
	looked := 0
	for _, row := range support.Rows() {
		if row.Class != support.Plan || !begins.MatchString(row.Example) || strings.HasSuffix(row.Kind.String(), " VIEW") {
			continue
		}
		looked++
		for _, m := range []sql.Modes{0, sql.MariaDB} {
			var fp sql.Fingerprinter
			if got := p.Plan(&fp, []byte(row.Example), m, "shop"); !Is[*Define](got) {
				t.Errorf("%s: %s (defines)", row.Example, got.ActionName())
			}
		}
	}
	if looked < 10 {
		t.Errorf("%d examples define something", looked)
	}
}
