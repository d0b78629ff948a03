package trial

import "testing"

// TestTrial: statements of which every eighth or more is for nothing lock their rows for a while; afterwards the first for nothing is
// enough. Of those that are seldom for nothing none does.
func TestTrial(t *testing.T) {
	var often Trial
	tries := func(t *Trial) (n int) {
		for range lockedTurns + 1 {
			if t.Tries() {
				n++
			}
		}
		return n
	}
	for range vainMost/vainCosts - 1 {
		often.Failed()
		if n := tries(&often); n != lockedTurns+1 {
			t.Fatalf("%d of %d try", n, lockedTurns+1)
		}
	}
	for range 2 {
		often.Failed()
		if n := tries(&often); n != 1 {
			t.Errorf("%d try", n)
		}
	}
	for range vainMost {
		often.Succeeded()
	}
	often.Failed()
	if n := tries(&often); n != lockedTurns+1 {
		t.Errorf("%d of %d try", n, lockedTurns+1)
	}
	var seldom Trial
	for i := range 1000 {
		if !seldom.Tries() {
			t.Fatalf("%d tries", i)
		}
		if i%(vainCosts+1) == 0 {
			seldom.Failed()
		} else {
			seldom.Succeeded()
		}
	}
}
