package status

import (
	"testing"
	"time"
)

// TestPaceOfNextStep: a step that begins again at few rows has a pace of its own, however long the one
// before has taken.
func TestPaceOfNextStep(t *testing.T) {
	for looks := uint64(2); looks < 14; looks++ {
		p, now := paces{}, time.Unix(0, 0)
		look := func(done uint64) Progress {
			of := &Protection{Encryptions: []Encryption{{Table: "shop.t", Direction: "encrypt", Progress: Progress{Done: done, Expected: 1_000_000}}}}
			p.take(of, now)
			now = now.Add(10 * time.Second)
			return of.Encryptions[0].Progress
		}
		for n := range looks {
			look(n * 10_000)
		}
		if got := look(500); got.Rate != nil {
			t.Errorf("after %d looks: a step that was not looked at before goes at %v rows a second", looks, *got.Rate)
		}
		for done := uint64(1500); done <= 20_500; done += 1000 {
			got := look(done)
			if got.Rate == nil || got.Left == nil {
				t.Fatalf("after %d looks, at %d rows: no pace", looks, done)
			}
			if want := float64(1_000_000-done) / 100; *got.Rate < 99 || *got.Rate > 101 || *got.Left < want-1 || *got.Left > want+1 {
				t.Fatalf("after %d looks, at %d rows: %v a second, %v s left, want 100 and %v", looks, done, *got.Rate, *got.Left, want)
			}
		}
	}
}
