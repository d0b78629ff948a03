package exec

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// stock is a table whose columns have layers of all kinds.
func (r *rig) stock() {
	r.table(
		"stock", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "code", typ: "VARCHAR(20)", protect: "equality"},
			{name: "k", typ: "INT", protect: "equality", def: "0"},
			{name: "big", typ: "BIGINT UNSIGNED", protect: "sealed", null: true},
			{name: "price", typ: "DECIMAL(10,2)", protect: "order", null: true},
			{name: "rate", typ: "DOUBLE", protect: "sealed", null: true},
			{name: "name", typ: "VARCHAR(12)", protect: "sealed", null: true},
			{name: "day", typ: "DATE", protect: "sealed", null: true},
			{name: "town", typ: "VARCHAR(12)", protect: "plain", null: true},
		}, primary("id"), unique("code", "code"),
	)
}

// filled are the statements that fill the table.
var filled = []string{
	"INSERT INTO stock (id, code, k, big, price, rate, name, day, town) VALUES (1, 'a', 10, 5, 1.50, 0.5, 'one', '2020-01-31', 'x')",
	"INSERT INTO stock (id, code, k, big, price, rate, name, day, town) VALUES (2, 'b', 20, 18446744073709551615, 99999999.99, -2.25, 'TWO', '2021-02-28', 'y'), " +
		"(3, 'c', 30, NULL, NULL, NULL, NULL, NULL, NULL), (4, 'd', -40, 0, -0.01, 1e100, '', '1999-12-31', 'z')",
}

const allStock = "SELECT * FROM stock ORDER BY id"

// rewrites are statements that read rows before they write them, over a table that
// is filled anew before each.
var rewrites = []string{
	"UPDATE stock SET k = k + 1 WHERE id = 1",
	"UPDATE stock SET k = k + 1",
	"UPDATE stock SET k = k + 0",
	"UPDATE stock SET k = k + 1 WHERE id = 99",
	"UPDATE stock SET k = 10",
	"UPDATE stock SET name = 'one'",
	"UPDATE stock SET name = 'ONE' WHERE id = 1",
	"UPDATE stock SET name = 'one', k = 10 WHERE id = 1",
	"UPDATE stock SET k = k * 2, big = k WHERE id = 1",
	"UPDATE stock SET big = k, k = 7 WHERE id IN (1, 2)",
	"UPDATE stock SET k = 5, k = k + 1 WHERE id = 1",
	"UPDATE stock SET price = price * 1.1",
	"UPDATE stock SET price = price + 1 WHERE id = 2",
	"UPDATE stock SET price = price + 1 WHERE id < 4 ORDER BY id",
	"UPDATE IGNORE stock SET price = price + 1",
	"UPDATE stock SET rate = rate / 2, name = CONCAT(name, '!')",
	"UPDATE stock SET name = CONCAT(name, 'a long tail of it') WHERE id = 1",
	"UPDATE IGNORE stock SET name = CONCAT(name, 'a long tail of it')",
	"UPDATE stock SET name = UPPER(name) WHERE id < 3",
	"UPDATE stock SET name = NULL, day = '2022-02-02'",
	"UPDATE stock SET code = NULL WHERE id = 1",
	"UPDATE stock SET code = CONCAT(code, 'x')",
	"UPDATE stock SET code = CONCAT('b', '') WHERE id = 1",
	"UPDATE stock SET code = CONCAT('z', '') WHERE id > 1 ORDER BY id",
	"UPDATE IGNORE stock SET code = CONCAT('z', '') WHERE id > 1 ORDER BY id",
	"UPDATE stock SET k = k + 1, town = 'here'",
	"UPDATE stock SET k = k + 0, town = 'x' WHERE id < 3",
	"UPDATE stock SET k = 20, town = UPPER(town)",
	"UPDATE stock SET k = k + 1, town = REPEAT('t', 20) WHERE id = 1",
	"UPDATE IGNORE stock SET k = k + 1, town = REPEAT('t', 20)",
	"UPDATE stock SET id = id + 100, k = k + 1 WHERE id > 2",
	"UPDATE stock SET id = id + 1, k = k + 1 ORDER BY id DESC",
	"UPDATE stock SET id = id + 1, k = k + 1 ORDER BY id",
	"UPDATE stock SET big = big + 1 WHERE id = 2",
	"UPDATE stock SET big = big + 1 WHERE id IN (1, 3, 4)",
	"UPDATE stock SET big = big - 1 WHERE id = 4",
	"UPDATE stock SET k = k + 9999999999 WHERE id = 1",
	"UPDATE IGNORE stock SET k = k + 9999999999",
	"UPDATE stock SET k = DEFAULT",
	"UPDATE stock SET code = DEFAULT WHERE id = 1",
	"UPDATE IGNORE stock SET code = DEFAULT WHERE id = 1",
	"UPDATE stock SET k = 1, code = DEFAULT WHERE rate > 0",
	"UPDATE stock SET day = DATE_ADD(day, INTERVAL 1 DAY)",
	"UPDATE stock SET k = k + 1 WHERE name = 'one'",
	"UPDATE stock SET k = k + 1 WHERE name = 'two' OR rate < 0",
	"UPDATE stock SET k = 3 WHERE name LIKE '%o%' ORDER BY id DESC LIMIT 1",
	"UPDATE stock SET k = k + 1 ORDER BY rate LIMIT 2",
	"UPDATE stock SET town = 'q' WHERE name = 'one'",
	"UPDATE stock SET k = k + 1 WHERE rate IS NULL LIMIT 5",
	"DELETE FROM stock WHERE name = 'one'",
	"DELETE FROM stock WHERE name = 'nobody'",
	"DELETE FROM stock WHERE rate < 1 OR name = ''",
	"DELETE FROM stock ORDER BY rate DESC LIMIT 2",
	"DELETE FROM stock WHERE name LIKE '%o%' AND id > 0",
	"UPDATE stock SET nosuch = 1",
	"UPDATE stock SET k = nosuch + 1",
	"UPDATE stock AS s SET s.k = s.k + 1, s.town = s.id WHERE s.id = 1",
}

