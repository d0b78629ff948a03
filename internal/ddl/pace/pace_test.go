package pace

import (
	"context"
	"errors"
	"testing"
	"time"

	"tunic/internal/catalog"
)

// TestLooked: rows count as compared from the first that this process has looked at.
func TestLooked(t *testing.T) {
	var told []Passed
	p := Of(nil, Pace{Told: func(p Passed) { told = append(told, p) }}, &catalog.Table{}, "bare")
	for _, c := range []struct {
		comparing bool
		rows      int64
		want      Passed
	}{
		{false, 10, Passed{Rows: 10}},
		{false, 20, Passed{Rows: 20}},
		{true, 25, Passed{Rows: 25, Compared: 5}},
		{true, 40, Passed{Rows: 40, Compared: 20}},
	} {
		p.Looked(c.comparing, c.rows)
		if got := told[len(told)-1]; got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	p.Locked(3)
	p.Looked(true, 40)
	if got := [2]int{told[len(told)-2].Locked, told[len(told)-1].Locked}; got != [2]int{3, 0} {
		t.Errorf("of 3 rows that somebody has locked, and then none: %v", got)
	}
	Of(nil, Pace{}, &catalog.Table{}, "bare").Looked(true, 1) // nobody wants to hear of it
}

// TestGate: rows wait for as long as their rate says, and an end of the work ends the wait.
func TestGate(t *testing.T) {
	p := Of(nil, Pace{}, &catalog.Table{}, "bare")
	p.Looked(false, 1e9)
	if err := p.Gate(t.Context()); err != nil {
		t.Errorf("without a bound: %v", err)
	}
	p = Of(nil, Pace{RateMax: 1000}, &catalog.Table{}, "bare")
	p.from = 1000 // those of before the work was cut off
	p.Looked(false, 1020)
	if err := p.Gate(t.Context()); err != nil || time.Since(p.began) < 20*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(p.began))
	}
	p.Looked(false, 1e9)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := p.Gate(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("of a rate that is used up: %v", err)
	}
}

// TestPlaceNumber: no place of a table has the number of a job.
func TestPlaceNumber(t *testing.T) {
	a, b := PlaceNumber(catalog.ID{1}), PlaceNumber(catalog.ID{2})
	if a == b || a < firstPlace || PlaceNumber(catalog.ID{}) < firstPlace {
		t.Errorf("%d and %d", a, b)
	}
}
