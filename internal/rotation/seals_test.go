package rotation

import (
	"errors"
	"io"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"tunic/internal/crypt"
	"tunic/internal/keys"
)

// TestCount: what is sealed is added up over tunics and their ends, and a table whose key has
// sealed enough gets another one, for what is written from then on, while a client goes on.
func TestCount(t *testing.T) {
	onServers(t, func(b *bench) {
		apart := strings.NewReplacer("n INT", "n INT COMMENT 'tunic: apart'", "(40)", "(40) COMMENT 'tunic: apart'", "DATE", "DATE COMMENT 'tunic: apart'").Replace(wide)
		b.exec(b.tunic, "CREATE TABLE shop.busy"+apart, "CREATE TABLE shop.idle"+apart)
		b.rows("busy", 5000)
		r := b.rotation()
		count := &Count{Rotation: r, Seals: new(crypt.Seals), Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Most: 1e6}
		busy := r.Ledger.Catalog().Table("shop", "busy")
		use := keys.Use{Domain: keys.Domain(busy.Columns[busy.Column("name")].ID), Epoch: 0}

		// The seals of this process, of one that has ended, and of a column that is gone.
		ring := crypt.NewRingCounting(r.Ledger.Tree(), count.Seals)
		column, err := ring.Column(&busy.Columns[busy.Column("name")])
		if err != nil {
			t.Fatal(err)
		}
		for range 3000 {
			if _, err := column.AppendSealed(nil, []byte("some text")); err != nil {
				t.Fatal(err)
			}
		}
		gone := keys.Use{Domain: keys.Domain{1, 2, 3}}
		if err := r.Ledger.AddSeals(t.Context(), map[keys.Use]uint64{use: 500, gone: 7}); err != nil {
			t.Fatal(err)
		}
		busiest, moved := uint64(0), 0
		count.Told = func(most uint64, tables int) { busiest, moved = most, tables }
		b.look(count)
		if busiest < 2500 || busiest > 20_000 || moved != 0 { // the tunic that serves tells of its rows, too
			t.Errorf("500 seals, and 3000 of which one in 64 counts: %d, and %d tables have another key", busiest, moved)
		}
		if all := b.seals(r); all[gone] != 0 || all[use] < busiest {
			t.Errorf("the ledger has %v", all)
		}

		if err := r.Ledger.AddSeals(t.Context(), map[keys.Use]uint64{use: 1e6}); err != nil {
			t.Fatal(err)
		}
		b.look(count)
		now := r.Ledger.Catalog()
		if moved != 1 || now.Table("shop", "busy").Columns[busy.Column("name")].Epoch != 1 || now.Table("shop", "idle").Columns[busy.Column("name")].Epoch != 0 {
			t.Errorf("%d tables have another key, of epoch %d", moved, now.Table("shop", "busy").Columns[busy.Column("name")].Epoch)
		}
		b.exec(b.tunic, "INSERT INTO shop.busy (id, n, name) VALUES (6000, 1, 'new')", "UPDATE shop.busy SET n = 2 WHERE id = 17")
		if old, err := r.count(t.Context(), busy.ID); err != nil || old != 5000 {
			t.Errorf("%d rows are of the old key, %v: one is new, and one has an old name and a new number", old, err)
		}
		b.inspect()
		b.look(count)
		if all := b.seals(r); moved != 0 || all[use] != 0 {
			t.Errorf("another look: %d tables have another key, and the ledger has %v", moved, all)
		}
	})
}

// TestCountFails: what could not be told to the ledger is told with the next look.
func TestCountFails(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.busy"+wide)
		r := b.rotation()
		count := &Count{Rotation: r, Seals: new(crypt.Seals), left: map[keys.Use]uint64{{Epoch: 3}: 5}}
		b.exec(b.server, "RENAME TABLE _tunic.seals TO _tunic.away")
		if err := count.Add(t.Context()); err == nil {
			t.Error("a table that is not there takes counts")
		}
		b.exec(b.server, "RENAME TABLE _tunic.away TO _tunic.seals")
		if err := errors.Join(count.Add(t.Context()), count.Add(t.Context())); err != nil {
			t.Fatal(err)
		}
		if all := b.seals(r); !maps.Equal(all, map[keys.Use]uint64{{Epoch: 3}: 5}) {
			t.Errorf("the ledger has %v", all)
		}
	})
}

func (b *bench) look(c *Count) {
	b.t.Helper()
	if err := c.Look(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) seals(r *Rotation) map[keys.Use]uint64 {
	b.t.Helper()
	all, err := r.Ledger.Seals(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}
