package difftest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/canarytest"
)

// TestCanaries runs the corpus of canaries through a tunic that protects and through
// one that does not, each before a server of its own that writes down everything.
// Nothing of the first server's may hold a canary; each place of the second's must,
// or the search proves nothing.
func TestCanaries(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: what servers write does not depend on how tunic is compiled")
	}
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			for _, policy := range canaryPolicies() {
				t.Run(policy.Name, func(t *testing.T) { canaries(t, flavor, policy) })
			}
		})
	}
}

// canaryPolicies are the ones with the fewest and the most layers, or all.
func canaryPolicies() []*Policy {
	if *everything || *onlyPolicies != "" {
		return slices.DeleteFunc(slices.Clone(policies()), func(p *Policy) bool { return p.Name == "mixed" }) // has plain columns
	}
	return []*Policy{findPolicy("order")}
}

func canaries(t *testing.T, flavor string, policy *Policy) {
	t.Helper()
	kind := map[string]sandbox.Flavor{"mariadb": sandbox.MariaDB, "mysql": sandbox.MySQL}[flavor]
	var logs [2]canarytest.Log
	var servers [2]*sandbox.Server
	var peers [2]Peer
	for i, p := range []*Policy{plainly, policy} {
		servers[i] = canarytest.Start(t, kind, sandbox.Options{})
		peers[i] = protecting(t, servers[i], p, sandbox.TunicOptions{Args: []string{"--log-level", "debug"}, Log: &logs[i]})
	}
	script := some(t, filepath.Join("testdata", "canary"))
	for _, config := range named(t, twoWays) {
		r := &Runner{
			Flavor: flavor, Direct: peers[0], Proxied: peers[1], Pins: knownDifferences(t),
			Protected: &Protected{Policy: policy, Refusals: Allowance{}},
		}
		check(t, run(t, r, script, []*Config{config}))
		if n := len(r.Protected.Refused); n > len(script[0].Steps)/2 {
			t.Errorf("%d of %d statements were refused: what is left shows too little:\n%s", n, len(script[0].Steps), strings.Join(r.Protected.Refused, "\n"))
		}
	}
	missing := canarytest.Unseen(canarytest.PlacesOf(kind, Database), canarytest.Written(t, servers[0]))
	if flavor == "mysql" { // which reuses the files of its temporary tables at any time: MariaDB's are looked into as well
		missing = slices.DeleteFunc(missing, func(place string) bool { return place == "temporary tables" })
	}
	if len(missing) > 0 {
		t.Errorf("a server without protection has no canary in its %s: the search does not see", strings.Join(missing, ", "))
	}
	for _, s := range canarytest.Written(t, servers[1]) {
		t.Errorf("%s, policy %s: %s", flavor, policy.Name, s)
	}
	for i := range logs {
		for _, s := range canarytest.LookInto("tunic's log", logs[i].Bytes()) {
			t.Error(s)
		}
		if len(logs[i].Bytes()) == 0 {
			t.Error("tunic has logged nothing")
		}
	}
}
