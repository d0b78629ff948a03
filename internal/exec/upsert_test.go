package exec

import (
	"fmt"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// upserts are statements over a table that is filled anew before each.
var upserts = []string{
	"INSERT INTO stock (id, code, k) VALUES (9, 'new', 5) ON DUPLICATE KEY UPDATE k = 7",
	"INSERT INTO stock (id, code, k) VALUES (1, 'new', 5) ON DUPLICATE KEY UPDATE k = 7",
	"INSERT INTO stock (id, code, k) VALUES (1, 'new', 5) ON DUPLICATE KEY UPDATE k = 10",
	"INSERT INTO stock (id, code, k) VALUES (9, 'a', 5) ON DUPLICATE KEY UPDATE k = k + 1",
	"INSERT INTO stock (id, code, k) VALUES (9, 'A', 5) ON DUPLICATE KEY UPDATE k = k + 1, code = 'A'",
	"INSERT INTO stock (id, code, k) VALUES (1, 'b', 5) ON DUPLICATE KEY UPDATE k = VALUES(k)",
	"INSERT INTO stock (id, code, k, name) VALUES (1, 'zz', 5, 'n') ON DUPLICATE KEY UPDATE k = k + VALUES(k), name = VALUES(name), code = VALUES(code)",
	"INSERT INTO stock (id, code, k, name) VALUES (1, 'zz', 5, 'n') ON DUPLICATE KEY UPDATE name = CONCAT(name, VALUES(name)), big = VALUES(k)",
	"INSERT INTO stock (id, code, k, town) VALUES (1, 'zz', 5, 'there') ON DUPLICATE KEY UPDATE town = VALUES(town), k = 1",
	"INSERT INTO stock (id, code, k, town) VALUES (1, 'zz', 5, 'x') ON DUPLICATE KEY UPDATE town = VALUES(town)",
	"INSERT INTO stock (id, code, k, town) VALUES (1, 'zz', 5, 'x') ON DUPLICATE KEY UPDATE town = CONCAT(town, VALUES(town)), id = id + 10",
	"INSERT INTO stock (id, code, k) VALUES (1, 'a1', 1), (2, 'a2', 2), (7, 'a7', 7) ON DUPLICATE KEY UPDATE k = VALUES(k)",
	"INSERT INTO stock (id, code, k) VALUES (1, 'a1', 10), (8, 'a8', 2) ON DUPLICATE KEY UPDATE k = VALUES(k)",
	"INSERT INTO stock (id, code, k) VALUES (5, 'e', 1), (6, 'e', 2), (7, 'e', 3) ON DUPLICATE KEY UPDATE k = k + VALUES(k)",
	"INSERT INTO stock (id, code, k) VALUES (5, 'e', 1), (6, 'f', 2) ON DUPLICATE KEY UPDATE k = k + VALUES(k)",
	"INSERT INTO stock (id, code, k) VALUES (1, 'b', 1) ON DUPLICATE KEY UPDATE code = 'b'",
	"INSERT INTO stock (id, code, k) VALUES (1, 'q', 1), (2, 'r', 2) ON DUPLICATE KEY UPDATE code = 'c'",
	"INSERT INTO stock (id, code, k) VALUES (1, 'q', 1) ON DUPLICATE KEY UPDATE k = 99999999999",
	"INSERT INTO stock (id, code, k) VALUES (1, 'q', 99999999999) ON DUPLICATE KEY UPDATE k = VALUES(k)",
	"INSERT INTO stock (id, code, k) VALUES (1, 'q', 1), (3, 's', 1) ON DUPLICATE KEY UPDATE name = 'much too long a name'",
	"INSERT INTO stock (id, code, k) VALUES (1, 'q', 1) ON DUPLICATE KEY UPDATE name = NULL, k = DEFAULT",
	"INSERT INTO stock (id, code) VALUES (1, 'q') ON DUPLICATE KEY UPDATE k = VALUES(k), rate = VALUES(rate)",
	"INSERT INTO stock (id, code, k) VALUES (1, 'q', 1) ON DUPLICATE KEY UPDATE nosuch = 1",
	"INSERT INTO stock (id, code, k) VALUES (1, 'q', 1) ON DUPLICATE KEY UPDATE k = nosuch",
	"INSERT INTO stock (id, code, k, name) VALUES (3, 'q', 1, NULL) ON DUPLICATE KEY UPDATE name = VALUES(name)",
	"INSERT INTO stock (id, code, k, name) VALUES (3, 'q', 1, NULL) ON DUPLICATE KEY UPDATE name = NULL",
	"INSERT INTO stock (id, code, k, name) VALUES (3, 'q', 1, 'x') ON DUPLICATE KEY UPDATE name = NULL",
	"INSERT INTO stock (id, code, k, big) VALUES (3, 'q', 1, NULL) ON DUPLICATE KEY UPDATE big = VALUES(big)",
	"INSERT INTO stock (id, code, k, name) VALUES (4, 'q', 1, '') ON DUPLICATE KEY UPDATE name = VALUES(name)",
	"INSERT INTO stock (id, code, k, name) VALUES (1, 'q', 1, 'one') ON DUPLICATE KEY UPDATE name = VALUES(name), k = 10",
	"INSERT INTO stock SET id = 2, code = 'w', k = 3 ON DUPLICATE KEY UPDATE k = k * VALUES(k), price = price - 1",
}

// TestUpserts: rows that are there already become what they do at a plain server,
// with the same counts.
func TestUpserts(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) { r.writes(t, upserts) })
}

