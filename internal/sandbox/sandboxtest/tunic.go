package sandboxtest

import (
	"testing"

	"tunic/internal/sandbox"
)

// Protecting starts a tunic that protects before a server, with a key and a ledger of its
// own, until the test ends. What one before it has left there is dropped: its ledger, and the
// schemas that are named.
func Protecting(tb testing.TB, s *sandbox.Server, schemas ...string) *sandbox.Proc {
	tb.Helper()
	drops := []string{"SET foreign_key_checks = 0"}
	for _, schema := range append([]string{"_tunic"}, schemas...) {
		drops = append(drops, "DROP DATABASE IF EXISTS "+schema)
	}
	demand(tb, s.Exec(tb.Context(), drops...))
	tunic, err := sandbox.StartTunic(tb.Context(), sandbox.TunicOptions{Backend: s.Addr, Protect: true})
	demand(tb, err)
	tb.Cleanup(func() {
		if err := tunic.Stop(); err != nil {
			tb.Error(err)
		}
	})
	return tunic
}
