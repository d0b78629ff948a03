package session

import (
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire"
)

// TestPrepareOfNothing: what a server answers to a statement that cannot be
// prepared goes to the client, whatever it is, and the session goes on. MySQL 9
// answers the statements without a privilege with a plain OK.
func TestPrepareOfNothing(t *testing.T) {
	for _, server := range sandboxtest.Available(t) {
		t.Run(string(server.Flavor), func(t *testing.T) {
			p, _ := loginAs(t, shared(t, server.Addr), "app")
			for _, text := range []string{"SET GLOBAL max_connections = 10", "SET PERSIST max_connections = 10", "SET nosuch = 1", "SELECT ?", "SHUTDOWN"} {
				if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, text...)); err != nil {
					t.Fatal(err)
				}
				sets, err := p.ReadAnswer(wire.ComStmtPrepare, nil)
				refusal(t, err)
				if text == "SELECT ?" && (err != nil || sets[0].Params != 1) {
					t.Errorf("%s: %+v, %v", text, sets, err)
				}
				if _, err := p.Query("SELECT 1"); err != nil {
					t.Errorf("after %s: %v", text, err)
				}
			}
		})
	}
}
