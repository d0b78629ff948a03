package usage

import (
	"sync/atomic"
	"time"

	"tunic/internal/sql"
)

// Template is what the statements of one template have cost since tunic started. All its
// methods may be called on nil, and by many goroutines.
type Template struct {
	top  *Top
	hash uint64
	// text is the fingerprint's template. It is not for anybody to see: see Text.
	text  []byte
	modes sql.Modes

	statements, nanos atomic.Int64
	refused           atomic.Int64
	// timed are the nanoseconds of statements that were timed by phase.
	timed [Phases]atomic.Int64
	// listed says that the Top has it, accepted that a statement has succeeded: the server
	// knows all names in it.
	listed, accepted atomic.Bool
	// inherited is what the template had cost whose place this one took.
	inherited int64
	// listedAs is its place in the heap, costKnown its cost when it was put there; both
	// are the Top's.
	listedAs  int
	costKnown int64
}

// Add counts a statement that was answered, and how long that took. accepted says that it
// succeeded.
func (t *Template) Add(took time.Duration, accepted bool) {
	if t == nil {
		return
	}
	t.statements.Add(1)
	t.nanos.Add(int64(max(took, 0)))
	if accepted && !t.accepted.Load() {
		t.accepted.Store(true)
	}
	if !t.listed.Load() {
		t.top.consider(t)
	}
}

// Refuse counts a statement that tunic has refused.
func (t *Template) Refuse() {
	if t != nil {
		t.refused.Add(1)
	}
}

// timedEvery is how many statements of a template come to one that is timed by phase. The
// first one is.
const timedEvery = 16

// Timed reports whether the next statement is to be timed by phase.
func (t *Template) Timed() bool {
	return t != nil && uint64(t.statements.Load())%timedEvery == 0
}

// AddPhases counts the phases of a statement that was timed.
func (t *Template) AddPhases(spent *[Phases]time.Duration) {
	if t == nil {
		return
	}
	for i, d := range spent {
		t.timed[i].Add(int64(max(d, 0)))
	}
}

// cost is what the list is ordered by.
func (t *Template) cost() int64 { return t.inherited + t.nanos.Load() }
