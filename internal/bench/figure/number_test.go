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

func TestGrouped(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0", 3.42: "3.4", 42: "42", 999.6: "1,000", 1234: "1,234", 77012.4: "77,012", 1234567: "1,234,567",
	} {
		if got := Grouped(value); got != want {
			t.Errorf("%v: got %s, want %s", value, got, want)
		}
	}
}
