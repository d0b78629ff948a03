package server

import (
	"testing"

	"tunic/internal/config"
	"tunic/internal/policy"
)

// TestEachCapability: a default that allows each can be configured, by the word that rules have for it.
func TestEachCapability(t *testing.T) {
	for _, c := range policy.Each() {
		l := config.Policy{Default: config.PolicyProtect, Ceiling: config.PolicyCeiling(c.String())}
		if p, err := policyOf(l); err != nil || !p.Default.Allowed.Has(c) {
			t.Errorf("policy.ceiling = %q allows no layer for %v: %v (policyOf)", l.Ceiling, c, err)
		}
	}
}
