package exec

import (
	"math"
	"testing"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestTrial: statements of which every eighth or more is for nothing lock their rows for a while; afterwards the first for nothing is
// enough. Of those that are seldom for nothing none does.
func TestTrial(t *testing.T) {
	var often trial
	tries := func(t *trial) (n int) {
		for range lockedTurns + 1 {
			if t.tries() {
				n++
			}
		}
		return n
	}
	for range vainMost/vainCosts - 1 {
		often.failed()
		if n := tries(&often); n != lockedTurns+1 {
			t.Fatalf("%d of %d try", n, lockedTurns+1)
		}
	}
	for range 2 {
		often.failed()
		if n := tries(&often); n != 1 {
			t.Errorf("%d try", n)
		}
	}
	for range vainMost {
		often.succeeded()
	}
	often.failed()
	if n := tries(&often); n != lockedTurns+1 {
		t.Errorf("%d of %d try", n, lockedTurns+1)
	}
	var seldom trial
	for i := range 1000 {
		if !seldom.tries() {
			t.Fatalf("%d tries", i)
		}
		if i%(vainCosts+1) == 0 {
			seldom.failed()
		} else {
			seldom.succeeded()
		}
	}
}

// TestTrialOfRows: a row that another session changes in between again and again is locked at once.
func TestTrialOfRows(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		others := r.pair(t, wiretest.ClientCaps)
		others.each(filled...)
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
		p.each(allStock)
		r.spy = nil
		const text = "UPDATE stock SET k = k + 1 WHERE id = 1"
		for n := range vainMost/vainCosts + 2 {
			var b answer
			tried := seen.between(func() { others.each("UPDATE stock SET k = k * 2 WHERE id = 1") }, func() { b = p.readText(p.tunnel, text) })
			if diff := difference(p.readText(p.direct, text), b, p.direct.Caps); diff != "" {
				t.Errorf("%s\n%s", text, diff)
			}
			if tried != (n < vainMost/vainCosts) {
				t.Errorf("time %d: without a transaction: %t", n+1, tried)
			}
		}
		p.each(allStock)
	})
}
