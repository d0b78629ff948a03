package rotation

import (
	"database/sql"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys"
	"tunic/internal/waittest"
)

// inFamily is a table whose protected columns have one sealed form.
const inFamily = ` (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT COMMENT 'tunic: equality family row', name VARCHAR(40) NOT NULL COMMENT 'tunic: family row',
	tag VARCHAR(20) NOT NULL DEFAULT '' COMMENT 'tunic: equality family row', rank_ INT COMMENT 'tunic: order family row', KEY by_n (n), KEY by_rank (rank_))`

// family is the one of a table.
func (r *Rotation) family(table string) *catalog.Family {
	return &r.Ledger.Catalog().Table("shop", table).Families[0]
}

// TestFamiliesBesideClients: the forms of a family and the layers over its members get new keys while clients of two tunics
// read and write. Nobody sees an error or misses a row, and the old master key is needed by nothing.
func TestFamiliesBesideClients(t *testing.T) {
	onServers(t, func(b *bench) {
		const clients, each = 4, 300
		b.exec(b.tunic, "CREATE TABLE shop.person"+inFamily)
		b.people("person", clients*each)
		b.exec(b.tunic, "INSERT INTO shop.person (id, name) VALUES (100000, 'no n, and no rank')")
		keys, columns := b.shown("person"), b.columns("person")
		stop := make(chan struct{})
		var wg sync.WaitGroup
		var done atomic.Int64
		last, by := make([][each]int, clients), [...]*sql.DB{b.tunic, b.second()}
		for i := range clients {
			wg.Go(func() { b.client(by[i%len(by)], i, clients, &last[i], &done, stop) })
		}
		waittest.Until(b.t, "clients are at work", func() bool { return done.Load() > 50 })
		r := b.rotation()
		r.Layers = true
		report, err := r.Run(b.t.Context())
		if err != nil || !report.Whole() || report.Epoch != 1 {
			b.t.Fatalf("%+v, %v", report, err)
		}
		before := done.Load()
		waittest.Until(b.t, "clients go on", func() bool { return done.Load() > before+50 })
		close(stop)
		wg.Wait()
		if epochs, shadows := b.layerEpochs(r, "person"); !slices.Equal(epochs, []uint16{1}) || shadows || r.family("person").Epoch != 1 {
			b.t.Errorf("layers are of the epochs %v, shadows %v, and the family of %d", epochs, shadows, r.family("person").Epoch)
		}
		if one := report.table("person"); one.Old != 0 || one.Sealed == 0 || one.OldLayers != 0 {
			b.t.Errorf("%+v", one)
		}
		if got := b.shown("person"); got != keys {
			b.t.Errorf("keys\n%s\nwere\n%s", got, keys)
		}
		if got := b.columns("person"); !slices.Equal(got, columns) {
			b.t.Errorf("columns %v, were %v", got, columns)
		}
		for i := range clients {
			for j, n := range last[i] {
				b.is(j*clients+i+1, n)
			}
		}
		if k, err := r.Destroy(b.t.Context(), b.options); err != nil || !k.Whole() || !slices.Equal(k.Spare, []uint16{0}) {
			b.t.Errorf("%+v, %v", k, err)
		}
		b.is(1, last[0][0])
		b.inspect()
	})
}

// TestFamilyNeedsItsKey: a master key stays that rows of a family are sealed under.
func TestFamilyNeedsItsKey(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.heap (n INT COMMENT 'tunic: family row', m INT COMMENT 'tunic: family row')", "INSERT INTO shop.heap VALUES (1, NULL), (NULL, NULL)")
		r := b.rotation()
		if report, err := r.Run(b.t.Context()); err != nil || report.Whole() || r.family("heap").Epoch != 1 {
			b.t.Fatalf("%+v, %v", report, err)
		}
		k, err := r.Destroy(b.t.Context(), b.options)
		if err != nil || k.Whole() || len(k.Spare) > 0 || !slices.Contains(k.Needs, Need{0, "shop", "heap", NeedRows, 2}) {
			b.t.Errorf("%+v, %v", k, err)
		}
		b.exec(b.tunic, "DELETE FROM shop.heap", "INSERT INTO shop.heap VALUES (3, NULL)")
		if k, err := r.Destroy(b.t.Context(), b.options); err != nil || !k.Whole() {
			b.t.Errorf("when all rows were written: %+v, %v", k, err)
		}
		b.inspect()
	})
}

// TestCountFamily: what the key of a family seals counts, and when it has sealed enough its table gets another one.
func TestCountFamily(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.busy"+inFamily)
		b.people("busy", 20)
		r := b.rotation()
		count := &Count{Rotation: r, Seals: new(crypt.Seals), Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Most: 1e6}
		busy := r.Ledger.Catalog().Table("shop", "busy")
		family, member := keys.Use{Domain: keys.Domain(busy.Families[0].ID)}, keys.Use{Domain: keys.Domain(busy.Columns[1].ID)}
		if err := r.Ledger.AddSeals(t.Context(), map[keys.Use]uint64{family: 900, member: 7}); err != nil {
			t.Fatal(err)
		}
		moved := 0
		count.Told = func(_ uint64, tables int) { moved = tables }
		b.look(count)
		if all := b.seals(r); all[family] < 900 || all[member] != 0 || moved != 0 {
			t.Errorf("the ledger has %v; nothing is sealed by a member's own key", all)
		}
		if err := r.Ledger.AddSeals(t.Context(), map[keys.Use]uint64{family: 1e6}); err != nil {
			t.Fatal(err)
		}
		b.look(count)
		now := r.Ledger.Catalog().Table("shop", "busy")
		if moved != 1 || now.Families[0].Epoch != 1 || now.Columns[1].Epoch != 1 {
			t.Errorf("%d tables have another key: the family is of epoch %d", moved, now.Families[0].Epoch)
		}
		b.exec(b.tunic, "UPDATE shop.busy SET n = 2 WHERE id = 17")
		if old, err := r.count(t.Context(), busy.ID); err != nil || old != 19 {
			t.Errorf("%d rows are of the old key: %v", old, err)
		}
		b.inspect()
	})
}
