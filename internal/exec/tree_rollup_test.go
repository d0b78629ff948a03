package exec

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/value"
)

// TestRollupOfSeveral: WITH ROLLUP over joined tables, and which row is one of all.
func TestRollupOfSeveral(t *testing.T) {
	m := newShop(t, value.MySQL)
	for statement, want := range map[string]string{
		"SELECT p.id, SUM(b.price) FROM p JOIN b ON b.who = p.id GROUP BY p.id WITH ROLLUP":                                      "1,4.000 3,NULL NULL,4.000",
		"SELECT p.id, b.id, COUNT(*), GROUPING(p.id, b.id) FROM p JOIN b ON b.who = p.id GROUP BY p.id, b.id WITH ROLLUP":        "1,1,1,0 1,2,1,0 1,NULL,2,1 3,3,1,0 3,NULL,1,1 NULL,NULL,3,3",
		"SELECT age, GROUPING(age) FROM p JOIN b ON b.who = p.id GROUP BY age WITH ROLLUP HAVING GROUPING(age) = 1":              "NULL,1",
		"SELECT IF(GROUPING(p.id), 'all', p.id), COUNT(*) FROM p JOIN b ON b.who = p.id GROUP BY p.id WITH ROLLUP":               "1,2 3,1 all,3",
		"SELECT p.age, GROUPING(p.age), COUNT(*) FROM p LEFT JOIN b ON b.who = p.id GROUP BY p.age WITH ROLLUP":                  "NULL,0,1 7,0,1 30,0,3 NULL,1,5",
		"SELECT p.id, ANY_VALUE(p.name), COUNT(*) FROM p JOIN b ON b.who = p.id GROUP BY p.id ORDER BY ANY_VALUE(p.age), p.id":   "1,ann,2 3,cid,1",
		"SELECT ANY_VALUE(p.id) FROM p WHERE p.id > 2 AND EXISTS (SELECT 1 FROM b)":                                              "3 4",
		"SELECT p.age, ANY_VALUE(MAX(b.price)) FROM p JOIN b ON b.who = p.id GROUP BY p.age HAVING ANY_VALUE(p.age) IS NOT NULL": "30,2.500",
	} {
		rows, err := m.query(statement)
		if want := strings.Fields(want); err != nil || !slices.Equal(rows, want) {
			t.Errorf("%s\n%q, %v, want %q", statement, rows, err, want)
		}
	}
}

// TestGroupingOfNoKey: GROUPING of what rows are not grouped by.
func TestGroupingOfNoKey(t *testing.T) {
	m := newShop(t, value.MySQL)
	for _, statement := range []string{
		"SELECT p.id, GROUPING(p.age) FROM p, b GROUP BY p.id, p.age",
		"SELECT p.id, GROUPING(p.id + 1) FROM p, b GROUP BY p.id WITH ROLLUP",
	} {
		if rows, err := m.query(statement); err == nil || !strings.Contains(err.Error(), "TUNIC-2010") {
			t.Errorf("%s: %q, %v", statement, rows, err)
		}
	}
}
