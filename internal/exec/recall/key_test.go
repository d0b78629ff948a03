package recall

import "testing"

// TestIsWhole: a number that is written in another way than servers do is none by which a row is known.
func TestIsWhole(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "7": true, "-7": true, "70": true, "18446744073709551615": true,
		"": false, "-": false, "-0": false, "07": false, "-07": false, "00": false, "1.0": false, "1e1": false, "'1'": false, "NULL": false,
	} {
		if got := isWhole([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
