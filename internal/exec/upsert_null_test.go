package exec

import (
	"testing"

	"tunic/internal/binding"
)

// fullTable is a table whose columns are all NOT NULL and have no default.
func (r *rig) fullTable() {
	r.table("v", []col{
		{name: "id", typ: "INT", protect: "plain"},
		{name: "n", typ: "VARCHAR(40)", protect: "plain"},
		{name: "z", typ: "INT", protect: "sealed"},
		{name: "y", typ: "INT", protect: "equality"},
		{name: "p", typ: "INT", protect: "plain"},
	}, primary("id"))
}

// onFull runs statements, each on the rows (1, 'a', 1, 1, 1) and (2, 'b', 2, 2, 2), without a strict sql_mode.
func (r *rig) onFull(p *pair, statements ...string) {
	p.same("SET sql_mode = ''")
	for _, s := range statements {
		for _, run := range []func(){func() { p.same(s) }, func() { p.prepared(s, 0, nil) }} {
			r.exec("TRUNCATE TABLE plain.v", "TRUNCATE TABLE shop.v")
			p.same("INSERT INTO v VALUES (1, 'a', 1, 1, 1), (2, 'b', 2, 2, 2)")
			run()
			p.same("SELECT id, n, z, y, p FROM v ORDER BY id")
		}
	}
}

// TestUpsertsOfNullWhereThereIsNone: without a strict sql_mode NULL for a column that is NOT NULL becomes what a server stores
// instead, with a warning, in one row of several; alone it is an error, and so it is in an update for rows of a query.
func TestUpsertsOfNullWhereThereIsNone(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.fullTable()
		p := r.pair(t, 0)
		for _, set := range []string{"z = VALUES(z)", "z = VALUES(z), y = VALUES(y), n = VALUES(n), p = VALUES(p)", "z = NULL", "z = 5, n = NULL", "z = VALUES(z), n = CONCAT(VALUES(n), 'x')"} {
			for _, rows := range []string{
				"(5, 'x', 5, 5, 5), (6, NULL, 6, 6, 6)", "(5, 'x', 5, 5, 5), (6, 'y', NULL, 6, 6)", "(1, 'x', 5, 5, 5), (6, 'y', 6, NULL, 6)",
				"(1, 'x', 5, 5, 5), (6, NULL, 6, 6, NULL)", "(1, 'x', 5, 5, 5), (2, NULL, 6, 6, 6)", "(1, NULL, NULL, NULL, NULL), (2, 'x', NULL, NULL, 6)",
				"(1, NULL, 5, 4, 5)", "(5, NULL, 5, 4, 5)", "(1, 'x', 5, NULL, 5)",
			} {
				r.onFull(p, "INSERT INTO v (id, n, z, y, p) VALUES "+rows+" ON DUPLICATE KEY UPDATE "+set)
			}
		}
		r.onFull(p,
			"INSERT INTO v (id, n, z, y, p) VALUES (1, 'x', 5, 5, NULL), (6, DEFAULT, 6, 6, 6) ON DUPLICATE KEY UPDATE z = VALUES(z)",
			"INSERT INTO v (id, n, z, y, p) VALUES (1, 'x', 5, 5, 5), (2, NULLIF(1, 1), NULL, NULL, 6) ON DUPLICATE KEY UPDATE z = VALUES(z)")
		for _, set := range []string{"z = NULL", "n = NULL", "y = 4, n = NULL", "z = 4"} {
			r.onFull(p,
				"INSERT INTO v (id, n, z, y, p) SELECT id, 'u', 4, 4, 4 FROM v ON DUPLICATE KEY UPDATE "+set,
				"INSERT INTO v (id, n, z, y, p) SELECT id + 1, 'u', 4, 4, 4 FROM v ON DUPLICATE KEY UPDATE "+set,
				"INSERT INTO v (id, n, z, y, p) SELECT id + 7, 'u', 4, 4, 4 FROM v ON DUPLICATE KEY UPDATE "+set)
		}
		p.prepared("INSERT INTO v (id, n, z, y, p) VALUES (1, ?, 5, 5, 5), (?, ?, ?, 6, ?) ON DUPLICATE KEY UPDATE z = VALUES(z), n = VALUES(n)", 0,
			[]binding.Param{null(), long(2), str("x"), null(), long(6)}, []binding.Param{str("y"), long(9), null(), long(5), null()})
		p.same("SELECT id, n, z, y, p FROM v ORDER BY id")
	})
}

// TestRowsWithoutAValue: servers say once of a column that it has no default, whatever becomes of the rows, and MySQL says once
// that it cannot be NULL.
func TestRowsWithoutAValue(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.fullTable()
		p := r.pair(t, 0)
		r.onFull(p,
			"INSERT INTO v (id, n, p) VALUES (5, 'x', 5), (6, 'y', 6)",
			"INSERT INTO v (id, n, z, y, p) VALUES (5, 'x', NULL, NULL, 5), (6, NULL, NULL, 5, 6)",
			"INSERT INTO v (id, z) VALUES (5, 6), (6, 6)",
			"INSERT INTO v (id, z) VALUES (5, 'abc'), (6, 'abc')",
			"REPLACE INTO v (id, z) VALUES (5, 6), (1, 6)",
			"REPLACE INTO v (id, n, z, y, p) VALUES (5, 'x', NULL, NULL, 5), (6, NULL, NULL, 5, 6)",
			"INSERT INTO v (id, n, z, y, p) SELECT id + 10, 'u', NULL, 4, 4 FROM v",
			"INSERT INTO v (id, n, z, y, p) SELECT id + 10, NULL, 4, 4, 4 FROM v",
			"INSERT INTO v (id, y) SELECT id + 10, 4 FROM v",
		)
		for _, set := range []string{"z = VALUES(z)", "y = 5", "p = 5, z = 4"} {
			for _, rows := range []string{
				"(id, n, p) VALUES (1, 'x', 5), (6, 'y', 6)", "(id, n, p) VALUES (6, 'y', 6), (1, 'x', 5)", "(id, n, p) VALUES (1, 'y', 6), (2, 'y', 7)", "(id, n, p) VALUES (1, 'y', 6)",
				"(id, z) VALUES (1, 6), (6, 6)", "(id, z) VALUES (6, 6), (1, 6)", "(id, z) VALUES (1, 6)",
				"(id, n, z, y) SELECT id + 1, 'u', 4, 4 FROM v", "(id, n, y, p) SELECT id + 7, 'u', 4, 4 FROM v",
			} {
				r.onFull(p, "INSERT INTO v "+rows+" ON DUPLICATE KEY UPDATE "+set)
			}
		}
	})
}
