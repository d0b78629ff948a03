package rotation

import (
	"context"
	"errors"
	"testing"
	"time"

	"tunic/internal/layers"
)

// TestRate: who has gone through more rows than the rate allows waits, also where the work was
// begun anew meanwhile; who has not goes on at once.
func TestRate(t *testing.T) {
	const far = 1 << 30 // seconds at one row a second
	for _, c := range []struct {
		name  string
		rate  int
		done  []int64 // that are told one after the other
		waits bool
	}{
		{"no bound", 0, []int64{far}, false},
		{"within", far, []int64{100}, false},
		{"beyond", 1, []int64{far}, true},
		{"begun anew", 1, []int64{far, 0, 10}, true},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		f := &backfilling{r: &Rotation{RateMax: c.rate}, began: time.Now()}
		for _, n := range c.done {
			if err := f.Save(ctx, nil, layers.Mark{Done: n}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.gate(ctx); errors.Is(err, context.DeadlineExceeded) != c.waits {
			t.Errorf("%s: %v", c.name, err)
		}
		cancel()
	}
}
