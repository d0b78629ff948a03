package report

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// TestEachCapability: a layer of each has a name in the report, and what the server learns from it is said.
func TestEachCapability(t *testing.T) {
	forms, told := map[string]bool{formPlain: true, formSealed: true}, map[string]bool{}
	for _, c := range policy.Each() {
		l := &catalog.Layer{Capability: c}
		if forms[formOf(l)] || told[tells(l)] {
			t.Errorf("%v is told as another one: %s, %s (formOf, tells)", c, formOf(l), tells(l))
		}
		forms[formOf(l)], told[tells(l)] = true, true
	}
}
