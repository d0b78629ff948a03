package exec

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/wire/wiretest"
)

// treeTypes are types of columns that are joined, compared and united with their like.
var treeTypes = []string{
	"TIMESTAMP", "YEAR", "BIT(9)", "BLOB", "TIME(3)", "DATETIME(6)", "DECIMAL(30,10)", "BIGINT UNSIGNED", "FLOAT", "BINARY(4)",
	"VARBINARY(9)", "SET('a','b')", "ENUM('x','y')", "MEDIUMINT", "TINYINT(1)", "TINYTEXT", "DECIMAL(5,0)", "TIMESTAMP(2)",
}

var treeTypeRows = []string{
	"(1, '2020-01-01 10:00:00', 2020, 5, 'blob', '10:00:00.123', '2020-01-01 10:00:00.123456', 12345678901234567890.0123456789, " +
		"18446744073709551615, 1.5, 'ab', 'ab', 'a', 'x', -5, 1, 'tt', 12345, '2020-01-01 10:00:00.12')",
	"(2, '2021-06-01 00:00:00', 1999, 511, '', '-10:00:00.000', '2021-06-01 00:00:00', 0, 0, -0.0, '', '', '', 'y', 0, 0, '', 0, '2021-06-01 00:00:00')",
	"(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
	"(4, '2020-01-01 10:00:00', 2020, 1, 'BLOB', '00:00:00', '2020-01-01 10:00:00', 1.5, 5, 0.1, 'AB', 'AB', 'a,b', 'x', 5, -1, 'TT', -5, '2020-01-01 10:00:00')",
}

// treeTypeStatements are what is asked of each column, which is called c in them.
var treeTypeStatements = []string{
	"SELECT l.id, r.id, l.c, r.c FROM l JOIN r ON l.c = r.c",
	"SELECT l.id, r.c FROM l LEFT JOIN r ON r.id = l.id + 1",
	"SELECT l.id FROM l JOIN r ON l.c < r.c",
	"SELECT id FROM l WHERE c IN (SELECT c FROM r)",
	"SELECT id FROM l WHERE c NOT IN (SELECT c FROM r WHERE id < 3)",
	"SELECT id, (SELECT c FROM r WHERE r.id = l.id) FROM l",
	"SELECT id FROM l WHERE c = (SELECT MAX(c) FROM r)",
	"SELECT id FROM l WHERE c > (SELECT MIN(c) FROM r)",
	"SELECT id FROM l WHERE c >= ALL (SELECT c FROM r WHERE id <> 3)",
	"SELECT c FROM l UNION SELECT c FROM r",
	"SELECT c FROM l UNION ALL SELECT c FROM r",
	"SELECT d.x FROM (SELECT c AS x FROM l) d",
	"SELECT MAX(d.x) FROM (SELECT c AS x FROM l) d",
	"SELECT d.x FROM (SELECT MAX(c) AS x FROM l) d",
	"SELECT COUNT(DISTINCT l.c) FROM l, r",
	"SELECT l.c, COUNT(*) FROM l, r GROUP BY l.c",
}

// beyondTypes reports whether a statement is refused for a column of a type, or is
// described in a way that nobody can know: the length of a TEXT in a UNION ALL.
func beyondTypes(typ, statement string) bool {
	has := func(what string) bool { return strings.Contains(statement, what) }
	switch typ {
	case "BIT(9)":
		return has("UNION") || has("MAX(") || has("MIN(") || has("(SELECT c FROM r WHERE r.id") || has("c IN (SELECT c FROM r)")
	case "BIGINT UNSIGNED":
		return has("ALL (SELECT")
	case "TINYTEXT":
		return has("UNION ALL")
	}
	return false
}

// TestTreeTypes: columns of all types are joined, compared and united as by a plain
// server, whether they are protected or not.
func TestTreeTypes(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for _, protect := range []string{"sealed", "plain"} {
			t.Run(protect, func(t *testing.T) {
				r := r.another(t)
				columns := []col{{name: "id", typ: "INT", protect: "sealed"}}
				for i, typ := range treeTypes {
					columns = append(columns, col{name: fmt.Sprintf("c%d", i), typ: typ, protect: protect, null: true})
				}
				r.table("l", columns)
				r.table("r", columns)
				p := r.pair(t, wiretest.ClientCaps)
				p.same("INSERT INTO l VALUES " + strings.Join(treeTypeRows, ", "))
				p.same("INSERT INTO r VALUES " + strings.Join(treeTypeRows[:3], ", "))
				for i, typ := range treeTypes {
					column := strings.NewReplacer(" c ", fmt.Sprintf(" c%d ", i), ".c", fmt.Sprintf(".c%d", i), "(c)", fmt.Sprintf("(c%d)", i))
					for _, s := range treeTypeStatements {
						if !beyondTypes(typ, s) {
							p.bag(column.Replace(s))
						}
					}
				}
			})
		}
	})
}
