package ddl

import (
	"context"
	"slices"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
)

// TestDespiteRolledBack: a purge that ends with a duplicate entry is done again, not for ever, and no other
// error is taken for one. One that has waited in vain is done again anyway, and counts for nothing.
func TestDespiteRolledBack(t *testing.T) {
	duplicate, other, waited := &sqlerr.Error{Number: duplicateEntry}, &sqlerr.Error{Number: 1846}, &sqlerr.Error{Number: lockWaitTimeout}
	behindWaits := append(slices.Repeat([]error{waited}, duplicatesOfPurge), duplicate, waited, nil)
	for _, c := range []struct {
		name  string
		says  []error // of each try; the last of all behind it
		tries int
		want  error
	}{
		{"once", []error{duplicate, nil}, 2, nil},
		{"for ever", []error{duplicate}, duplicatesOfPurge, duplicate},
		{"behind waits", behindWaits, len(behindWaits), nil},
		{"another error", []error{other}, 1, other},
		{"of tunic's own", []error{sqlerr.NoLedger()}, 1, sqlerr.NoLedger()},
	} {
		tries := 0
		do := despiteRolledBack(func(context.Context, *catalog.Table, time.Duration) error {
			tries++
			return c.says[min(tries, len(c.says))-1]
		})
		var err error
		for err = errRolledBack; passing(err); {
			err = do(t.Context(), nil, 0)
		}
		if tries != c.tries || (err == nil) != (c.want == nil) || err != nil && err.Error() != c.want.Error() {
			t.Errorf("%s: %v after %d tries, want %v after %d", c.name, err, tries, c.want, c.tries)
		}
	}
	if !passing(errRolledBack) {
		t.Error("nobody does it again")
	}
}
