package shape

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/sql/ast"
)

// TestRealTables: a name is that of a table unless a common table expression with it is to be seen where it stands.
func TestRealTables(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT * FROM a, d.b WHERE x IN (SELECT y FROM c)":                            "a d.b c",
		"WITH a AS (SELECT 1) SELECT * FROM a, d.a":                                    "d.a",
		"WITH a AS (SELECT 1) SELECT * FROM A":                                         "A, MariaDB:",
		"WITH É AS (SELECT 1) SELECT * FROM é":                                         "é",
		"WITH a AS (SELECT * FROM a) SELECT * FROM a":                                  "a",
		"WITH RECURSIVE a AS (SELECT 1 UNION SELECT x FROM a) SELECT * FROM a":         "",
		"WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM b":                 "",
		"WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a":                 "b",
		"WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a":       "b, MariaDB:",
		"SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) x, a":                    "a",
		"WITH a AS (SELECT 1) SELECT (WITH b AS (SELECT * FROM a) SELECT 1 FROM b, a)": "",
		"WITH a AS (SELECT 1) SELECT 1 FROM a UNION SELECT 2 FROM a":                   "",
		"INSERT INTO a (x) WITH a AS (SELECT 1) SELECT * FROM a":                       "a",
		"WITH a AS (SELECT 1) UPDATE a SET x = 1":                                      "a",
		"WITH a AS (SELECT 1) UPDATE b JOIN a ON a.x = b.x SET b.x = 1":                "b",
		"SELECT (WITH c AS (SELECT 1 FROM a) VALUES ROW((SELECT x FROM c)))":           "a",
		"INSERT INTO b (x) WITH c AS (SELECT 1 FROM a) VALUES ROW(1)":                  "b a",
		"WITH a AS (SELECT 1) DELETE FROM a WHERE x IN (SELECT * FROM a)":              "a",
	} {
		mysql, mariadb, both := strings.Cut(want, ", MariaDB:")
		if !both {
			mariadb = mysql
		}
		root := parsed(t, text)
		for sight, want := range map[Sight]string{{}: mysql, {Mutual: true, Folds: true}: mariadb} {
			if got := told(RealTables(sight, root)); got != want {
				t.Errorf("%s, by %+v: %q, want %q", text, sight, got, want)
			}
		}
	}
}

// told are names but the table that the parser makes of a query without FROM.
func told(names []ast.TableName) string {
	var all []string
	for _, n := range names {
		if !IsDual(n) {
			all = append(all, strings.TrimPrefix(fmt.Sprintf("%s.%s", n.Qualifier, n.Name), "."))
		}
	}
	return strings.Join(all, " ")
}
