package generate

import (
	"reflect"
	"strings"
	"testing"
)

func TestSameSeedSameWorkload(t *testing.T) {
	for _, shape := range Shapes {
		for seed := range uint64(20) {
			a, b := New(seed, shape, 100), New(seed, shape, 100)
			if !reflect.DeepEqual(a.Statements, b.Statements) {
				t.Errorf("%s: seed %d makes two workloads", shape.Name, seed)
			}
			if len(a.Statements) != 100 {
				t.Errorf("%s: seed %d makes %d statements", shape.Name, seed, len(a.Statements))
			}
		}
		if reflect.DeepEqual(New(1, shape, 100).Statements, New(2, shape, 100).Statements) {
			t.Errorf("%s: two seeds make one workload", shape.Name)
		}
	}
}

// forms are what statements of a shape have somewhere.
var forms = map[string][]string{
	"table": {
		"INSERT INTO", "INSERT IGNORE", "REPLACE", "ON DUPLICATE KEY", "UPDATE t SET", "DELETE FROM", "SELECT *", "GROUP BY",
		"DISTINCT", "HAVING", "LIMIT", "BETWEEN", " IN (", "NOT IN", "LIKE", "IS NULL", "<=>", "SUM(", "AVG(", "MIN(", "COUNT(DISTINCT", "ROLLBACK",
		"ALTER TABLE", "CONCAT(", "UNIQUE KEY", "NOT (", "sql_mode", "?",
	},
	"tables": {
		"LEFT JOIN", "RIGHT JOIN", "CROSS JOIN", "STRAIGHT_JOIN", "USING (pk)", "NATURAL JOIN", "IN (SELECT", "NOT IN (SELECT", "EXISTS (SELECT",
		"NOT EXISTS", "= ANY", "<> ALL", "ALL (SELECT", "(SELECT MIN(", ".pk) IN (SELECT", "WITH d AS", ") d ", "UNION ALL", "UNION SELECT", "INTERSECT", "EXCEPT",
		"PARTITION BY", "ROW_NUMBER()", "LAG(", "INTO t (pk", "REPLACE INTO", "x JOIN", "DELETE x, y", "DELETE x FROM", "DROP COLUMN", "RENAME COLUMN",
		"CREATE INDEX", "DROP INDEX", "RENAME TABLE", "RENAME TO", "TRUNCATE", "?",
	},
}

// TestEveryFormIsDrawn: what is never drawn is never compared.
func TestEveryFormIsDrawn(t *testing.T) {
	for _, shape := range Shapes {
		wanted := forms[shape.Name]
		for _, k := range kinds {
			wanted = append(wanted, k.declared)
		}
		var all strings.Builder
		for seed := range uint64(60) {
			for _, s := range New(seed, shape, 150).Statements {
				all.WriteString(s.SQL + "\n")
				if marks, params := strings.Count(s.SQL, "?"), len(strings.Fields(s.Params)); marks > params {
					t.Errorf("%s: %d parameters", s.SQL, params)
				}
			}
		}
		for _, form := range wanted {
			if !strings.Contains(all.String(), form) {
				t.Errorf("%s: no statement has %s", shape.Name, form)
			}
		}
	}
}
