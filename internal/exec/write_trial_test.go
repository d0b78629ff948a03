package exec

import (
	"math"
	"testing"

	"tunic/internal/exec/trial"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

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
		for n := range trial.Failures + 2 {
			var b answer
			tried := seen.between(func() { others.each("UPDATE stock SET k = k * 2 WHERE id = 1") }, func() { b = p.readText(p.tunnel, text) })
			if diff := difference(p.readText(p.direct, text), b, p.direct.Caps); diff != "" {
				t.Errorf("%s\n%s", text, diff)
			}
			if tried != (n < trial.Failures) {
				t.Errorf("time %d: without a transaction: %t", n+1, tried)
			}
		}
		p.each(allStock)
	})
}