// TestPreparedUpserts is TestUpserts for prepared statements, and for a table whose
// numbers are the server's.
func TestPreparedUpserts(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.person()
		p := r.pair(t, wiretest.ClientCaps)
		p.prepared("INSERT INTO person (name, age, note) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE age = age + VALUES(age), note = ?", 0,
			[]binding.Param{str("Alice"), long(30), str("first"), str("x")},
			[]binding.Param{str("Bob"), long(1), null(), str("x")},
			[]binding.Param{str("alice"), long(3), null(), str("again")},
			[]binding.Param{str("alice"), long(0), null(), str("again")},
			[]binding.Param{str("Carol"), null(), null(), null()},
			[]binding.Param{str("Carol"), null(), null(), null()})
		p.same("SELECT name, age, note FROM person ORDER BY name")
		p.prepared("INSERT INTO person (id, name, age) VALUES (70, 'Gil', 1), (71, 'Hal', 2), (72, 'Gil', 3) ON DUPLICATE KEY UPDATE age = VALUES(age)", 0, nil, nil)
		p.prepared("INSERT INTO person (id, name, age) VALUES (73, 'Ida', 1), (74, 'Jon', 99999999999)", 0, nil)
		p.same("SELECT id, name, age FROM person ORDER BY id")
		p.prepared("INSERT INTO person (id, name, age, town) VALUES (60, ?, 1, ?), (50, 'Dora', 2, 'd') ON DUPLICATE KEY UPDATE age = VALUES(age), town = VALUES(town)", 0,
			[]binding.Param{str("Bob"), str("it's")}, []binding.Param{str("Bob"), str("it's")}, []binding.Param{str("Carol"), long(5)})
		p.same("SELECT name, age, note, town FROM person ORDER BY name")
		p.prepared("INSERT INTO person (id, name, age) VALUES (?, ?, 1) ON DUPLICATE KEY UPDATE age = ?", 0,
			[]binding.Param{long(1), str("x"), long(77)}, []binding.Param{long(1), str("x"), long(77)}, []binding.Param{long(1), str("Bob"), str("78")})
		p.same("SELECT name, age, note, town FROM person ORDER BY name")
	})
}

// TestUpsertsOfNull: a row that stays as it is, with a NULL in the place of a default,
// is counted as servers count it.
func TestUpsertsOfNull(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.table("gap", []col{
			{name: "id", typ: "DECIMAL(6,0)", protect: "plain"},
			{name: "word", typ: "VARCHAR(20)", protect: "sealed", null: true, def: "'word'"},
			{name: "blank", typ: "VARCHAR(20)", protect: "sealed", null: true, def: "''"},
			{name: "n", typ: "INT", protect: "sealed", null: true, def: "7"},
			{name: "zero", typ: "INT", protect: "equality", null: true, def: "0"},
			{name: "none", typ: "CHAR(3)", protect: "sealed", null: true},
		}, primary("id"))
		for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps | wire.ClientFoundRows} {
			p := r.pair(t, caps)
			p.each("DELETE FROM gap", "INSERT INTO gap VALUES (1, NULL, NULL, NULL, NULL, NULL), (2, 'a', 'b', 1, 2, 'c')")
			for _, c := range []string{"word", "blank", "n", "zero", "none"} {
				for _, id := range []int{1, 2, 2} {
					p.same(fmt.Sprintf("INSERT INTO gap (id) VALUES (%d) ON DUPLICATE KEY UPDATE %s = NULL", id, c))
				}
				p.same(fmt.Sprintf("INSERT INTO gap (id, %s) VALUES (1, NULL), (2, 1) ON DUPLICATE KEY UPDATE %s = VALUES(%s)", c, c, c))
			}
			p.same("SELECT * FROM gap ORDER BY id")
		}
	})
}
