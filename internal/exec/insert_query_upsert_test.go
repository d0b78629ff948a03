package exec

import (
	"testing"

	"tunic/internal/binding"
)

// TestUpsertOfQuery: INSERT … SELECT … ON DUPLICATE KEY UPDATE of plain columns, which the server does, where it also makes numbers
// for the rows: as text, and prepared with literals and parameters in the update.
func TestUpsertOfQuery(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for _, name := range []string{"v", "w"} {
			r.table(name, []col{
				{name: "id", typ: "INT", protect: "plain", extra: "AUTO_INCREMENT"},
				{name: "n", typ: "VARCHAR(40)", protect: "plain", null: true},
				{name: "t", typ: "INT", protect: "plain", null: true},
				{name: "z", typ: "INT", protect: "sealed", null: true},
			}, primary("id"), unique("by_n", "n"))
		}
		p := r.pair(t, 0)
		p.same("INSERT INTO w (n, t, z) VALUES ('aa', 1, 3), ('bb', 2, 4), ('cc', 3, NULL)")
		for _, s := range []string{
			"INSERT INTO v (n, t) SELECT n, t FROM w WHERE n = 'aa' ON DUPLICATE KEY UPDATE t = VALUES(t)",
			"INSERT INTO v (n, t) SELECT n, t + 10 FROM w ON DUPLICATE KEY UPDATE t = VALUES(t)",
			"INSERT INTO v (n, t, z) SELECT n, t + 20, z FROM w ON DUPLICATE KEY UPDATE t = VALUES(t)",
			"INSERT INTO v (n, t, z) SELECT n, t + 20, z FROM w ON DUPLICATE KEY UPDATE t = v.t + 5",
			"INSERT INTO v (n, t, z) SELECT CONCAT(n, 'x'), t, z FROM w ON DUPLICATE KEY UPDATE t = 7, n = CONCAT(v.n, 'y')",
			"INSERT INTO v (n, t, z) SELECT CONCAT(n, 'x'), t, z FROM w ON DUPLICATE KEY UPDATE t = 8, n = CONCAT(v.n, 'y')",
			"INSERT INTO v (id, n, t) SELECT id, n, t FROM w ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(v.id), t = 9",
			"INSERT INTO v (n, t, z) SELECT n, t, z FROM w UNION ALL SELECT 'dd', 4, 5 ON DUPLICATE KEY UPDATE t = VALUES(t) + 100",
			"INSERT INTO v (n, t, z) SELECT n, t, z FROM w ON DUPLICATE KEY UPDATE t = v.t + (v.t IN (1, 2, 3)) - 1, n = IF(v.t = 4, 'x', v.n)",
		} {
			p.same(s)
			p.same("SELECT id, n, t, z FROM v ORDER BY id")
			p.prepared(s, 0, nil)
			p.same("SELECT id, n, t, z FROM v ORDER BY id")
		}
		p.prepared("INSERT INTO v (n, t, z) SELECT n, ?, z FROM w ON DUPLICATE KEY UPDATE t = ? + v.t + 1", 0, []binding.Param{long(3), long(4)}, []binding.Param{long(5), null()})
		p.same("INSERT INTO v (n) VALUES ('last')")
		p.same("SELECT id, n, t, z FROM v ORDER BY id")
	})
}

// TestUpsertOfQueryThatNamesItsTable: a column behind ON DUPLICATE KEY UPDATE that servers find in two tables is none of the table
// that is written.
func TestUpsertOfQueryThatNamesItsTable(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.numberedTables()
		p := r.pair(t, 0)
		p.each("INSERT INTO v (id, n, z) VALUES (1, 'a', 1), (2, 'b', 2)", "INSERT INTO w (id, n, z) VALUES (1, 'a', 1), (3, 'b', 2)")
		for _, set := range []string{"z = v.z + 1", "n = CONCAT(v.n, 'x')"} {
			for _, q := range []string{
				"SELECT id, n, z FROM v", "SELECT DISTINCT id, n, z FROM v", "SELECT id, n, z FROM w AS v", "SELECT v.* FROM (SELECT id, n, z FROM v) v", "SELECT v.id, v.n, v.z FROM w o JOIN v ON o.id = v.id",
			} {
				direct, tunnel := p.text("INSERT INTO v (id, n, z) " + q + " ON DUPLICATE KEY UPDATE " + set)
				if direct.err == nil || direct.err.Number != 1052 || tunnel.err == nil {
					t.Errorf("%s … %s: %s, through %s", q, set, errorText(direct.err), errorText(tunnel.err))
				}
			}
			for _, q := range []string{
				"SELECT id, n, z FROM w", "SELECT id, n, z FROM v AS o", "SELECT id, MAX(n), MAX(z) FROM v GROUP BY id", "SELECT MAX(id), MAX(n), MAX(z) FROM v", "SELECT * FROM (SELECT id, n, z FROM v) d",
			} {
				p.same("INSERT INTO v (id, n, z) " + q + " ON DUPLICATE KEY UPDATE " + set)
			}
		}
		p.same("SELECT n, z FROM v ORDER BY n")
	})
}
