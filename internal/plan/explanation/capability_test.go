package explanation

import (
	"testing"

	"tunic/internal/policy"
)

// TestEachCapability: EXPLAIN says of a layer of each what the server would learn.
func TestEachCapability(t *testing.T) {
	seen := map[string]bool{"": true}
	for _, c := range policy.Each() {
		if seen[learns[c]] {
			t.Errorf("%v: what the server would learn is not said, or as of another one (learns)", c)
		}
		seen[learns[c]] = true
	}
}
