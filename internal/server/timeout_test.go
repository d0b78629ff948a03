package server

import (
	"errors"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/wire/wiretest"
)

// TestServerWaitTimeout: when the server has closed a session that was idle for
// too long, the client's next statement fails with what the server has said, or
// as if it had found the connection closed.
func TestServerWaitTimeout(t *testing.T) {
	want := map[sandbox.Flavor]uint16{sandbox.MariaDB: 1160, sandbox.MySQL: 4031} // MySQL says why before it closes
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := database(t, flavor)
			_, addr := startProxy(t, proxySettings(t, server.Addr))
			idle, watching := app(t, addr), app(t, server.Addr)
			run(t, idle, "SELECT GET_LOCK('idle', 0)")
			run(t, idle, "SET wait_timeout = 1")
			until(t, "the server has closed the session", func() bool {
				return single(t, watching, "SELECT IS_FREE_LOCK('idle')") == "1"
			})
			var failure *wiretest.ServerError
			if _, err := idle.Query("SELECT 1"); !errors.As(err, &failure) || failure.Number != want[flavor] {
				t.Errorf("the next statement: %v, want error %d", err, want[flavor])
			}
		})
	}
}
