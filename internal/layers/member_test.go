package layers

import (
	"fmt"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/policy"
)

// lines makes a table with a family of a number, which has a layer, and a text, and a number that is sealed by itself.
func (b *bench) lines() *catalog.Table {
	b.t.Helper()
	b.exec("CREATE TABLE shop.line (id INT NOT NULL PRIMARY KEY, n TINYINT AS (NULL) VIRTUAL, `n$eq` BINARY(8), s TINYINT AS (NULL) VIRTUAL, " +
		"k BINARY(39), `k$eq` BINARY(8), `f$form` VARBINARY(200))")
	t := &catalog.Table{
		ID: catalog.ID{2}, Schema: "shop", Name: "line", Revision: 1,
		Columns: []catalog.Column{
			typed(b.t, 1, "id", "int", "", true), protected(typed(b.t, 5, "n", "int", "", false), catalog.PRP64, catalog.Ready),
			protected(typed(b.t, 6, "s", "varchar(20)", "utf8mb4_bin", true), catalog.CMAC, catalog.Ready), protected(typed(b.t, 7, "k", "int", "", false), catalog.PRP64, catalog.Ready),
		},
		Keys:     []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}},
		Families: []catalog.Family{{ID: catalog.ID{9}, Stored: "f$form", Bytes: 1 << 10}},
	}
	t.Columns[2].Layers = nil
	t.Columns[1].Family, t.Columns[2].Family = "f$form", "f$form"
	written, err := crypt.AppendLayout(nil, []*catalog.Column{&t.Columns[1], &t.Columns[2]})
	if err != nil {
		b.t.Fatal(err)
	}
	t.Families[0].Layouts = []catalog.Layout{{Number: 1, Written: written}}
	if err := t.Check(); err != nil {
		b.t.Fatal(err)
	}
	return t
}

// line is a row of it, whose number is NULL if n is 0.
func (b *bench) line(t *catalog.Table, id, n int, s string) {
	b.t.Helper()
	f, err := b.ring.Family(t, &t.Families[0])
	if err != nil {
		b.t.Fatal(err)
	}
	var number []byte
	if n > 0 {
		number = append(make([]byte, 4), canonical(n)[4:]...)
	}
	sealed, err := f.AppendSealed(nil, [][]byte{number, []byte(s)})
	if err != nil {
		b.t.Fatal(err)
	}
	b.exec(fmt.Sprintf("REPLACE INTO shop.line (id, `n$eq`, `f$form`, k, `k$eq`) VALUES (%d, %s, x'%x', NULL, NULL)", id, b.lineToken(t, number), sealed))
}

func (b *bench) lineToken(t *catalog.Table, number []byte) string {
	b.t.Helper()
	if number == nil {
		return "NULL"
	}
	c, err := b.ring.Column(&t.Columns[1])
	if err != nil {
		b.t.Fatal(err)
	}
	token, err := c.AppendToken(nil, policy.Equality, number)
	if err != nil {
		b.t.Fatal(err)
	}
	return fmt.Sprintf("x'%x'", token)
}

// TestCountFamily: rows are counted by the epoch of a family's form, and none twice.
func TestCountFamily(t *testing.T) {
	onServers(t, func(b *bench) {
		table := b.lines()
		for id := 1; id <= 5; id++ {
			b.line(table, id, id, "old")
		}
		next := *table
		next.Columns, next.Families = append([]catalog.Column(nil), table.Columns...), append([]catalog.Family(nil), table.Families...)
		next.Families[0].Epoch = 3
		for i := range next.Columns {
			next.Columns[i].Epoch = 3
		}
		b.exec("UPDATE shop.line SET `f$form` = CONCAT(x'010003', SUBSTR(`f$form`, 4)) WHERE id = 1")
		for _, c := range []struct {
			table *catalog.Table
			want  int64
			epoch uint16
		}{{table, 1, 3}, {&next, 4, 0}} {
			r := Renewal{DB: b.db, Ring: b.ring, Table: c.table}
			if rows, epoch, err := r.Oldest(t.Context()); err != nil || rows != c.want || epoch != c.epoch {
				b.t.Errorf("%d rows, the oldest of epoch %d, %v; want %d, %d", rows, epoch, err, c.want, c.epoch)
			}
		}
	})
}
