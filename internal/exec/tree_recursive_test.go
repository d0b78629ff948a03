package exec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/budget"
	"tunic/internal/value"
)

// newStaff has people under each other, and ways between places.
func newStaff(t testing.TB, flavor value.Flavor) *memory {
	m := newMemory(t, flavor)
	m.table("s", []string{"id int NOT NULL", "boss int", "name varchar(20)", "pay decimal(8,2)", "tiny tinyint"},
		"1,NULL,ann,10.00,100", "2,1,bob,20.00,1", "3,1,cid,30.00,2", "4,2,dan,40.50,3", "5,4,eve,NULL,4", "6,6,fay,1.00,5")
	m.table("w", []string{"a int", "b bigint"}, "1,2", "2,3", "3,1", "3,4", "4,4", "7,8")
	return m
}

// TestRecursive: common table expressions that name themselves.
func TestRecursive(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
		m := newStaff(t, flavor)
		for _, c := range []struct{ statement, rows string }{
			{"WITH RECURSIVE n(i) AS (SELECT id FROM s WHERE id = 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n", "1 2 3 4 5"},
			{"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT n.i, s.name FROM n JOIN s ON s.id = n.i", "1,ann 2,bob 3,cid"},
			{"WITH RECURSIVE t AS (SELECT id, name, 0 AS d FROM s WHERE id = 1 UNION ALL SELECT s.id, s.name, t.d + 1 FROM t JOIN s ON s.boss = t.id) SELECT id, d FROM t", "1,0 2,1 3,1 4,2 5,3"},
			{"WITH RECURSIVE t AS (SELECT id, boss FROM s WHERE id = 5 UNION ALL SELECT s.id, s.boss FROM s, t WHERE s.id = t.boss) SELECT id FROM t", "1 2 4 5"},
			{"WITH RECURSIVE r(p) AS (SELECT 1 UNION SELECT w.b FROM r JOIN w ON w.a = r.p) SELECT p FROM r", "1 2 3 4"},
			{"WITH RECURSIVE r(p) AS (SELECT a FROM w UNION DISTINCT SELECT w.b FROM r JOIN w ON w.a = r.p) SELECT COUNT(*) FROM r", "6"},
			{"WITH RECURSIVE t AS (SELECT id FROM s WHERE id = 2 UNION ALL SELECT s.id FROM s JOIN t ON s.boss = t.id) SELECT x.id, y.id FROM t AS x, t AS y WHERE x.id < y.id", "2,4 2,5 4,5"},
			{"WITH RECURSIVE t AS (SELECT id, pay FROM s WHERE id = 1 UNION ALL SELECT s.id, t.pay + s.pay FROM s JOIN t ON s.boss = t.id) SELECT id, pay FROM t", "1,10.00 2,30.00 3,40.00 4,70.50 5,NULL"},
			{"WITH RECURSIVE t AS (SELECT id FROM s WHERE id = 1 UNION ALL SELECT s.id FROM s JOIN t ON s.boss = t.id), u AS (SELECT MAX(id) AS m FROM t) SELECT m FROM u", "5"},
			{"WITH RECURSIVE a AS (SELECT id FROM s WHERE id < 3 UNION ALL SELECT id + 10 FROM a WHERE id < 20), b AS (SELECT id FROM a WHERE id > 20 UNION ALL SELECT id - 20 FROM b WHERE id > 20) SELECT id FROM b", "1 2 21 22"},
			{"WITH RECURSIVE t AS (SELECT id FROM s WHERE id = 1 UNION ALL SELECT id FROM s WHERE id = 6 UNION ALL SELECT s.id FROM s JOIN t ON s.boss = t.id AND s.id <> t.id) SELECT id FROM t", "1 2 3 4 5 6"},
			{"WITH RECURSIVE t AS (SELECT id FROM s WHERE id = 4 UNION SELECT s.id FROM s JOIN t ON s.boss = t.id UNION SELECT s.boss FROM s JOIN t ON s.id = t.id) SELECT COUNT(*), COUNT(id) FROM t", "6,5"},
			{"WITH RECURSIVE t AS (SELECT id FROM s WHERE id = 1 UNION ALL SELECT s.id FROM t STRAIGHT_JOIN s ON s.boss = t.id) SELECT name FROM s WHERE id NOT IN (SELECT id FROM t)", "fay"},
			{"WITH RECURSIVE t AS (SELECT CAST(name AS CHAR(50)) AS path, id FROM s WHERE id = 1 UNION ALL SELECT CONCAT(t.path, '/', s.name), s.id FROM s JOIN t ON s.boss = t.id) SELECT path FROM t", "ann ann/bob ann/bob/dan ann/bob/dan/eve ann/cid"},
			{"SELECT name FROM s WHERE id IN (WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 2 FROM n WHERE i < 4) SELECT i FROM n)", "ann cid eve"},
			{"SELECT (WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i * 2 FROM n WHERE i < 100) SELECT MAX(i) FROM n), id FROM s WHERE id < 3", "128,1 128,2"},
		} {
			rows, err := m.query(c.statement)
			want := strings.Fields(c.rows)
			slices.Sort(rows)
			slices.Sort(want)
			if err != nil || !slices.Equal(rows, want) {
				t.Errorf("%s\n%q, %v, want %q", c.statement, rows, err, want)
			}
		}
	}
}

