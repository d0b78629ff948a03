// Package trial counts what tries to write a row without a transaction have come to.
//
// A row that is another one when it is to be written has been read for nothing: all is done again in a transaction. Where that
// is so time and again, as of a counter that many clients add to, the statements of a plan begin with the transaction for a while.
package trial

import "sync/atomic"

const (
	// vainCosts is what a try for nothing takes, in what one spares that is not.
	vainCosts = 8
	// vainMost is how much of that there may be.
	vainMost = 32
	// lockedTurns is how many statements lock their rows then.
	lockedTurns = 1024

	// Failures is how many tries for nothing, one behind the other, are enough for that.
	Failures = vainMost / vainCosts
)

// A Trial is of all sessions that a statement is carried out for.
// The zero value is none.
type Trial struct {
	vain   atomic.Int32
	locked atomic.Int32 // how many statements are still to lock their rows
}

// Tries reports whether a statement is to try.
func (t *Trial) Tries() bool {
	if t.locked.Load() <= 0 {
		return true
	}
	t.locked.Add(-1)
	return false
}

// Failed is behind a try for nothing. When rows are no longer locked the next one is enough for that to be so again.
func (t *Trial) Failed() {
	if t.vain.Add(vainCosts) >= vainMost {
		t.vain.Store(vainMost - vainCosts)
		t.locked.Store(lockedTurns)
	}
}

// Succeeded is behind a row that was written.
func (t *Trial) Succeeded() {
	if t.vain.Load() > 0 {
		t.vain.Add(-1)
	}
}