// TestReadToWrite: statements that read rows before they write them leave the rows that
// a plain server does, and say the same of it.
func TestReadToWrite(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) { r.writes(t, rewrites) })
}

// writes compares what statements do to the table, filled anew before each, for clients
// of several kinds.
func (r *rig) writes(t *testing.T, statements []string) {
	r.stock()
	single := wiretest.ClientCaps &^ wire.ClientMultiStatements
	for _, caps := range []wire.Capability{wiretest.ClientCaps, single | wire.ClientFoundRows, single} {
		for _, mode := range []string{"STRICT_TRANS_TABLES", ""} {
			for _, automatic := range []int{1, 0} {
				name := fmt.Sprintf("found rows %v, several statements %v, mode %q, autocommit %d",
					caps.Has(wire.ClientFoundRows), caps.Has(wire.ClientMultiStatements), mode, automatic)
				t.Run(name, func(t *testing.T) {
					p := r.pair(t, caps)
					p.each(fmt.Sprintf("SET sql_mode = '%s', autocommit = %d", mode, automatic))
					for _, s := range statements {
						p.each("DELETE FROM stock")
						p.each(filled...)
						p.each("COMMIT")
						p.wrote(s)
						p.each(allStock, "COMMIT")
					}
				})
			}
		}
	}
}

// wrote compares the answers to a statement that writes. An error tells nothing of
// the expression that it is about.
func (p *pair) wrote(statement string) {
	p.t.Helper()
	direct, tunnel := p.text(statement)
	if e := direct.err; e != nil && e.Number == 1690 {
		e.Message, _, _ = strings.Cut(e.Message, " in '")
	}
	if p.direct.Caps.Has(wire.ClientFoundRows) { // whose sets of constants are not read first
		for _, a := range []*answer{&direct, &tunnel} {
			for i := range a.sets {
				a.sets[i].OK.Info = changedCount.ReplaceAll(a.sets[i].OK.Info, nil)
			}
		}
	}
	if diff := difference(direct, tunnel, p.direct.Caps); diff != "" {
		p.t.Errorf("%s\n%s", statement, diff)
	}
}

var changedCount = regexp.MustCompile(`Changed: \d+`)
