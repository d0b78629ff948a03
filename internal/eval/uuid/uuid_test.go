package uuid

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
		text := string(Append(nil, clock.next(at)))
		if seen[text] {
			t.Fatalf("%s twice", text)
		}
		seen[text] = true
		if text[14] != '1' || text[19] < '8' || text[19] > 'b' || len(text) != Chars {
			t.Errorf("%s is not of version 1", text)
		}
		if _, ok := Read([]byte(text)); !ok {
			t.Errorf("%s cannot be read", text)
		}
	}
	// The known time of a UUID of the start of 2026: ticks since 1582-10-15.
	id := (&uuidClock{}).next(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	if got := string(Append(nil, id))[:18]; got != "d0c3c000-e6a4-11f0" {
		t.Errorf("the time of 2026-01-01 is written as %s", got)
	}
}

// TestForms: the three forms are read, others are not, and swapping is undone.
func TestForms(t *testing.T) {
	const text = "6ccd780c-baba-1026-9564-5b8c656024db"
	want, ok := Read([]byte(text))
	if !ok || string(Append(nil, want)) != text {
		t.Fatalf("%x, %v", want, ok)
	}
	for _, form := range []string{"{" + text + "}", "6ccd780cbaba102695645b8c656024db", "6CCD780C-BABA-1026-9564-5B8C656024DB"} {
		if got, ok := Read([]byte(form)); !ok || got != want {
			t.Errorf("%s: %x, %v", form, got, ok)
		}
	}
	for _, form := range []string{"", text[1:], "{" + text, "6ccd780cb-aba-1026-9564-5b8c656024db", "6ccd780g-baba-1026-9564-5b8c656024db"} {
		if _, ok := Read([]byte(form)); ok {
			t.Errorf("%s is read", form)
		}
	}
	if Unswap(Swap(want)) != want || Swap(want) == want {
		t.Error("swapping is not undone")
	}
}
