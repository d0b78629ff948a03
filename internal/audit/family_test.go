package audit

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/crypt"
	"tunic/internal/ddl/examination"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/policy"
)

// TestFamilies: a table with a family is looked at as others are: its columns, the forms of its rows, and the tokens of members.
func TestFamilies(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.line (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT COMMENT 'tunic: equality family f', s VARCHAR(20) COMMENT 'tunic: family f')")
		now, err := ledger.Inspect(t.Context(), b.audit.Ledger)
		if err != nil {
			b.t.Fatal(err)
		}
		ring, line := crypt.NewRing(now.Tree), now.Catalog.Table("shop", "line")
		family, err := ring.Family(line, &line.Families[0])
		if err != nil {
			b.t.Fatal(err)
		}
		n, err := ring.Column(&line.Columns[1])
		if err != nil {
			b.t.Fatal(err)
		}
		for id := range byte(4) {
			number := []byte{0, 0, 0, 0, 0, 0, 0, id}
			token, err := n.AppendToken(nil, policy.Equality, number)
			if err != nil {
				b.t.Fatal(err)
			}
			sealed, err := family.AppendSealed(nil, [][]byte{number, nil})
			if err != nil {
				b.t.Fatal(err)
			}
			b.exec(b.server, fmt.Sprintf("INSERT INTO shop.line (id, `n$eq`, `f$form`) VALUES (%d, x'%x', x'%x')", id, token, sealed))
		}
		if r := b.run(); !r.Good() || r.Tables[0].Rows != 4 {
			b.t.Fatalf("%+v", r)
		}
		b.exec(b.server, "UPDATE shop.line SET `n$eq` = REPEAT('x', 8) WHERE id = 2", "UPDATE shop.line SET `f$form` = CONCAT(LEFT(`f$form`, 30), REVERSE(SUBSTR(`f$form`, 31))) WHERE id = 3")
		key := "PRIMARY (id)"
		want := []layers.Fault{
			{Column: "f$form", Kind: layers.Unopened, Rows: 1, First: []int64{4}, Key: key}, {Column: "n", Layer: policy.Equality, Kind: layers.Wrong, Rows: 1, First: []int64{3}, Key: key},
		}
		if r := b.run(); r.Good() || cmp.Diff(want, r.Tables[0].Faults) != "" {
			b.t.Errorf("%s", cmp.Diff(want, r.Tables[0].Faults))
		}
		b.exec(b.server, "ALTER TABLE shop.line DROP COLUMN s")
		if r := b.run(); cmp.Diff([]examination.Mismatch{{Of: "column", Name: "s", Problem: examination.Missing}}, r.Tables[0].Mismatches) != "" {
			b.t.Errorf("%+v", r.Tables[0])
		}
	})
}
