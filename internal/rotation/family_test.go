package rotation

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys"
)

// sealLine puts a row into a table with a family, as a tunic would.
func (b *bench) sealLine(r *Rotation, t *catalog.Table, id int) {
	b.t.Helper()
	f, err := crypt.NewRing(r.Ledger.Tree()).Family(t, &t.Families[0])
	if err != nil {
		b.t.Fatal(err)
	}
	sealed, err := f.AppendSealed(nil, nil, [][]byte{{0, 0, 0, 0, 0, 0, 0, 7}, []byte("text")})
	if err != nil {
		b.t.Fatal(err)
	}
	b.exec(b.server, fmt.Sprintf("INSERT INTO shop.line (id, `f$form`) VALUES (%d, x'%x')", id, sealed))
}

// TestFamilyRows: what is written of a table with a family is of the new epoch, and its rows, which nobody seals anew, keep theirs, and
// its master key.
func TestFamilyRows(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.line (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT COMMENT 'tunic: family f', s VARCHAR(20) COMMENT 'tunic: family f')",
			"CREATE TABLE shop.person (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT, name VARCHAR(40))")
		b.rows("person", 10)
		r := b.rotation()
		line := r.Ledger.Catalog().Table("shop", "line")
		b.sealLine(r, line, 1)
		b.sealLine(r, line, 2)
		report, err := r.Run(b.t.Context())
		if err != nil || report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		if one := report.table("line"); one.Hindrance != Family || one.Epoch != 1 || one.Old != 2 || one.Failed != nil {
			b.t.Errorf("%+v", one)
		}
		if one := report.table("person"); one.Old != 0 || one.Epoch != 1 {
			b.t.Errorf("%+v", one)
		}
		k, err := r.Destroy(b.t.Context(), b.options)
		if err != nil || len(k.Spare) > 0 || !slices.Contains(k.Needs, Need{0, "shop", "line", NeedRows, 2}) || len(r.Ledger.Tree().Versions()) != 2 {
			b.t.Errorf("%+v, %v", k, err)
		}
		p, err := Look(b.t.Context(), b.options, nil, true)
		if err != nil || !p.New || p.Tables[0].Hindrance != Family || p.Tables[0].Old != 2 {
			b.t.Errorf("%+v, %v", p, err)
		}
		b.inspect()
		b.exec(b.server, "DELETE FROM shop.line")
		b.sealLine(r, r.Ledger.Catalog().Table("shop", "line"), 3)
		if n, err := r.count(b.t.Context(), line.ID); err != nil || n != 0 {
			b.t.Errorf("%d new rows are of the old epoch, %v", n, err)
		}
		b.inspect()
	})
}

// TestFamilySealsCount: what the key of a family has sealed is kept in the ledger, and the family gets another key in time.
func TestFamilySealsCount(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.line (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT COMMENT 'tunic: family f', s VARCHAR(20) COMMENT 'tunic: family f')")
		r := b.rotation()
		line := r.Ledger.Catalog().Table("shop", "line")
		use := keys.Use{Domain: keys.Domain(line.Families[0].ID)}
		count := &Count{Rotation: r, Seals: new(crypt.Seals), Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Most: 1e6}
		if err := r.Ledger.AddSeals(t.Context(), map[keys.Use]uint64{use: 5}); err != nil {
			t.Fatal(err)
		}
		b.look(count)
		if all := b.seals(r); all[use] != 5 {
			t.Errorf("the ledger has %v", all)
		}
		if err := r.Ledger.AddSeals(t.Context(), map[keys.Use]uint64{use: 1e6}); err != nil {
			t.Fatal(err)
		}
		b.look(count)
		now := r.Ledger.Catalog().Table("shop", "line")
		if now.Families[0].Epoch != 1 || now.Columns[1].Epoch != 1 || now.Columns[0].Epoch != 0 {
			t.Errorf("a family of epoch %d", now.Families[0].Epoch)
		}
		if _, err := crypt.NewRing(r.Ledger.Tree()).Family(now, &now.Families[0]); err != nil {
			t.Error(err)
		}
		b.look(count)
		if all := b.seals(r); all[use] != 0 {
			t.Errorf("the ledger has %v", all)
		}
	})
}
