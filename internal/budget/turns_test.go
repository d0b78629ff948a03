package budget

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestTurns: as many large statements at a time as there are turns, and any number of
// small ones.
func TestTurns(t *testing.T) {
	turns := make(Turns, 2)
	var now, most atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			taken := turns.Take(LargeBytes, nil)
			n := now.Add(1)
			for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
			}
			now.Add(-1)
			turns.GiveBack(taken)
		})
	}
	all.Wait()
	if n := most.Load(); n > 2 || n == 0 {
		t.Errorf("%d at a time, want 1 or 2", n)
	}
	for range 3 {
		if turns.Take(LargeBytes-1, nil) {
			t.Error("a small statement has taken a turn")
		}
	}
	if len(turns) != 0 {
		t.Error("a turn was not given back")
	}
}

// TestTurnOfNobody: who has no answer to wait for waits for no turn.
func TestTurnOfNobody(t *testing.T) {
	turns := make(Turns, 1)
	turns.Take(LargeBytes, nil)
	if turns.Take(LargeBytes, func() bool { return true }) {
		t.Error("there was no turn to take")
	}
}
