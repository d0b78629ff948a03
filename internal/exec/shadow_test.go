package exec

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/layers"
	"tunic/internal/value"
	"tunic/internal/wire/wiretest"
)

// succeededStock is the table stock while other columns are to take the place of protected
// ones, whose types change.
func (r *rig) succeededStock() {
	now := []col{
		{name: "id", typ: "INT", protect: "plain"},
		{name: "code", typ: "VARCHAR(20)", protect: "equality"},
		{name: "k", typ: "INT", protect: "order", def: "0"},
		{name: "big", typ: "BIGINT UNSIGNED", protect: "sealed", null: true},
		{name: "price", typ: "DECIMAL(10,2)", protect: "order", null: true},
		{name: "name", typ: "VARCHAR(12)", protect: "equality", null: true, def: "'nobody'"},
		{name: "day", typ: "DATE", protect: "sealed", null: true},
		{name: "at", typ: "DATETIME(3)", protect: "order", null: true},
		{name: "bits", typ: "BINARY(4)", protect: "equality", null: true},
		{name: "pad", typ: "CHAR(6)", protect: "equality", null: true, extra: "CHARACTER SET latin1"},
		{name: "town", typ: "VARCHAR(12)", protect: "plain", null: true},
	}
	becomes := map[string]string{
		"code": "VARCHAR(40) COLLATE utf8mb4_bin", "k": "BIGINT", "big": "DECIMAL(24,2)", "price": "DECIMAL(20,4)",
		"name": "VARCHAR(200)", "day": "DATETIME", "at": "DATETIME(6)", "bits": "BINARY(4)", "pad": "VARCHAR(30) CHARACTER SET utf8mb4",
	}
	wide, next := []col{}, []col{}
	for _, c := range now {
		if typ := becomes[c.name]; typ != "" {
			next = append(next, col{name: "tunic$" + c.name, copies: c.name, like: "wide", protect: c.protect, null: true})
			c.typ, c.extra = typ, ""
		}
		wide = append(wide, c)
	}
	r.table("wide", wide, primary("id"))
	r.table("stock", append(now, next...), primary("id"), unique("code", "code"))
}

// TestShadows: while columns have shadows the table answers as the plain one does, and
// the shadows have every value that is written, converted.
func TestShadows(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.succeededStock()
		for i, mode := range []string{"STRICT_TRANS_TABLES", ""} {
			t.Run(fmt.Sprintf("mode %q", mode), func(t *testing.T) {
				p := r.pair(t, wiretest.ClientCaps)
				p.each(fmt.Sprintf("SET sql_mode = '%s', autocommit = %d", mode, i))
				p.eachCopied(func(s string) { r.shadowsAgree(t, s) })
				p.prepared("INSERT INTO stock (id, code, k) VALUES (12, CONCAT(?, 'x'), DEFAULT), (13, 'm', 9)", 0, []binding.Param{str("p")})
				p.prepared("UPDATE stock SET name = CONCAT(name, ?), k = k + 1", 0, []binding.Param{str("é")})
				r.shadowsAgree(t, "prepared")
			})
		}
	})
}

// shadowsAgree compares every shadow with what it is of.
func (r *rig) shadowsAgree(t *testing.T, statement string) {
	t.Helper()
	table := r.catalog.Table("shop", "stock")
	for i := range table.Columns {
		if of := table.ShadowOf(i); of >= 0 {
			r.shadowAgrees(t, &table.Columns[of], &table.Columns[i], statement)
		}
	}
}

func (r *rig) shadowAgrees(t *testing.T, of, c *catalog.Column, statement string) {
	t.Helper()
	was, open := r.opener(t, "stock", of)
	makes, err := r.ring.Column(c)
	if err != nil {
		t.Fatal(err)
	}
	convert := layers.Converter(&of.Type, &c.Type, &value.Env{Flavor: r.flavor})
	selected := []string{was, "`" + c.Name + "`"}
	for _, l := range c.Layers {
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
		want := make([][]byte, len(cells)-1)
		was, err := open(cells[0])
		if err != nil {
			t.Fatal(err)
		}
		if was != nil {
			if want[0], err = convert(was); err != nil {
				t.Fatalf("%s: %s: %v", statement, of.Name, err)
			}
			for i, l := range c.Layers {
				if want[i+1], err = makes.AppendToken(nil, l.Capability, want[0]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := cells[1]; got != nil {
			if cells[1], err = makes.AppendOpened([]byte{}, got); err != nil {
				t.Fatalf("%s: %s: %v", statement, of.Name, err)
			}
		}
		for i := range want {
			if !bytes.Equal(want[i], cells[i+1]) || (want[i] == nil) != (cells[i+1] == nil) {
				t.Errorf("%s: %s: form %d of the shadow is %x, not %x", statement, of.Name, i, cells[i+1], want[i])
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestMisfit: a value that only the old type has room for is not stored, in whichever way it
// is written, and neither is the statement's other work.
func TestMisfit(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		id := col{name: "id", typ: "INT", protect: "plain"}
		r.table("narrow", []col{id, {name: "k", typ: "TINYINT", protect: "equality", null: true}, {name: "s", typ: "VARCHAR(3)", protect: "sealed", null: true}}, primary("id"))
		r.table("stock", []col{
			id,
			{name: "k", typ: "INT", protect: "equality", null: true},
			{name: "s", typ: "VARCHAR(9)", protect: "sealed", null: true},
			{name: "tunic$k", copies: "k", like: "narrow", protect: "equality", null: true},
			{name: "tunic$s", copies: "s", like: "narrow", protect: "sealed", null: true},
		}, primary("id"))
		p := r.pair(t, wiretest.ClientCaps)
		p.each("INSERT INTO stock VALUES (1, 100, 'abc'), (2, NULL, NULL)")
		for _, s := range []string{
			"INSERT INTO stock VALUES (3, 3, 'c'), (4, 1000, 'd')",
			"INSERT INTO stock VALUES (3, 3, 'longer')",
			"INSERT INTO stock SELECT id + 10, k * 2, s FROM stock",
			"UPDATE stock SET k = k + 100",
			"UPDATE stock SET s = 'longer' WHERE id = 2",
			"REPLACE INTO stock VALUES (1, 128, NULL)",
			"INSERT INTO stock VALUES (1, 1, 'x') ON DUPLICATE KEY UPDATE k = 999",
		} {
			if got := p.readText(p.tunnel, s); got.err == nil || got.err.Number != binding.ErrMisfit.Number {
				t.Errorf("%s: %+v", s, got.err)
			}
			p.same("SELECT * FROM stock ORDER BY id")
			r.shadowsAgree(t, s)
		}
	})
}
