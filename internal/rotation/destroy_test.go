package rotation

import (
	"errors"
	"slices"
	"testing"

	"tunic/internal/keys"
)

// TestHindrances: a table without a key is written under the new epoch, and said to have rows of
// the old one; a master key that they need is not destroyed.
func TestHindrances(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+wide, "CREATE TABLE shop.heap (n INT, name VARCHAR(40))")
		b.rows("person", 10)
		b.exec(b.tunic, "INSERT INTO shop.heap VALUES (1, 'one'), (2, 'two'), (NULL, NULL)")
		p, err := Look(b.t.Context(), b.options, []string{"shop.heap"}, false)
		if err != nil || len(p.Tables) != 1 || p.Tables[0].Hindrance != NoKey || !p.New {
			b.t.Errorf("%+v, %v", p, err)
		}
		if _, err := Look(b.t.Context(), b.options, []string{"shop.nobody"}, false); !errors.Is(err, ErrUnknown) {
			b.t.Errorf("a table that is not there: %v", err)
		}
		r := b.rotation()
		report, err := r.Run(b.t.Context())
		if err != nil || report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		k, err := r.Destroy(b.t.Context(), b.options)
		if err != nil || k.Whole() || len(k.Spare) > 0 || !slices.Contains(k.Needs, Need{0, "shop", "heap", NeedRows, 2}) || !slices.Contains(k.Needs, Need{0, "shop", "person", NeedLayers, 0}) {
			b.t.Errorf("%+v, %v", k, err)
		}
		if heap := report.table("heap"); heap.Old != 2 || heap.Epoch != 1 {
			b.t.Errorf("%+v", heap)
		}
		b.exec(b.tunic, "DELETE FROM shop.heap", "INSERT INTO shop.heap VALUES (5, 'five')", "ALTER TABLE shop.person DROP KEY n")
		report, err = r.Run(b.t.Context())
		if err != nil || !report.New || report.Epoch != 2 {
			b.t.Errorf("%+v, %v", report, err)
		}
		b.inspect()
	})
}

// TestDestroy: without layers of the old epoch the old master key goes, and everything is read
// and written as before, also by who has never had it.
func TestDestroy(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT, name VARCHAR(40))")
		b.rows("person", 700)
		r := b.rotation()
		if k, err := r.Destroy(b.t.Context(), b.options); err != nil || len(k.Spare) > 0 || !k.Whole() {
			b.t.Errorf("one key alone: %+v, %v", k, err)
		}
		report, err := r.Run(b.t.Context())
		if err != nil || !report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		if k, err := LookKeys(b.t.Context(), b.options); err != nil || !slices.Equal(k.Spare, []uint16{0}) || len(r.Ledger.Tree().Versions()) != 2 {
			b.t.Errorf("before: %+v, %v", k, err)
		}
		if k, err := r.Destroy(b.t.Context(), b.options); err != nil || !slices.Equal(k.Spare, []uint16{0}) || !k.Whole() {
			b.t.Fatalf("%+v, %v", k, err)
		}
		again := b.rotation()
		if got := again.Ledger.Tree().Versions(); len(got) != 1 || got[0] != 1 {
			b.t.Errorf("master keys %v", got)
		}
		b.exec(b.tunic, "ALTER TABLE shop.person ADD KEY (n)", "CREATE TABLE shop.visit"+wide)
		b.rows("visit", 10)
		b.is(7, 70)
		b.inspect()
	})
}

// TestAnotherKeyFile: a tunic that could not open the new master key is told of, and goes on.
func TestAnotherKeyFile(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+wide)
		b.rows("person", 10)
		next, err := keys.NewKEK()
		if err != nil {
			b.t.Fatal(err)
		}
		if err := b.rotation().Ledger.Rewrap(b.t.Context(), next); err != nil {
			b.t.Fatal(err)
		}
		b.options.KEK = next
		r := b.rotation()
		if _, err := r.Run(b.t.Context()); !errors.Is(err, ErrHolders) {
			b.t.Errorf("%v", err)
		}
		b.is(7, 70)
		if got := r.Ledger.Tree().Newest(); got != 0 {
			b.t.Errorf("there is a master key of version %d", got)
		}
	})
}

// TestOneAtATime: a rotation beside another one is refused, and makes no master key.
func TestOneAtATime(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+wide)
		b.rows("person", 600)
		one, other := b.rotation(), b.rotation()
		beside := 0
		one.Progress = func(Progress) {
			_, run := other.Run(b.t.Context())
			_, destroy := other.Destroy(b.t.Context(), b.options)
			if !errors.Is(run, ErrUnderway) || !errors.Is(destroy, ErrUnderway) {
				b.t.Errorf("beside another: %v, %v", run, destroy)
			}
			beside++
		}
		if report, err := one.Run(b.t.Context()); err != nil || !report.Whole() || beside == 0 {
			b.t.Fatalf("%+v, %v; asked %d times", report, err, beside)
		}
		if got := one.Ledger.Tree().Newest(); got != 1 {
			b.t.Errorf("master key %d", got)
		}
		if report, err := other.Run(b.t.Context()); err != nil || !report.Whole() || report.Epoch != 2 {
			b.t.Errorf("behind the other: %+v, %v", report, err)
		}
	})
}
