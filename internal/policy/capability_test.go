package policy

import "testing"

// TestEach: each capability is one bit of its own, and is said in words that are read as that.
func TestEach(t *testing.T) {
	var all Capabilities
	for _, c := range Each() {
		if c == 0 || c&(c-1) != 0 || all&c != 0 {
			t.Errorf("%v is no bit of its own", c)
		}
		all |= c
		if p, err := Parse(c.String()); err != nil || !p.Allowed.Has(c) {
			t.Errorf("%v is said as %q, which is read as %v, %v", c, c.String(), p.Allowed, err)
		}
	}
}
