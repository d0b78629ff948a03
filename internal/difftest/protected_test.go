package difftest

import (
	"path/filepath"
	"testing"
)

// protectedCorpus are the scripts over tables that a policy protects.
func protectedCorpus(t *testing.T) []*Script {
	t.Helper()
	return some(t, filepath.Join("testdata", "protected"))
}

// TestProtectedCorpusOnPlainServers shows that the corpus keeps its promises, and that
// two equal servers answer all of it alike: what differs through tunic is tunic's.
func TestProtectedCorpusOnPlainServers(t *testing.T) {
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			p := startPair(t, flavor)
			r := &Runner{Flavor: flavor, Direct: p.direct(0), Proxied: p.direct(1)}
			check(t, run(t, r, protectedCorpus(t), configs(t, "text", "prepared")))
		})
	}
}
