package difftest

import "testing"

// plainWays are the configurations for two plain servers: all of them where there is time for all
// of everything. Else the first tells as much of the harness and of the corpus.
func plainWays(names ...string) []string {
	if *everything {
		return names
	}
	return names[:1]
}

// TestPlainServerAgreesWithItself shows that the harness finds no difference where
// there is none: two equal servers, nothing between them and their clients.
func TestPlainServerAgreesWithItself(t *testing.T) {
	if testing.Short() {
		t.Skip("-short; tunic has no part in it")
	}
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			p := startPair(t, flavor)
			r := &Runner{Flavor: flavor, Direct: p.direct(0), Proxied: p.direct(1)}
			check(t, run(t, r, corpus(t), configs(t, plainWays("prepared-eof", "text", "cursor")...)))
		})
	}
}
