package exec

import (
	"strings"
	"testing"

	"tunic/internal/value"
)

// TestZeroDateAsNull: servers find the zero date of a NOT NULL column with IS NULL, at some places in a
// statement. Where one is met the statement is refused; all other dates are what they are.
func TestZeroDateAsNull(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
		m := newMemory(t, flavor)
		m.table("z", []string{"id int NOT NULL", "d datetime NOT NULL", "e date NOT NULL", "n date"},
			"1,0000-00-00 00:00:00,0000-00-00,0000-00-00", "2,2020-01-01 00:00:00,2020-01-01,NULL")
		m.table("f", []string{"id int NOT NULL", "d datetime NOT NULL"}, "1,2020-01-01 00:00:00", "2,2020-01-01 00:00:00")
		for _, s := range []string{
			"SELECT id FROM (SELECT * FROM z) x WHERE d IS NULL",
			"SELECT id FROM (SELECT * FROM z) x WHERE e IS NULL",
			"SELECT id FROM (SELECT * FROM z) x WHERE ISNULL(d)",
			"SELECT id FROM (SELECT * FROM z) x WHERE NOT (d IS NOT NULL)",
			"SELECT id FROM (SELECT * FROM z) x WHERE NOT (d IS NOT NULL OR id = 5)",
			"SELECT id, d FROM (SELECT * FROM z) x HAVING d IS NULL",
			"SELECT f.id FROM f LEFT JOIN (SELECT * FROM z) x ON f.id = x.id WHERE x.d IS NULL",
			"SELECT id FROM (SELECT f.id, z.d FROM f LEFT JOIN z ON f.id = z.id) x WHERE d IS NULL",
			"SELECT f.id FROM f LEFT JOIN z ON f.id = z.id WHERE ISNULL(z.d)",
			"WITH c AS (SELECT * FROM z) SELECT id FROM c WHERE d IS NULL",
			"SELECT id FROM f WHERE EXISTS (SELECT 1 FROM (SELECT * FROM z) x WHERE d IS NULL)",
			"SELECT id FROM (SELECT * FROM z UNION SELECT * FROM z) x WHERE d IS NULL",
			"SELECT id FROM z WHERE (SELECT d) IS NULL",
			"SELECT id FROM (SELECT DISTINCT 'one', 'two', 'three', f.id, z.d FROM f LEFT JOIN z ON f.id = z.id) x WHERE d IS NULL",
		} {
			if rows, err := m.query(s); err == nil || !strings.Contains(err.Error(), "TUNIC-2011") {
				t.Errorf("%s: %q, %v", s, rows, err)
			}
		}
		for s, want := range map[string]string{
			"SELECT x.w FROM (SELECT DISTINCT id, 'one' AS a, 'two' AS b, 'three' AS c, 'twice' AS w FROM f) x": "twice twice",
			"SELECT id FROM (SELECT * FROM z) x WHERE n IS NULL":                                                "2",
			"SELECT id FROM (SELECT * FROM z) x WHERE d IS NOT NULL":                                            "1 2",
			"SELECT f.id FROM f LEFT JOIN (SELECT * FROM z) x ON f.id < x.id WHERE x.d IS NULL":                 "2",
		} {
			if rows, err := m.query(s); err != nil || strings.Join(rows, " ") != want {
				t.Errorf("%s: %q, %v", s, rows, err)
			}
		}
	}
}
