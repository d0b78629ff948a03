package exec

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// copiedStock is the table stock before protected columns have taken the place of plain
// ones: each of these has its copy.
func (r *rig) copiedStock() {
	columns := []col{
		{name: "id", typ: "INT", protect: "plain"},
		{name: "code", typ: "VARCHAR(20)", protect: "plain"},
		{name: "k", typ: "INT", protect: "plain", def: "0"},
		{name: "big", typ: "BIGINT UNSIGNED", protect: "plain", null: true},
		{name: "price", typ: "DECIMAL(10,2)", protect: "plain", null: true},
		{name: "name", typ: "VARCHAR(12)", protect: "plain", null: true, def: "'nobody'"},
		{name: "day", typ: "DATE", protect: "plain", null: true},
		{name: "at", typ: "DATETIME(3)", protect: "plain", null: true},
		{name: "bits", typ: "BINARY(4)", protect: "plain", null: true},
		{name: "pad", typ: "CHAR(6)", protect: "plain", null: true, extra: "CHARACTER SET latin1"},
		{name: "town", typ: "VARCHAR(12)", protect: "plain", null: true},
	}
	protect := map[string]string{"code": "equality", "k": "order", "big": "sealed", "price": "order", "name": "equality", "day": "sealed", "at": "order", "bits": "equality", "pad": "equality"}
	for _, c := range columns {
		if p := protect[c.name]; p != "" {
			c.copies, c.name, c.protect, c.extra = c.name, "tunic$"+c.name, p, ""
			columns = append(columns, c)
		}
	}
	r.table("stock", columns, primary("id"), unique("code", "code"))
}

var copiedFilled = []string{
	"INSERT INTO stock (id, code, k, big, price, name, day, at, bits, pad, town) VALUES (1, 'a', 10, 5, 1.50, 'one', '2020-01-31', '2020-01-31 10:11:12.345', 'xyz', 'pé', 'x')",
	"INSERT INTO stock (id, code, k, big, price, name, day) VALUES (2, 'b', 20, 18446744073709551615, 99999999.99, 'TWO', '2021-02-28'), " +
		"(3, 'c', 30, NULL, NULL, NULL, NULL), (4, 'd', -40, 0, -0.01, '', '1999-12-31')",
}

