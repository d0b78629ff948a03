package ddl

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
	"tunic/internal/sqlerr"
)

// TestDespiteRolledBack: a purge that ends with a duplicate entry is done again, at last while clients who
// write wait, and no other error is taken for one. One that has waited in vain is done again anyway, and
// counts for nothing.
func TestDespiteRolledBack(t *testing.T) {
	duplicate, other, waited := &sqlerr.Error{Number: duplicateEntry}, &sqlerr.Error{Number: 1846}, &sqlerr.Error{Number: turn.LockWaitTimeout}
	behindWaits := append(slices.Repeat([]error{waited}, duplicatesOfPurge), duplicate, waited, nil)
	endless := append(slices.Repeat([]error{duplicate}, duplicatesOfPurge), waited, nil)
	for _, c := range []struct {
		name  string
		says  []error // of each try; the last of all behind it
		tries int
		alone int // how many of them keep clients from writing
		want  error
	}{
		{"once", []error{duplicate, nil}, 2, 0, nil},
		{"beside every try", endless, len(endless), 2, nil},
		{"for ever", []error{duplicate}, duplicatesOfPurge + 1, 1, duplicate},
		{"behind waits", behindWaits, len(behindWaits), 0, nil},
		{"another error", []error{other}, 1, 0, other},
		{"of tunic's own", []error{sqlerr.NoLedger()}, 1, 0, sqlerr.NoLedger()},
	} {
		tries, alone := 0, 0
		d := &Definer{o: Options{Log: slog.New(slog.DiscardHandler)}}
		do := d.despiteRolledBack(func(_ context.Context, _ *catalog.Table, how string, _ time.Duration) error {
			if tries++; how == inPlaceAlone {
				alone++
			}
			return c.says[min(tries, len(c.says))-1]
		})
		var err error
		for err = turn.ErrRolledBack; turn.Passing(err); {
			err = do(t.Context(), &catalog.Table{}, 0)
		}
		if tries != c.tries || alone != c.alone || (err == nil) != (c.want == nil) || err != nil && err.Error() != c.want.Error() {
			t.Errorf("%s: %v after %d tries and %d alone, want %v after %d and %d", c.name, err, tries, alone, c.want, c.tries, c.alone)
		}
	}
}

// TestPurgedBesideUpserts: clients whose upserts never end do not keep a table from being made anew.
func TestPurgedBesideUpserts(t *testing.T) {
	onServers(t, func(b *bench) {
		t := b.t
		for _, s := range []string{
			"CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, u INT NOT NULL, n INT NOT NULL DEFAULT 0 COMMENT 'tunic: plain', secret VARCHAR(200), UNIQUE KEY u (u))",
			"INSERT INTO x (u, secret) WITH RECURSIVE r AS (SELECT 1 i UNION ALL SELECT i + 1 FROM r WHERE i < 1000) SELECT i, REPEAT('s', 150) FROM r",
		} {
			if err := b.client.Exec(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		stages := b.definer.stagesOf(b.encryption("x", "secret"))
		for i, stage := range stages {
			stop := func() {}
			if i == len(stages)-1 {
				stop = b.upsertWithoutEnd("INSERT INTO x (u) VALUES (7) ON DUPLICATE KEY UPDATE n = n + 1")
			}
			err := stage(t.Context())
			stop()
			if err != nil {
				t.Fatalf("stage %d: %v", i, err)
			}
		}
		if left, err := b.definer.HasPlainLeft(t.Context(), "shop", "x"); left || err != nil {
			t.Errorf("values are left in the clear, %v", err)
		}
	})
}

// upsertWithoutEnd has clients run a statement, around tunic, until it is told to stop.
func (b *bench) upsertWithoutEnd(statement string) (stop func()) {
	ctx, cancel := context.WithCancel(b.t.Context())
	db := b.open("root", "root", "shop")
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for ctx.Err() == nil {
				if _, err := db.ExecContext(ctx, statement); err != nil && ctx.Err() == nil && numberOf(service.Error(err)) != turn.DeadlockFound {
					b.t.Error(err)
					return
				}
			}
		})
	}
	return func() { cancel(); all.Wait() }
}
