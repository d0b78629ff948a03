package difftest

import (
	"slices"
	"testing"

	"tunic/internal/sandbox"
)

// advised are the scripts of the corpus with queries that miss layers, and with warnings.
var advised = []string{"diagnostics", "joins", "selects", "subqueries"}

// TestAdvised: while tunic watches which layers statements would be served by, everything is
// answered and told of as it is without.
func TestAdvised(t *testing.T) {
	scripts := slices.DeleteFunc(protectedCorpus(t), func(s *Script) bool {
		return !slices.Contains(advised, s.Name)
	})
	if *onlyScripts == "" && len(scripts) != len(advised) {
		t.Fatalf("there are %d scripts of %v", len(scripts), advised)
	}
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			pair, policy := startPair(t, flavor), findPolicy("order")
			r := &Runner{Flavor: flavor, Direct: pair.direct(0), Pins: knownDifferences(t), Protected: &Protected{Policy: policy, Refusals: Allowance{}}}
			r.Proxied = protecting(t, pair.servers[1], policy, sandbox.TunicOptions{Args: []string{"--policy-layers", "advise"}})
			check(t, run(t, r, scripts, named(t, twoWays[:1])))
		})
	}
}
