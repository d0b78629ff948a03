package status

import (
	"testing"
	"time"
)

// TestPaceOfNextStep: a step that begins again at few rows has a pace of its own, also where the one
// before was first looked at with no rows done.
func TestPaceOfNextStep(t *testing.T) {
	p, now := paces{}, time.Unix(0, 0)
	look := func(done uint64) Progress {
		of := &Protection{Encryptions: []Encryption{{Table: "shop.t", Direction: "encrypt", Progress: Progress{Done: done, Expected: 1_000_000}}}}
		p.take(of, now)
		now = now.Add(10 * time.Second)
		return of.Encryptions[0].Progress
	}
	for done := range uint64(10) {
		look(done * 10_000)
	}
	if got := look(500); got.Rate != nil {
		t.Errorf("a step that was not looked at before goes at %v rows a second", *got.Rate)
	}
	for done := uint64(1500); done <= 20_500; done += 1000 {
		got := look(done)
		if got.Rate == nil || *got.Rate < 99 || *got.Rate > 101 {
			t.Fatalf("at %d rows: %v a second, want 100", done, got.Rate)
		}
		if want := float64(1_000_000-done) / 100; got.Left == nil || *got.Left < want-1 || *got.Left > want+1 {
			t.Fatalf("at %d rows: %v seconds are left, want %v", done, got.Left, want)
		}
	}
}
