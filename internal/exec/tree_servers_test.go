package exec

import (
	"strings"
	"testing"

	"tunic/internal/wire/wiretest"
)

// treeRows are the rows of the second table that queries over several are tried on:
// of some people there are several, of some none, and some are of nobody.
var treeRows = []string{
	"(1, 1, 'alice', 30, 10.50, '2020-01-01', '2020-01-01 00:00:00', 'red', 5)",
	"(2, 1, 'BOB', 30, 0.01, '1999-12-31', '1999-12-31 23:59:59', 'x', 41)",
	"(3, 2, 'bob ', 41, NULL, '2020-02-29', '2020-02-29 00:00:00', NULL, NULL)",
	"(4, NULL, NULL, NULL, 100.5, NULL, NULL, 'blue', 30)",
	"(5, 99, 'zoe', -5, 5.00, '2021-03-04', '2021-03-04 05:06:07', 'Rome', 17)",
	"(6, 4, 'carol', 0, -3.25, '2020-01-01', '2020-01-01 10:00:00', '12', 0)",
	"(7, 7, 'nobody', 2147483647, 1.00, '0001-01-01', '9999-12-31 23:59:59', '', 1)",
	"(8, 10, 'erin', 17, 1.00, '2020-01-01', NULL, 'e', 4294967295)",
}

// buys makes the second table.
func (r *rig) buys(protect string) {
	c := func(name, typ string, null bool) col { return col{name: name, typ: typ, protect: protect, null: null} }
	r.table("buys", []col{
		{name: "id", typ: "INT", protect: "plain"},
		c("who", "INT", true), c("name", "VARCHAR(30)", true), c("age", "BIGINT", true),
		c("price", "DECIMAL(12,3)", true), c("day", "DATE", true), c("moment", "DATETIME", true),
		c("what", "VARCHAR(20)", true), c("big", "INT UNSIGNED", true),
	}, primary("id"))
}

// TestTrees: queries over several tables are answered as by a plain server.
func TestTrees(t *testing.T) {
	onPeopleAnd(t, func(r *rig, protect string) { r.buys(protect) }, func(p *pair) {
		p.same("INSERT INTO buys VALUES " + strings.Join(treeRows, ", "))
		for _, s := range treeStatements {
			p.bag(s)
		}
	})
}

// onPeopleAnd is onPeople with other tables beside.
func onPeopleAnd(t *testing.T, tables func(r *rig, protect string), test func(p *pair)) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for _, protect := range []string{"sealed", "equality", "order"} {
			t.Run(protect, func(t *testing.T) {
				r := r.another(t)
				r.people(protect)
				tables(r, protect)
				p := r.pair(t, wiretest.ClientCaps)
				for i := 0; i < len(localRows); i += 5 {
					p.same("INSERT INTO people VALUES " + strings.Join(localRows[i:i+5], ", "))
				}
				test(p)
			})
		}
	})
}