// TestRecursiveEnds: what goes on without end is ended as the server does, or by the
// budget, and gives back what it has kept.
func TestRecursiveEnds(t *testing.T) {
	forever := "WITH RECURSIVE n(i, id) AS (SELECT 1, id FROM s WHERE id = 1 UNION ALL SELECT i + 1, id FROM n %s) SELECT COUNT(*) FROM n"
	m := newStaff(t, value.MySQL)
	for where, want := range map[string]string{
		"":               "Recursive query aborted after 1001 iterations",
		"WHERE i < 1001": "Recursive query aborted after 1001 iterations",
		"WHERE i < 1000": "",
		"LIMIT 7":        "",
	} {
		rows, err := m.query(fmt.Sprintf(forever, where))
		switch {
		case want == "" && (err != nil || rows[0] != map[bool]string{true: "7", false: "1000"}[where == "LIMIT 7"]):
			t.Errorf("%s: %q, %v", where, rows, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %q, %v, want %s", where, rows, err, want)
		}
	}
	m = newStaff(t, value.MariaDB)
	if _, err := m.query(fmt.Sprintf(forever, "")); err == nil || !strings.Contains(err.Error(), "TUNIC-2011") {
		t.Errorf("MariaDB ends with some of the rows: %v", err)
	}
	m.engine.options.Local = budget.Budget{Rows: 100}.WithDefaults()
	wide := "WITH RECURSIVE t AS (SELECT id FROM s UNION ALL SELECT s.id FROM s, t) SELECT COUNT(*) FROM t"
	if _, err := m.query(wide); err == nil || !strings.Contains(err.Error(), "TUNIC-2016") {
		t.Errorf("beyond the combinations: %v", err)
	}
	m.engine.options.Local = budget.Budget{Bytes: 100_000}.WithDefaults()
	if _, err := m.query(wide); err == nil || !strings.Contains(err.Error(), "TUNIC-2014") {
		t.Errorf("beyond the bytes: %v", err)
	}
}

// TestRecursiveRefused: values that a server's table of the rows would change, or
// refuse, and forms whose rows no two servers agree on.
func TestRecursiveRefused(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
		m := newStaff(t, flavor)
		for statement, want := range map[string]string{
			"WITH RECURSIVE t AS (SELECT 'a' AS x, id FROM s UNION ALL SELECT CONCAT(x, 'b'), id FROM t WHERE LENGTH(x) < 5) SELECT x FROM t": "TUNIC-2011",
			"WITH RECURSIVE t AS (SELECT tiny AS x FROM s UNION ALL SELECT x + 20 FROM t WHERE x < 125) SELECT x FROM t":                      "TUNIC-2011",
			"WITH RECURSIVE t AS (SELECT pay AS x FROM s UNION ALL SELECT x / 3 FROM t WHERE x > 1) SELECT x FROM t":                          "TUNIC-2010",
			"WITH RECURSIVE t AS (SELECT NULL AS x FROM s UNION ALL SELECT 1 FROM t WHERE x IS NULL) SELECT x FROM t":                         "TUNIC-2010",
			"WITH RECURSIVE t AS (SELECT id AS x FROM s UNION ALL SELECT 'x' FROM t WHERE x IS NULL) SELECT x FROM t":                         "TUNIC-2010",
			"WITH RECURSIVE t AS (SELECT id + 0 AS x FROM s UNION ALL SELECT name FROM s, t) SELECT x FROM t":                                 "TUNIC-2010",
			"WITH RECURSIVE t AS (SELECT 1 AS x, id FROM s UNION ALL SELECT x * 1000, id FROM t WHERE x < 5000000000) SELECT x FROM t":        "TUNIC-2011",
		} {
			if rows, err := m.query(statement); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q, %v, want %s", statement, rows, err, want)
			}
		}
	}
}
