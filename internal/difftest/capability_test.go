package difftest

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/policy"
)

// TestEachCapability: the corpus runs under a policy with layers of each.
func TestEachCapability(t *testing.T) {
	for _, c := range policy.Each() {
		if !slices.ContainsFunc(Policies, func(p *Policy) bool { return strings.Contains(p.Settings, `"`+c.String()) }) {
			t.Errorf("no policy protects columns with %q (Policies)", c)
		}
	}
}
