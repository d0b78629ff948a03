package eval

import (
	"testing"
	"time"
)

// Each UUID is of version 1 and later than the one before it, also where the clock
// stands still or goes back.
func TestUUIDClock(t *testing.T) {
	var clock uuidClock
	seen := map[string]bool{}
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{now, now, now.Add(-time.Hour), now.Add(time.Second), now} {
		text := string(appendUUID(nil, clock.next(at)))
		if seen[text] {
			t.Fatalf("%s twice", text)
		}
		seen[text] = true
		if text[14] != '1' || text[19] < '8' || text[19] > 'b' || len(text) != uuidChars {
			t.Errorf("%s is not of version 1", text)
		}
		if _, ok := readUUID([]byte(text)); !ok {
			t.Errorf("%s cannot be read", text)
		}
	}
	// The known time of a UUID of the start of 2026: ticks since 1582-10-15.
	id := (&uuidClock{}).next(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	if got := string(appendUUID(nil, id))[:18]; got != "d0c3c000-e6a4-11f0" {
		t.Errorf("the time of 2026-01-01 is written as %s", got)
	}
}
