package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/policy"
	"tunic/internal/waittest"
)

func newKEK(t *testing.T) *keys.KEK {
	t.Helper()
	kek, err := keys.NewKEK()
	if err != nil {
		t.Fatal(err)
	}
	return kek
}

// TestRewrap: another key file opens the ledger from then on and the old one does not; who
// has it open goes on, reads what the others write, and gets hold of it again.
func TestRewrap(t *testing.T) {
	onServers(t, func(b *bench) {
		running, l := b.open(), b.open()
		one := fenced(table("one", 1))
		b.made(running, one)
		own, next := b.kek, newKEK(t)
		if err := l.Rewrap(t.Context(), next); err != nil {
			t.Fatal(err)
		}
		if _, err := b.opened(); !errors.Is(err, keys.ErrOtherKey) {
			t.Errorf("the old key file: %v", err)
		}
		b.kek = next
		fresh := b.open()
		b.made(fresh, fenced(table("two", 2)))
		waittest.Until(t, "it reads on", func() bool { return running.Catalog().Len() == 2 && running.Usable() == nil })
		b.kill(running)
		waittest.Until(t, "it is back", func() bool {
			running.mu.Lock()
			defer running.mu.Unlock()
			return running.Usable() == nil && running.links > 1
		})
		if !b.altered(running, "one") {
			t.Error("it does not change tables any more")
		}
		b.kek = own
		if err := fresh.Rewrap(t.Context(), own); err != nil {
			t.Fatal(err)
		}
		if c, err := b.opened(); err != nil || c.Len() != 2 {
			t.Errorf("wrapped by the first key file again: %v", err)
		}
	})
}

// kill closes the connection of a ledger at the server.
func (b *bench) kill(l *Ledger) {
	b.t.Helper()
	id, err := l.Link(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.db.ExecContext(b.t.Context(), fmt.Sprintf("KILL %d", id)); err != nil {
		b.t.Fatal(err)
	}
}

// TestAddMaster: every member has the new key when it is there, and seals what it writes
// under it; who opens the ledger later has all of them.
func TestAddMaster(t *testing.T) {
	onServers(t, func(b *bench) {
		l, other := b.open(), b.open()
		one := fenced(table("one", 1))
		b.made(l, one)
		for want := uint16(1); want <= 2; want++ {
			epoch, err := l.AddMaster(t.Context())
			if err != nil || epoch != want {
				t.Fatalf("epoch %d, %v", epoch, err)
			}
			if other.Tree().Newest() != want || l.Tree().Newest() != want {
				t.Errorf("members are at %d and %d", other.Tree().Newest(), l.Tree().Newest())
			}
			if got := b.epochs(); !slices.Equal(got, []uint16{want}) {
				t.Errorf("the ledger is sealed under %v", got)
			}
		}
		if !b.altered(other, "one") || !b.altered(l, "one") {
			t.Error("a member does not change tables any more")
		}
		d := keys.Derivation{Purpose: keys.PurposeSealed, Suite: keys.SuiteAES, Domain: keys.Domain{1}, Epoch: 1}
		fresh := b.open()
		for _, tree := range []*keys.Tree{other.Tree(), fresh.Tree()} {
			mine, err := l.Tree().Derive(d, 32)
			theirs, failed := tree.Derive(d, 32)
			if err != nil || failed != nil || !mine.Equal(theirs) {
				t.Errorf("keys of the new epoch differ: %v, %v", err, failed)
			}
		}
	})
}

// TestAddMasterGoesAboveEpochs: no epoch that a column has been given is served by another key
// later.
func TestAddMasterGoesAboveEpochs(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		one := fenced(table("one", 1))
		one.Columns[0].Epoch = 7
		b.made(l, one)
		if epoch, err := l.AddMaster(t.Context()); err != nil || epoch != 8 {
			t.Errorf("epoch %d, %v", epoch, err)
		}
	})
}

// epochs are those under which the rows of the ledger are sealed, the root among them.
func (b *bench) epochs() (all []uint16) {
	b.t.Helper()
	rows, err := b.db.QueryContext(b.t.Context(), "SELECT DISTINCT CONV(HEX(SUBSTR(s, 2, 2)), 16, 10) FROM (SELECT root AS s FROM "+project+
		" UNION ALL SELECT sealed FROM "+object+" UNION ALL SELECT sealed FROM "+journal+") r")
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var epoch uint16
		if err := rows.Scan(&epoch); err != nil {
			b.t.Fatal(err)
		}
		all = append(all, epoch)
	}
	return all
}

// TestANewKeyThatAMemberCannotOpen: it serves no protected table any more.
func TestANewKeyThatAMemberCannotOpen(t *testing.T) {
	onServers(t, func(b *bench) {
		running := b.open()
		b.made(running, fenced(table("one", 1)))
		next := newKEK(t)
		if err := running.Rewrap(t.Context(), next); err != nil {
			t.Fatal(err)
		}
		old := b.kek
		b.kek = next
		l := b.open()
		holders, err := l.Holders(t.Context())
		if err != nil || !slices.Contains(holders, old.ID()) {
			t.Errorf("%v, %v; the other one has %s", holders, err, old.ID())
		}
		if _, err := l.AddMaster(t.Context()); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "it fails closed", func() bool { return running.Usable() != nil })
		time.Sleep(4 * beat)
		if err := running.Usable(); err == nil {
			t.Error("it serves again")
		}
		if running.Tree().Newest() != 0 {
			t.Error("it has a key that it cannot open")
		}
	})
}

