package crypt

import (
	"testing"

	"tunic/internal/keys"
	"tunic/internal/policy"
)

// TestEachCapability: the keys of each capability are for a purpose of its own.
func TestEachCapability(t *testing.T) {
	seen := map[keys.Purpose]bool{0: true, keys.PurposeSealed: true}
	for _, c := range policy.Each() {
		if seen[purposes[c]] {
			t.Errorf("%v: the purpose of its keys is %v, as of others (purposes)", c, purposes[c])
		}
		seen[purposes[c]] = true
	}
}