// copiedWrites are statements that write plain columns of which others are copies.
var copiedWrites = []string{
	"INSERT INTO stock VALUES (5, 'e', 5, 6, 7.125, 'ünï', '2024-02-29', NOW(), '\\0\\'', 'pad  ', 'n')",
	"INSERT INTO stock (id, code) VALUES (5, 'e')",
	"INSERT INTO stock (id, code, k, name) VALUES (5, 'e', DEFAULT, DEFAULT)",
	"INSERT INTO stock (id, code, k, name) VALUES (5, 'e', DEFAULT, 'n'), (6, CONCAT('f', 'g'), 1 + 2, UPPER('abc'))",
	"INSERT INTO stock (id, code, name) VALUES (5, 'e', 'much too long a name'), (6, 'f', NULL)",
	"INSERT IGNORE INTO stock (id, code, k, name, day) VALUES (5, 'e', 99999999999, 'much too long a name', 'no day'), (1, 'a', 1, 'x', NULL), (6, 'f', NULL, 'x', '2020-02-30')",
	"INSERT INTO stock (id, code, k) VALUES (5, 'e', 'abc')",
	"INSERT INTO stock (id, k) VALUES (5, 6)",
	"INSERT INTO stock SET id = 5, code = 'e', big = '12', price = '3.999', bits = x'0102', pad = 'a '",
	"INSERT INTO stock (id, code) VALUES (1, 'z')",
	"INSERT INTO stock (id, code) VALUES (7, 'a')",
	"REPLACE INTO stock (id, code, k) VALUES (7, 'a', 77)",
	"REPLACE INTO stock (id, code, name) VALUES (1, 'b', 'both')",
	"INSERT INTO stock (id, code, k, name) VALUES (1, 'a', 11, 'new') ON DUPLICATE KEY UPDATE k = VALUES(k), name = VALUES(name)",
	"INSERT INTO stock (id, code, k, name) VALUES (1, 'a', 11, 'new'), (9, 'i', 12, 'nine') ON DUPLICATE KEY UPDATE k = k + VALUES(k), name = CONCAT(name, '+'), town = 't'",
	"INSERT INTO stock (id, code) VALUES (9, 'b') ON DUPLICATE KEY UPDATE town = 'only'",
	"INSERT INTO stock (id, code, k) VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE k = 10",
	"INSERT INTO stock (id, code, k, name, price, big, at) SELECT id + 10, CONCAT(code, 'x'), k * 2, name, price, big, at FROM stock",
	"REPLACE INTO stock (id, code, k, pad) SELECT id, code, k + 1, 'again' FROM stock WHERE k > 0",
	"INSERT INTO stock (id, code, k) SELECT id, code, k FROM stock s ON DUPLICATE KEY UPDATE k = VALUES(k) + 100",
	"UPDATE stock SET k = k + 1 WHERE id = 1",
	"UPDATE stock SET k = k + 1",
	"UPDATE stock SET k = k + 0",
	"UPDATE stock SET k = 10",
	"UPDATE stock SET k = 10 WHERE k = 10",
	"UPDATE stock SET name = 'ONE' WHERE id = 1",
	"UPDATE stock SET name = 'one', k = 10 WHERE id = 1",
	"UPDATE stock SET k = k * 2, big = k WHERE id = 1",
	"UPDATE stock SET big = k, k = 7 WHERE id IN (1, 2)",
	"UPDATE stock SET k = 5, k = k + 1 WHERE id = 1",
	"UPDATE stock SET price = price * 1.1",
	"UPDATE stock SET price = price + 1 WHERE id < 4 ORDER BY id",
	"UPDATE IGNORE stock SET price = price + 1",
	"UPDATE stock SET name = CONCAT(name, 'a long tail of it') WHERE id = 1",
	"UPDATE IGNORE stock SET name = CONCAT(name, 'a long tail of it')",
	"UPDATE stock SET name = NULL, day = '2022-02-02'",
	"UPDATE stock SET code = NULL WHERE id = 1",
	"UPDATE stock SET code = CONCAT('b', '') WHERE id = 1",
	"UPDATE IGNORE stock SET code = CONCAT('z', '') WHERE id > 1 ORDER BY id",
	"UPDATE stock SET k = 20, town = UPPER(town)",
	"UPDATE stock SET k = k + 1, town = REPEAT('t', 20) WHERE id = 1",
	"UPDATE stock SET id = id + 100, k = k + 1 WHERE id > 2",
	"UPDATE stock SET id = id + 1, k = k + 1 ORDER BY id DESC",
	"UPDATE stock SET day = DATE_ADD(day, INTERVAL 1 DAY), at = '2020-02-02 02:02:02.0226', bits = 'q', pad = CONCAT(pad, 'z')",
	"UPDATE stock SET k = k + 1 WHERE name = 'one' ORDER BY price LIMIT 1",
	"UPDATE stock SET town = 'q' WHERE name = 'one'",
	"UPDATE stock AS s SET s.k = s.k + 1, s.town = s.id WHERE s.id = 1",
	"UPDATE stock a JOIN stock b ON a.id = b.id + 1 SET a.k = 3",
	"DELETE FROM stock WHERE name = 'one'",
	"UPDATE stock SET `tunic$k` = 1",
	"UPDATE stock SET nosuch = 1",
}

// TestCopied: a table whose plain columns are copied answers as the plain one does, and
// the copies have every value that is written.
func TestCopied(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.copiedStock()
		for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps&^wire.ClientMultiStatements | wire.ClientFoundRows} {
			for i, mode := range []string{"STRICT_TRANS_TABLES", ""} {
				t.Run(fmt.Sprintf("found rows %v, mode %q", caps.Has(wire.ClientFoundRows), mode), func(t *testing.T) {
					p := r.pair(t, caps)
					p.each(fmt.Sprintf("SET sql_mode = '%s', autocommit = %d, timestamp = 1700000000", mode, i))
					p.eachCopied(func(s string) { r.copiesAgree(t, s) })
				})
			}
		}
	})
}

// eachCopied does copiedWrites, each to the same rows, and those of inTransactions; agrees is asked behind each.
func (p *pair) eachCopied(agrees func(statement string)) {
	p.t.Helper()
	for _, s := range copiedWrites {
		p.each("DELETE FROM stock")
		p.each(copiedFilled...)
		p.each("COMMIT")
		p.wrote(s)
		p.each("SELECT * FROM stock ORDER BY id", "SELECT id FROM stock WHERE name = 'one' OR k > 5 ORDER BY k, id", "COMMIT")
		agrees(s)
	}
	p.inTransactions(agrees)
}

