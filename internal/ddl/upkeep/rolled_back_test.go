package upkeep

import (
	"context"
	"log/slog"
	"slices"
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
	duplicate, other, waited := &sqlerr.Error{Number: service.DuplicateEntry}, &sqlerr.Error{Number: 1846}, &sqlerr.Error{Number: turn.LockWaitTimeout}
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
		tables := &Tables{Log: slog.New(slog.DiscardHandler)}
		do := tables.DespiteRolledBack(func(_ context.Context, _ *catalog.Table, how string, _ time.Duration) error {
			if tries++; how == turn.InPlaceAlone {
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
