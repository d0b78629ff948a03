package exec

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/value"
	"tunic/internal/wire/wiretest"
)

// TestLocalEnds: however local work ends, the session goes on: beyond a budget, with
// rows left that nobody wants, and at a value that tunic has not stored.
func TestLocalEnds(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.people("sealed")
		p := r.pair(t, wiretest.ClientCaps)
		p.same("INSERT INTO people VALUES " + strings.Join(localRows, ", "))
		goesOn := func() {
			t.Helper()
			p.same("SELECT id, name FROM people WHERE id = 1")
		}
		refused := func(statement, code string) {
			t.Helper()
			_, err := p.tunnel.Query(statement)
			if err == nil || !strings.Contains(err.Error(), code) {
				t.Errorf("%s: %v, want %s", statement, err, code)
			}
			goesOn()
		}

		r.engine.options.Local = budget.Budget{Rows: 5}.WithDefaults()
		refused("SELECT id FROM people WHERE name LIKE '%'", "TUNIC-2013")
		refused("SELECT id FROM people ORDER BY name", "TUNIC-2013")
		refused("SELECT SUM(age) FROM people", "TUNIC-2013")
		for _, statement := range []string{"SELECT id FROM people WHERE name LIKE '%' LIMIT 2", "SELECT id FROM people WHERE name LIKE '%' LIMIT 0"} {
			sets, err := p.tunnel.Query(statement)
			if err != nil || len(sets) != 1 || len(sets[0].Rows) != int(statement[len(statement)-1]-'0') {
				t.Errorf("%s: %v, %v", statement, sets, err)
			}
			goesOn()
		}
		p.same("SELECT SUM(age) FROM people WHERE id <= 5")
		_, prepared := p.prepare("SELECT id FROM people WHERE name LIKE ?")
		if _, err := execute(p.tunnel, prepared, 0, str("%")); err == nil || !strings.Contains(err.Error(), "TUNIC-2013") {
			t.Errorf("prepared: %v", err)
		}
		goesOn()
		r.engine.options.Local = budget.Budget{Bytes: 500}.WithDefaults()
		refused("SELECT id FROM people ORDER BY name", "TUNIC-2014")
		r.engine.options.Local = budget.Budget{TotalBytes: 500}.WithDefaults()
		refused("SELECT id FROM people ORDER BY name", "TUNIC-2015")
		r.engine.options.Local = budget.Budget{}.WithDefaults()
		if n := r.engine.reserved.Load(); n != 0 {
			t.Errorf("%d bytes are still reserved", n)
		}

		p.same("SET sql_select_limit = 2")
		refused("SELECT id FROM people WHERE name LIKE '%'", "TUNIC-2001")
		p.same("SET sql_select_limit = DEFAULT")
		p.same("SELECT id FROM people WHERE name LIKE '%' ORDER BY name, id")

		r.exec("UPDATE shop.people SET " + r.stored("name") + " = 'no sealed form of a value at all' WHERE id = 7")
		refused("SELECT id FROM people WHERE LENGTH(name) > 0", "TUNIC-7001")
		refused("SELECT COUNT(DISTINCT name) FROM people", "TUNIC-7001")
		if n := r.alarms.Value(); n != 2 {
			t.Errorf("%d alarms", n)
		}
	})
}

// TestReturnedBudget: rows of an upsert that are kept to be returned are within the budget,
// and where they are not nothing is written.
func TestReturnedBudget(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		if r.flavor != value.MariaDB {
			t.Skip("MySQL has no RETURNING")
		}
		r.table("t", []col{{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: "VARCHAR(300)", protect: "sealed", null: true}}, primary("id"))
		p := r.pair(t, wiretest.ClientCaps)
		upsert := func(rows int) string {
			all, text := make([]string, rows), strings.Repeat("v", 300)
			for i := range all {
				all[i] = fmt.Sprintf("(%d, '%s')", i, text)
			}
			return "INSERT INTO t VALUES " + strings.Join(all, ", ") + " ON DUPLICATE KEY UPDATE v = VALUES(v) RETURNING id, v"
		}
		r.engine.options.Local = budget.Budget{Bytes: 2000}.WithDefaults()
		for range 2 {
			p.same(upsert(3))
		}
		if _, err := p.tunnel.Query(upsert(10)); err == nil || !strings.Contains(err.Error(), "TUNIC-2014") {
			t.Errorf("ten rows: %v", err)
		}
		p.same("SELECT COUNT(*), MAX(v) FROM t")
		p.same("SELECT id FROM t WHERE id = 1") // when the one before has ended
		if n := r.engine.reserved.Load(); n != 0 {
			t.Errorf("%d bytes are still reserved", n)
		}
	})
}

// TestLocalVolume: answers that take many packets, with rows of all lengths.
func TestLocalVolume(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.people("sealed")
		p := r.pair(t, wiretest.ClientCaps)
		for i := 0; i < 2000; i += 500 {
			var rows []string
			for n := i; n < i+500; n++ {
				rows = append(rows, fmt.Sprintf(
					"(%d, 'name %d', 'x', %d, %d.25, %d, %d, '2020-01-01', '10:00:00', '2020-01-01 10:00:00', 'red', 'x', 'Rome', %d, '%s')",
					n, n*7919%1000, n%97, n, n%13, n, n%5, strings.Repeat("text ", n%300),
				))
			}
			p.same("INSERT INTO people VALUES " + strings.Join(rows, ", "))
		}
		for _, statement := range []string{
			"SELECT id, name, note FROM people WHERE LENGTH(name) > 7 ORDER BY id",
			"SELECT id, note FROM people WHERE note LIKE '%t%' ORDER BY LENGTH(note) DESC, id LIMIT 700",
			"SELECT age, COUNT(*), SUM(amount), MIN(name), MAX(LENGTH(note)) FROM people WHERE age > 3 GROUP BY age ORDER BY age",
			"SELECT DISTINCT name FROM people ORDER BY name LIMIT 50, 900",
		} {
			p.bag(statement)
		}
		p.prepared("SELECT id, name, note, amount FROM people WHERE age = ? ORDER BY name, id", 0, []binding.Param{long(5)}, []binding.Param{long(96)})
	})
}
