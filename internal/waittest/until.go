// Package waittest has tests wait for what somebody else brings about, a server or another
// goroutine, without an end of which they would know otherwise.
package waittest

import (
	"testing"
	"time"
)

// limit is longer than whatever a test waits for takes on a busy machine: it only ends
// a test that would wait for ever. Between two looks there are looksFirst, then twice as
// long each time, and looksLast at most.
const (
	limit      = 2 * time.Minute
	looksFirst = time.Millisecond
	looksLast  = 20 * time.Millisecond
)

// Until waits until it is so, and ends the test if it never is. It is to be called by
// the test's own goroutine.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	end := time.Now().Add(limit)
	for pause := looksFirst; !is(); pause = min(2*pause, looksLast) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
		time.Sleep(pause)
	}
}