// inTransactions does those of copiedWrites that write one row by its key, in transactions that have read the row under a lock; agrees is
// asked behind each.
func (p *pair) inTransactions(agrees func(statement string)) {
	p.t.Helper()
	for _, s := range copiedWrites {
		if !strings.HasSuffix(s, " WHERE id = 1") {
			continue
		}
		p.each("DELETE FROM stock")
		p.each(copiedFilled...)
		p.each("COMMIT", "BEGIN", "SELECT * FROM stock WHERE id = 1 FOR UPDATE")
		p.wrote(s)
		p.each("UPDATE stock SET name = CONCAT(name, '+'), town = 'again' WHERE id = 1", "SELECT * FROM stock ORDER BY id", "COMMIT")
		agrees(s)
	}
}

// TestCopiedPrepared: the same of statements with parameters.
func TestCopiedPrepared(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.copiedStock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each("SET timestamp = 1700000000") // the default of at
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
			r.copiesAgree(t, s)
		}
	})
}

// copiesAgree compares every copy with what it is of: the sealed form opened, and each
// layer computed anew.
func (r *rig) copiesAgree(t *testing.T, statement string) {
	t.Helper()
	for _, c := range r.catalog.Table("shop", "stock").Columns {
		if c.Shadows != "" {
			r.copyAgrees(t, &c, statement)
		}
	}
}

func (r *rig) copyAgrees(t *testing.T, c *catalog.Column, statement string) {
	t.Helper()
	r.plainAgrees(t, c, c.Shadows, statement)
}

// plainAgrees compares the forms of a column with a plain one that is to have the same values.
func (r *rig) plainAgrees(t *testing.T, c *catalog.Column, plainName, statement string) {
	t.Helper()
	made, err := r.ring.Column(c)
	if err != nil {
		t.Fatal(err)
	}
	plain := "CAST(CONVERT(`" + plainName + "` USING utf8mb4) AS BINARY)"
	if c.Type.Kind.IsText() || c.Type.Kind.IsBytes() {
		plain = "CAST(`" + plainName + "` AS BINARY)"
	}
	sealed, open := r.opener(t, "stock", c)
	selected := []string{plain, sealed}
	for _, l := range c.Layers {
		if l.Bare() {
			continue
		}
		selected = append(selected, "`"+l.Stored+"`")
	}
	rows, err := r.db.QueryContext(context.Background(), "SELECT "+strings.Join(selected, ", ")+" FROM shop.stock")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		cells, into := make([][]byte, len(selected)), make([]any, len(selected))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		if cells[1], err = open(cells[1]); err != nil {
			t.Fatalf("%s: %s: %v", statement, c.Name, err)
		}
		r.copyOfRow(t, c, made, cells, statement)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// copyOfRow is copyAgrees for one row: cells are the plain value, the one that was sealed and the
// tokens.
func (r *rig) copyOfRow(t *testing.T, c *catalog.Column, made binding.Forms, cells [][]byte, statement string) {
	t.Helper()
	if cells[0] == nil || cells[1] == nil {
		for i, cell := range cells {
			if cell != nil {
				t.Errorf("%s: %s: one of the plain value and its forms, number %d, is not NULL as others are", statement, c.Name, i)
			}
		}
		return
	}
	canonical := cells[1]
	text := canonical
	if !c.Type.Kind.IsText() && !c.Type.Kind.IsBytes() {
		env := environment.Environment{}
		env.Value.Flavor = r.flavor
		text = valueText(c, canonical, &env)
	}
	if !bytes.Equal(text, cells[0]) {
		t.Errorf("%s: %s: %q has the copy %q", statement, c.Name, cells[0], text)
	}
	for i, l := range c.Layers {
		if l.Bare() { // behind the others
			continue
		}
		want, err := made.AppendToken(nil, l.Capability, canonical)
		if err != nil || !bytes.Equal(want, cells[2+i]) {
			t.Errorf("%s: %s: the %s layer is not that of the value: %v", statement, c.Name, l.Capability, err)
		}
	}
}

func valueText(c *catalog.Column, canonical []byte, env *environment.Environment) []byte {
	return value.AppendText(nil, &c.Type, canonical, &env.Value)
}
