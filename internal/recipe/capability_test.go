package recipe

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// TestEachCapability: each has a name.
func TestEachCapability(t *testing.T) {
	seen := map[string]bool{"": true}
	for _, c := range policy.Each() {
		for _, of := range []policy.Capabilities{c, catalog.Shadow(c)} {
			if seen[CapabilityNames[of]] {
				t.Errorf("%v has no name of its own: %q (CapabilityNames)", of, CapabilityNames[of])
			}
			seen[CapabilityNames[of]] = true
		}
	}
}
