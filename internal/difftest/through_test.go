package difftest

import (
	"path/filepath"
	"testing"

	"tunic/internal/sandbox"
)

// TestThroughTunic is the oracle: one server spoken to directly, its equal through
// tunic. A pin that nothing has matched fails as well.
func TestThroughTunic(t *testing.T) {
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			p := startPair(t, flavor)
			pins, err := LoadPins(filepath.Join("testdata", "pins.txt"))
			if err != nil {
				t.Fatal(err)
			}
			r := &Runner{Flavor: flavor, Direct: p.direct(0), Proxied: throughTunic(t, p.servers[1]), Pins: pins}
			check(t, run(t, r, corpus(t), configs(t)))
			for _, pin := range stale(pins, flavor) {
				t.Errorf("%s:%d: the difference is gone: %s", pins.File, pin.Line, pin.Reason)
			}
		})
	}
}

// throughTunic starts tunic before the server, for the length of the test. It has no
// key, and so does not start where another test has left a ledger.
func throughTunic(t *testing.T, s *sandbox.Server) Peer {
	t.Helper()
	if err := s.Exec(t.Context(), "DROP DATABASE IF EXISTS _tunic"); err != nil {
		t.Fatal(err)
	}
	tunic, err := sandbox.StartTunic(t.Context(), sandbox.TunicOptions{Backend: s.Addr, Log: serverLog("tunic", 0)})
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