// TestDropMasters: a master key goes when nothing names its epochs any more, and not before.
func TestDropMasters(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		one := fenced(table("one", 1))
		one.Columns[0].Protection = policy.Protection{Protected: true, Allowed: policy.Equality}
		one.Columns[0].Layers = []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.PRP64, State: catalog.Ready, Stored: "a$eq"}}
		b.made(l, one)
		epoch, err := l.AddMaster(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, move := range []func(c *catalog.Column){
			func(*catalog.Column) {},
			func(c *catalog.Column) { c.Epoch = epoch },
			func(c *catalog.Column) { c.Layers = []catalog.Layer{c.Layers[0]}; c.Layers[0].Epoch = epoch },
		} {
			if _, err := l.DropMasters(t.Context(), epoch); !errors.Is(err, ErrNeeded) {
				t.Fatalf("dropped: %v", err)
			}
			b.moved(l, move)
		}
		gone, err := l.DropMasters(t.Context(), epoch)
		if err != nil || !slices.Equal(gone, []uint16{0}) {
			t.Fatalf("%v, %v", gone, err)
		}
		if l.Usable() != nil || l.Tree().Newest() != epoch {
			t.Errorf("%v, newest %d", l.Usable(), l.Tree().Newest())
		}
		late := table("late", 9)
		if _, err := l.Change(t.Context(), []Step{{New: late}}, b.ran(create(late))); !errors.Is(err, ErrOutdated) {
			t.Errorf("a table of an epoch that nothing serves: %v", err)
		}
		again := b.open()
		if got := again.Tree().Versions(); !slices.Equal(got, []uint16{epoch}) {
			t.Errorf("master keys %v", got)
		}
		if !b.altered(l, "one") || !b.altered(again, "one") {
			t.Error("tables are not changed any more")
		}
	})
}

// TestDropMastersBelow: what needs a master key keeps that and newer ones, and no older ones.
func TestDropMastersBelow(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		one := fenced(table("one", 1))
		one.Columns[0].Protection = policy.Protection{Protected: true, Allowed: policy.Equality}
		one.Columns[0].Layers = []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.PRP64, State: catalog.Ready, Stored: "a$eq"}}
		b.made(l, one)
		for epoch := uint16(1); epoch <= 2; epoch++ {
			if got, err := l.AddMaster(t.Context()); err != nil || got != epoch {
				t.Fatal(got, err)
			}
			b.moved(l, func(c *catalog.Column) {
				c.Epoch, c.Layers = epoch, []catalog.Layer{c.Layers[0]}
				c.Layers[0].Epoch = 1
			})
		}
		gone, err := l.DropMasters(t.Context(), 2)
		if !errors.Is(err, ErrNeeded) || !slices.Equal(gone, []uint16{0}) {
			t.Errorf("%v, %v", gone, err)
		}
		if gone, err := l.DropMasters(t.Context(), 2); !errors.Is(err, ErrNeeded) || len(gone) > 0 {
			t.Errorf("once more: %v, %v", gone, err)
		}
		again := b.open()
		if got := again.Tree().Versions(); !slices.Equal(got, []uint16{2, 1}) {
			t.Errorf("master keys %v", got)
		}
		if !b.altered(l, "one") || !b.altered(again, "one") {
			t.Error("tables are not changed any more")
		}
	})
}

// moved gives the table one a revision with another column.
func (b *bench) moved(l *Ledger, move func(*catalog.Column)) {
	b.t.Helper()
	old := l.Catalog().Table("shop", "one")
	next := again(old)
	next.Columns = slices.Clone(old.Columns)
	move(&next.Columns[0])
	if done, err := l.Change(b.t.Context(), []Step{{old, next}}, b.ran(alter(old, next))); err != nil || len(done) != 1 {
		b.t.Fatal(done, err)
	}
}

// TestMasterKeysAreWrittenWholly: whatever breaks off before the commit, the ledger is as it
// was, for all key files; the process goes on, or takes it back.
func TestMasterKeysAreWrittenWholly(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		b.made(l, fenced(table("one", 1)))
		broken := errors.New("broken off")
		breaks := func(f func(ctx context.Context, tx *sql.Tx, rows map[row]digest, version uint64) error) error {
			return l.rekey(t.Context(), func(ctx context.Context, tx *sql.Tx, rows map[row]digest, version uint64) error {
				return errors.Join(f(ctx, tx, rows, version), broken)
			}, func() error { return nil })
		}
		err := breaks(func(ctx context.Context, tx *sql.Tx, rows map[row]digest, _ uint64) error {
			m, wrapped, err := b.kek.NewMaster(l.tree.Project(), 1)
			if err != nil {
				return err
			}
			if l.sealer, err = l.sealerWith(l.tree.Project(), []*keys.Master{m}); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO "+master+" (version, wrapped) VALUES (1, ?)", wrapped); err != nil {
				return err
			}
			return l.resealRows(ctx, tx, rows)
		})
		if !errors.Is(err, broken) || l.Usable() != nil || l.Tree().Newest() != 0 || l.sealer.gcm.Epoch() != 0 {
			t.Fatalf("%v; %v; newest %d, sealing under %d", err, l.Usable(), l.Tree().Newest(), l.sealer.gcm.Epoch())
		}
		if !b.altered(l, "one") {
			t.Error("tables are not changed any more")
		}
		if c, err := b.opened(); err != nil || c.Len() != 1 {
			t.Errorf("%v", err)
		}
		stop, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.Rewrap(stop, newKEK(t)); err == nil {
			t.Error("wrapped by another key file after it was called off")
		}
		if _, err := b.opened(); err != nil {
			t.Errorf("its own key file: %v", err)
		}
	})
}
