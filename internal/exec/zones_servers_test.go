package exec

import (
	"testing"

	"tunic/internal/binding"
)

// TestZonesOfServers: TIMESTAMP in zones that the server knows by name, and in its
// own.
func TestZonesOfServers(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("t", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "v", typ: "TIMESTAMP(2)", protect: "sealed", null: true},
			{name: "w", typ: "DATETIME", protect: "sealed", def: "CURRENT_TIMESTAMP"},
		}, primary("id"))
		p := r.pair(t, 0)
		p.each(
			"SET timestamp = 1580724672",
			"INSERT INTO t (id, v) VALUES (1, '2020-07-01 12:00:00.25')",
			"SELECT * FROM t", "SET time_zone = '-03:30'",
			"INSERT INTO t (id, v) VALUES (2, '2020-07-01 12:00:00')",
			"SELECT * FROM t ORDER BY id",
		)
	})
}

// TestUpdates: what the server would say of a value that is assigned to rows.
func TestUpdates(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.table("t", []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: "INT", protect: "equality", null: true},
		}, primary("id"))
		p := r.pair(t, 0)
		p.each(
			"INSERT INTO t VALUES (1, 1), (2, 2), (3, NULL)", "SET sql_mode = ''",
			"UPDATE t SET v = 5 WHERE id = 1", "UPDATE t SET v = 5 WHERE id = 1", "UPDATE t SET v = NULL WHERE id = 1",
			"UPDATE t SET v = '7x' WHERE id > 0", "UPDATE t SET v = 99999999999 WHERE id = 2",
			"UPDATE t SET v = '7x' WHERE id > 100", "UPDATE IGNORE t SET v = 'x' WHERE v = 7",
			"SELECT * FROM t ORDER BY id", "SET sql_mode = 'STRICT_ALL_TABLES'", "UPDATE t SET v = 99999999999 WHERE id = 2",
			"UPDATE t SET v = 12 WHERE v IN (0, 1)", "SELECT * FROM t ORDER BY id",
		)
		p.prepared("UPDATE t SET v = ? WHERE id = ?", 0, []binding.Param{long(1), long(1)}, []binding.Param{long(1), long(1)}, []binding.Param{null(), long(2)}, []binding.Param{long(4), long(99)})
	})
}
