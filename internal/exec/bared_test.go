package exec

import (
	"fmt"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// baredStock is the table stock with protected columns that are to be plain.
func (r *rig) baredStock() {
	r.table("stock", []col{
		{name: "id", typ: "INT", protect: "plain"},
		{name: "code", typ: "VARCHAR(20)", protect: "equality", bare: true},
		{name: "k", typ: "INT", protect: "order", def: "0", bare: true},
		{name: "big", typ: "BIGINT UNSIGNED", protect: "sealed", null: true, bare: true},
		{name: "price", typ: "DECIMAL(10,2)", protect: "order", null: true, bare: true},
		{name: "name", typ: "VARCHAR(12)", protect: "equality", null: true, def: "'nobody'", bare: true},
		{name: "day", typ: "DATE", protect: "sealed", null: true, bare: true},
		{name: "at", typ: "DATETIME(3)", protect: "order", null: true, bare: true},
		{name: "bits", typ: "BINARY(4)", protect: "equality", null: true, bare: true},
		{name: "pad", typ: "CHAR(6)", protect: "equality", null: true, extra: "CHARACTER SET latin1", bare: true},
		{name: "town", typ: "VARCHAR(12)", protect: "plain", null: true},
	}, primary("id"), unique("code", "code"))
}

// baredAgree compares every plain form with the sealed one of its row.
func (r *rig) baredAgree(t *testing.T, statement string) {
	t.Helper()
	for _, c := range r.catalog.Table("shop", "stock").Columns {
		if l := c.Layer(catalog.PlainForm); l != nil {
			r.plainAgrees(t, &c, l.Stored, statement)
		}
	}
}

// TestBared: a table whose protected columns have plain forms answers as the plain one does,
// and the plain forms have every value that is written. Half of the rows lack theirs, as those
// from before do.
func TestBared(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.baredStock()
		caps := []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps&^wire.ClientMultiStatements | wire.ClientFoundRows}
		for i, mode := range []string{"STRICT_TRANS_TABLES", ""} {
			t.Run(fmt.Sprintf("mode %q", mode), func(t *testing.T) {
				p := r.pair(t, caps[i])
				p.each(fmt.Sprintf("SET sql_mode = '%s', autocommit = %d", mode, i))
				for _, s := range copiedWrites {
					p.each("DELETE FROM stock")
					p.each(copiedFilled...)
					p.each("COMMIT")
					p.wrote(s)
					p.each("SELECT * FROM stock ORDER BY id", "COMMIT")
					r.baredAgree(t, s)
				}
			})
		}
	})
}

// TestBaredLater: a row that has not got its plain forms yet counts as changed where it does on
// a plain server, and gets those of what is written.
func TestBaredLater(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.baredStock()
		p := r.pair(t, wiretest.ClientCaps)
		for _, s := range []string{
			"UPDATE stock SET k = 10", "UPDATE stock SET k = 10 WHERE id = 1", "UPDATE stock SET k = k + 0", "UPDATE stock SET name = 'one', day = '2020-01-31' WHERE id = 1",
			"INSERT INTO stock (id, code, k) VALUES (1, 'a', 10) ON DUPLICATE KEY UPDATE k = VALUES(k)", "UPDATE stock SET k = k, town = 'z'",
		} {
			p.each("DELETE FROM stock")
			p.each(copiedFilled...)
			for _, c := range r.catalog.Table("shop", "stock").Columns {
				if l := c.Layer(catalog.PlainForm); l != nil {
					r.exec("UPDATE shop.stock SET `" + l.Stored + "` = NULL")
				}
			}
			p.wrote(s)
			p.each("SELECT * FROM stock ORDER BY id")
		}
	})
}

// TestBaredPrepared: the same of statements with parameters.
func TestBaredPrepared(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.baredStock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(copiedFilled...)
		for _, s := range []string{
			"INSERT INTO stock (id, code, k, big, price, name, day, at, bits, pad) VALUES (11, ?, 5, 6, 7.12, 'ü', '2024-02-29', '2024-02-29 01:02:03.5', 'b', 'é')",
			"INSERT INTO stock (id, code, k) VALUES (12, CONCAT(?, 'x'), DEFAULT), (13, 'm', 9)",
			"REPLACE INTO stock (id, code, name) VALUES (1, ?, 'replaced')",
			"INSERT INTO stock (id, code, k) VALUES (2, ?, 1) ON DUPLICATE KEY UPDATE k = VALUES(k) + 1",
			"UPDATE stock SET name = CONCAT(name, ?), k = k + 1",
			"UPDATE stock SET name = ? WHERE id > 1",
			"INSERT INTO stock (id, code) SELECT id + 40, CONCAT(code, ?) FROM stock WHERE id = 1",
		} {
			p.prepared(s, 0, []binding.Param{str("p")}, []binding.Param{str("é")})
			p.each("SELECT * FROM stock ORDER BY id")
			r.baredAgree(t, s)
		}
	})
}
