package difftest

import (
	"testing"

	"tunic/internal/sandbox"
)

// TestThroughTunic is the oracle: one server spoken to directly, its equal through
// tunic.
func TestThroughTunic(t *testing.T) {
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			p := startPair(t, flavor)
			r := &Runner{Flavor: flavor, Direct: p.direct(0), Proxied: throughTunic(t, p.servers[1])}
			check(t, run(t, r, corpus(t), configs(t)))
		})
	}
}

// throughTunic starts tunic before the server, for the length of the test.
func throughTunic(t *testing.T, s *sandbox.Server) Peer {
	t.Helper()
	tunic, err := sandbox.StartTunic(t.Context(), sandbox.TunicOptions{Backend: s.Addr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tunic.Stop(); err != nil {
			t.Error(err)
		}
	})
	return Peer{Target: Target{Name: "tunic", Addr: tunic.Addr}, Server: s}
}

