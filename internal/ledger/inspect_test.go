package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// TestInspect: a ledger that is held, and in the middle of a change, is read as it is
// written down, with what is under way; nothing is made or changed.
func TestInspect(t *testing.T) {
	onServers(t, func(b *bench) {
		inspect := func() (*Inspection, error) { return Inspect(b.t.Context(), b.options()) }
		if _, err := inspect(); !errors.Is(err, ErrNone) {
			b.t.Errorf("no ledger: %v", err)
		}
		l := b.open()
		one, two := table("one", 1), table("two", 2)
		b.made(l, one)
		var during *Inspection
		_, err := l.Change(b.t.Context(), []Step{{New: two}}, func(ctx context.Context) (err error) {
			if during, err = inspect(); err != nil {
				return err
			}
			return b.ran(create(two))(ctx)
		})
		if err != nil {
			b.t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]uint64{"one": 1}, names(during.Catalog)); diff != "" || len(during.Underway) != 1 || during.Underway[0].New.ID != two.ID {
			b.t.Errorf("during a change: %s, under way %v", diff, during.Underway)
		}
		after, err := inspect()
		if err != nil || len(after.Underway) > 0 || after.Catalog.Len() != 2 || after.Tree.Project() != l.Tree().Project() {
			b.t.Errorf("after it: %+v, %v", after, err)
		}
		again := func(want bool, when string) {
			b.t.Helper()
			now, err := after.Again(b.t.Context(), b.options())
			if err != nil || (now == after) != want {
				b.t.Errorf("%s: the ledger is read again: %v, want %v; %v", when, now != after, !want, err)
			}
			after = now
		}
		again(true, "nothing was written")
		if _, err := l.Change(b.t.Context(), []Step{{Old: one}}, func(ctx context.Context) error {
			again(false, "a change has begun")
			again(true, "it has not ended")
			return b.ran("DROP TABLE " + one.Schema + "." + one.Name)(ctx)
		}); err != nil {
			b.t.Fatal(err)
		}
		again(false, "it has ended")
		if after.Catalog.Len() != 1 || len(after.Underway) > 0 {
			b.t.Errorf("%d tables, under way %v", after.Catalog.Len(), after.Underway)
		}
		b.exec("UPDATE " + object + " SET sealed = REVERSE(sealed) LIMIT 1")
		if _, err := inspect(); !errors.Is(err, ErrDamaged) {
			b.t.Errorf("a row that was changed: %v", err)
		}
		b.kek, _ = keys.NewKEK()
		if _, err := inspect(); !errors.Is(err, keys.ErrOtherKey) {
			b.t.Errorf("another key file: %v", err)
		}
		b.exec("DROP DATABASE " + catalog.Schema)
		_, err = inspect()
		for end := time.Now().Add(10 * time.Second); err != nil && strings.Contains(err.Error(), "Error 1412") && time.Now().Before(end); {
			_, err = inspect() // MariaDB was still at dropping it
		}
		if !errors.Is(err, ErrNone) {
			b.t.Errorf("a ledger that is gone: %v", err)
		}
	})
}
