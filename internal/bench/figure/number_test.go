package figure

import "testing"

// TestNumbersAreWritten: as tables and pages have them, with a mark for what there is none of.
func TestNumbersAreWritten(t *testing.T) {
	s := &Stat{Median: 1000, Min: 900, Max: 1100}
	for _, c := range []struct{ got, want string }{
		{Shown(s, Grouped), "1,000"},
		{Shown(nil, Grouped), Absent},
		{ShownSpread(s), "±10%"},
		{ShownSpread(nil), ""},
		{Decimals(2)(1.005), "1.00"},
		{Grouped(3.4), "3.4"},
		{Grouped(3), "3"},
		{Grouped(1234567), "1,234,567"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
