package exec

import (
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire/wiretest"
)

// numberedRows are rows for a table that has the rows (1, 'aa', 7), (2, 'bb', 8) and (3, 'last', NULL).
var numberedRows = []string{
	"(50, 'x', 1), (NULL, 'y', 2)", "(NULL, 'y', 2), (50, 'x', 1)", "(NULL, 'y', 2), (NULL, 'u', 2), (50, 'x', 1)", "(50, 'x', 1), (0, 'y', 2), (NULL, 'u', 2)",
	"(50, 'x', 1), (DEFAULT, 'y', 2), (60, 'u', 2)", "(1, 'x', 1), (NULL, 'y', 2)", "(1, 'x', 1), (NULL, 'y', 2), (60, 'u', 2)", "(NULL, 'aa', 1), (60, 'y', 2)",
	"(NULL, 'y', 1), (1, 'u', 2)", "(60, 'y', 1), (1, 'u', 2)", "(60, 'y', 1), (2, 'u', 2)", "(1, 'y', 3), (2, 'u', 4)", "(2, 'y', 3), (1, 'u', 4)", "(1, 'y', 7), (2, 'u', 8), (NULL, 'y', 6)",
	"('50', 'x', 1), ('0', 'y', 2)", "(20+30, 'x', 1), (1-1, 'y', 2)", "(1-1, 'x', 1), (25*2, 'y', 2)", "(49.6, 'x', 1), (0.3, 'y', 2)",
	"(50, 'x', 1)", "(0, 'x', 1)", "(NULL, 'x', 1)", "(1, 'x', 1)", "(1, 'x', 7)", "(NULL, 'aa', 7)", "(49.6, 'x', 1)",
}

// numberedTables makes tables whose numbers are the server's.
func (r *rig) numberedTables() {
	for _, name := range []string{"v", "w"} {
		r.table(name, []col{
			{name: "id", typ: "INT", protect: "plain", extra: "AUTO_INCREMENT"},
			{name: "n", typ: "VARCHAR(40)", protect: "plain", null: true},
			{name: "z", typ: "INT", protect: "sealed", null: true},
		}, primary("id"), unique("by_n", "n"))
	}
}

// fillNumbered fills the table anew. LAST_INSERT_ID() is 3 then.
func (r *rig) fillNumbered(p *pair) {
	r.exec("TRUNCATE TABLE plain.v", "TRUNCATE TABLE shop.v")
	p.each("INSERT INTO v (id, n, z) VALUES (1, 'aa', 7), (2, 'bb', 8)", "INSERT INTO v (n) VALUES ('last')")
}

// TestNumbersOfUpserts: the answer to an INSERT … ON DUPLICATE KEY UPDATE tells the number of the same row as a plain
// server's, and LAST_INSERT_ID() does, whichever rows have a number of the client's.
func TestNumbersOfUpserts(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.numberedTables()
		p := r.pair(t, 0)
		tells := func(run func()) {
			t.Helper()
			r.fillNumbered(p)
			run()
			p.each("SELECT LAST_INSERT_ID()", "SELECT n, z FROM v ORDER BY n")
		}
		for _, mode := range []string{"STRICT_TRANS_TABLES", "NO_AUTO_VALUE_ON_ZERO"} {
			p.same("SET sql_mode = '" + mode + "'")
			sets := []string{"z = VALUES(z)", "z = VALUES(z), id = LAST_INSERT_ID(v.id)", "z = v.z + 1, id = 77"}
			for _, set := range sets {
				if mode != "STRICT_TRANS_TABLES" && set != sets[0] {
					continue
				}
				for _, rows := range numberedRows {
					s := "INSERT INTO v (id, n, z) VALUES " + rows + " ON DUPLICATE KEY UPDATE " + set
					tells(func() { p.same(s) })
					tells(func() { p.prepared(s, 0, nil) })
				}
			}
			s := "INSERT INTO v (id, n, z) VALUES (?, ?, 1), (?, 'y', 2) ON DUPLICATE KEY UPDATE z = VALUES(z)"
			for _, params := range [][]binding.Param{
				{null(), str("x"), long(50)},
				{long(50), str("x"), null()},
				{long(0), str("x"), str("50")},
				{str("50"), str("x"), long(0)},
				{long(1), str("x"), null()},
				{null(), str("aa"), long(50)},
			} {
				tells(func() { p.prepared(s, 0, params) })
			}
		}
	})
}

// TestNumbersOfUpsertsOfQuery is TestNumbersOfUpserts for rows of a query.
func TestNumbersOfUpsertsOfQuery(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.numberedTables()
		p := r.pair(t, 0)
		for _, rows := range numberedRows {
			r.exec("TRUNCATE TABLE plain.w", "TRUNCATE TABLE shop.w")
			p.each("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'", "INSERT INTO w (id, n, z) VALUES "+strings.NewReplacer("NULL,", "0,", "DEFAULT,", "0,", "1-1", "0").Replace(rows), "SET sql_mode = ''")
			for _, set := range []string{"z = VALUES(z)", "z = VALUES(z), id = LAST_INSERT_ID(v.id)"} {
				r.fillNumbered(p)
				p.each("INSERT INTO v (id, n, z) SELECT * FROM w ORDER BY z ON DUPLICATE KEY UPDATE "+set, "SELECT LAST_INSERT_ID()", "SELECT n, z FROM v ORDER BY n")
			}
		}
	})
}

// TestUpsertOfTheNewNumber: VALUES() of the column that is AUTO_INCREMENT is what the client has written there. A number of
// the server's is not known, and the statement refused.
func TestUpsertOfTheNewNumber(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.numberedTables()
		p := r.pair(t, wiretest.ClientCaps)
		r.fillNumbered(p)
		p.each(
			"SET sql_mode = ''",
			"INSERT INTO v (id, n, z) VALUES (60, 'aa', 5), (61, 'bb', 6) ON DUPLICATE KEY UPDATE z = VALUES(z), id = VALUES(id)",
			"INSERT INTO v (id, n, z) VALUES (60, 'aa', 7), (1, 'x', 6) ON DUPLICATE KEY UPDATE z = VALUES(z), id = VALUES(id)",
		)
		for _, rows := range []string{"(NULL, 'aa', 1)", "(0, 'aa', 1)", "(60, 'aa', 1), (NULL, 'bb', 1)"} {
			if a := p.readText(p.tunnel, "INSERT INTO v (id, n, z) VALUES "+rows+" ON DUPLICATE KEY UPDATE z = VALUES(z), id = VALUES(id)"); a.err == nil || !strings.Contains(a.err.Message, "TUNIC-2001") {
				t.Errorf("%s: %s", rows, errorText(a.err))
			}
		}
		p.same("SELECT id, n, z FROM v ORDER BY id")
	})
}
