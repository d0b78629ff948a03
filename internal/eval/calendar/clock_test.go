package calendar

import (
	"testing"
	"time"
)

// The servers differ in what they make of 31 February, function by function: no function
// may take it for a day.
func TestDatesBeyondTheirMonthAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		year, month, day int
		want             bool
	}{
		{2024, 2, 29, true},
		{2023, 2, 29, false},
		{2024, 2, 31, false},
		{2024, 4, 30, true},
		{2024, 4, 31, false},
		{2024, 12, 31, true},
		{1900, 2, 29, false},
		{2000, 2, 29, true},
		{2024, 0, 1, false},
		{2024, 1, 0, false},
		{0, 1, 1, false},
	} {
		k := ClockOf(time.Time{})
		k.Year, k.Month, k.Day = c.year, c.month, c.day
		if got := k.IsDate(); got != c.want {
			t.Errorf("%04d-%02d-%02d: %t, want %t", c.year, c.month, c.day, got, c.want)
		}
		if !c.want && c.month > 0 && c.day > 0 && c.year > 0 && hasField(&k) {
			t.Errorf("%04d-%02d-%02d: a field of it was computed", c.year, c.month, c.day)
		}
	}
}

// hasField reports whether one of the fields of days is computed.
func hasField(k *Clock) bool {
	for _, name := range []string{"weekday", "dayofweek", "dayofyear", "weekofyear", "to_days", "to_seconds"} {
		if _, ok := Fields[name].Of(k); ok {
			return true
		}
	}
	return false
}
