package budget

import (
	"runtime"
	"time"
)

// Turns bounds how many large statements are made at a time. Making one takes the
// processor and nothing else, so more of them at once end no sooner; but each takes
// many times the memory of what the client has sent, until the server has got it.
type Turns chan struct{}

const (
	// LargeBytes is the length from which on a stored statement is a large one.
	LargeBytes = 1 << 20
	// turnMost is how long a statement waits for its turn at most. Whoever has one
	// waits for no other session, but for the server to read.
	turnMost = 30 * time.Second
	// turnAsk is how often who waits is asked whether anybody waits for the answer.
	turnAsk = 200 * time.Millisecond
)

func NewTurns() Turns { return make(Turns, max(2, runtime.GOMAXPROCS(0))) }

// Take waits for a turn to make a statement of so many bytes. It reports whether there is
// one to give back: a small statement needs none, and one that has waited for too long
// does without.
func (t Turns) Take(bytes int, leaving func() bool) bool {
	if bytes < LargeBytes {
		return false
	}
	select {
	case t <- struct{}{}:
		return true
	default:
		return t.await(leaving)
	}
}

func (t Turns) await(leaving func() bool) bool {
	for waited := time.Duration(0); waited < turnMost; waited += turnAsk {
		select {
		case t <- struct{}{}:
			return true
		case <-time.After(turnAsk):
		}
		if leaving != nil && leaving() {
			return false
		}
	}
	return false
}

// GiveBack gives back a turn that was taken.
func (t Turns) GiveBack(taken bool) {
	if taken {
		<-t
	}
}
