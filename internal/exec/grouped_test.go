package exec

import (
	"testing"

	"tunic/internal/value"
)

// TestGroupedTypes: what the server computes of plain columns has in a result the type
// that it says there, which need not be the one that it has prepared.
func TestGroupedTypes(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		if r.flavor == value.MariaDB {
			t.Skip("MariaDB prepares the types that it answers with, and differs in flags")
		}
		r.table("g", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "c", typ: "DATE", protect: "plain", null: true},
			{name: "u", typ: "BIGINT UNSIGNED", protect: "plain", null: true},
			{name: "s", typ: "INT", protect: "equality", null: true},
		}, primary("id"))
		for _, caps := range capabilitySets(r.flavor) {
			p := r.pair(t, caps)
			p.same("DELETE FROM g")
			p.same("INSERT INTO g VALUES (1, '2020-01-01', 18446744073709551615, 5), (2, '2021-01-01', 7, 5), (3, NULL, NULL, NULL)")
			for _, s := range []string{
				"SELECT YEAR(c), COUNT(*) FROM g GROUP BY YEAR(c)", "SELECT id > 1, COUNT(*) FROM g GROUP BY id > 1",
				"SELECT u, COUNT(s) FROM g GROUP BY u", "SELECT id, id + 1, s, u FROM g WHERE s = 5", "SELECT MIN(u), MAX(id), COUNT(s) FROM g",
			} {
				p.same(s)
				p.prepared(s, 0, nil, nil, nil)
			}
		}
	})
}
