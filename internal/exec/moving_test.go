package exec

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/wire/wiretest"
)

// movingStored is the stored column of the family that columns are about to come into.
const movingStored = "moving$form"

// movingStock is the table stock while its protected columns, or those of its family, are about to come into another family.
func (r *rig) movingStock() {
	r.t.Helper()
	t := *r.table("stock", []col{
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
	}, primary("id"), unique("code", "code"))
	t.Columns, t.Families = slices.Clone(t.Columns), slices.Clone(t.Families)
	f := catalog.Family{ID: catalog.ID{t.ID[0], 0xfe}, Stored: movingStored, Takes: "moved$form"}
	for i := range t.Known() {
		c := t.Columns[i]
		if c.Protected() {
			c.Shadows, c.Name, c.Layers, c.Backfilling, c.Invisible, c.Family = c.Name, "tunic$"+c.Name, nil, true, true, movingStored
			c.Default = catalog.Default{Kind: catalog.DefaultNull}
			t.Columns = append(t.Columns, c)
		}
	}
	var members []*catalog.Column
	for _, i := range t.Members(&f) {
		members = append(members, &t.Columns[i])
	}
	written, err := crypt.AppendLayout(nil, members)
	if err != nil {
		r.t.Fatal(err)
	}
	f.Layouts, f.Bytes = []catalog.Layout{{Number: 1, Written: written}}, 1<<12
	t.Families = append(t.Families, f)
	if err := t.Check(); err != nil {
		r.t.Fatal(err)
	}
	r.exec("ALTER TABLE shop.stock ADD COLUMN `" + movingStored + "` LONGBLOB NULL")
	r.catalog = r.catalog.Next(r.catalog.Version+1, nil, []*catalog.Table{&t})
}

// TestMoving: while columns are about to come into another family the table answers as the plain one does, and each form of that family
// has the values of its row.
func TestMoving(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.movingStock()
		for i, mode := range []string{"STRICT_TRANS_TABLES", ""} {
			t.Run(fmt.Sprintf("mode %q", mode), func(t *testing.T) {
				p := r.pair(t, wiretest.ClientCaps)
				p.each(fmt.Sprintf("SET sql_mode = '%s', autocommit = %d, timestamp = 1700000000", mode, i))
				p.eachCopied(func(s string) { r.movesAgree(t, s) })
				p.prepared("INSERT INTO stock (id, code, k) VALUES (12, CONCAT(?, 'x'), DEFAULT), (13, 'm', 9)", 0, []binding.Param{str("p")})
				p.prepared("UPDATE stock SET name = CONCAT(name, ?), k = k + 1", 0, []binding.Param{str("é")})
				r.movesAgree(t, "prepared")
			})
		}
	})
}

// movesAgree compares the forms of the family with what rows have.
func (r *rig) movesAgree(t *testing.T, statement string) {
	t.Helper()
	table := r.catalog.Table("shop", "stock")
	next, err := r.ring.Family(table, &table.Families[len(table.Families)-1])
	if err != nil {
		t.Fatal(err)
	}
	for at, id := range next.Columns() {
		of := slices.IndexFunc(table.Columns, func(c catalog.Column) bool { return c.ID == id })
		c := &table.Columns[of]
		stored, open := r.opener(t, "stock", c)
		rows, err := r.db.QueryContext(context.Background(), "SELECT "+stored+", `"+movingStored+"` FROM shop.stock")
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var was, is []byte
			if err := rows.Scan(&was, &is); err != nil {
				t.Fatal(err)
			}
			want, err := open(was)
			if err != nil {
				t.Fatal(err)
			}
			_, opened, err := next.AppendOpened(nil, is)
			if err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
			if got, _, ok := opened.Value(nil, at); !ok || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
				t.Errorf("%s: %s is %q, and %q in its new family", statement, c.Name, want, got)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		_ = rows.Close()
	}
}
