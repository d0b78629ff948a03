package exec

import (
	"testing"

	"tunic/internal/wire/wiretest"
)

// TestLongRowsWritten: rows that are written back go to the server in texts that it takes, however long each of them is.
func TestLongRowsWritten(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.table("essay", []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: "MEDIUMTEXT", protect: "sealed", null: true},
		}, primary("id"))
		r.exec("SET GLOBAL max_allowed_packet = 131072")
		t.Cleanup(func() { r.exec("SET GLOBAL max_allowed_packet = DEFAULT") })
		p := r.pair(t, wiretest.ClientCaps)
		p.each("INSERT INTO essay VALUES (1, REPEAT('a', 20000)), (2, NULL)", "INSERT INTO essay VALUES (3, REPEAT('c', 50000))",
			"INSERT INTO essay VALUES (4, REPEAT('d', 20000))", "INSERT INTO essay VALUES (5, REPEAT('e', 60000))")
		for _, statement := range []string{
			"UPDATE essay SET v = CONCAT(v, 'x')",
			"UPDATE essay SET v = CONCAT(v, 'y') ORDER BY id DESC",
			"UPDATE essay SET v = CONCAT(v, 'z') WHERE id IN (1, 2, 4)",
		} {
			p.same(statement)
			p.same("SELECT * FROM essay ORDER BY id")
		}
	})
}
