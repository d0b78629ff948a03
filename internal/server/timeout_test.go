package server

import (
	"context"
	"strconv"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestServerEndsSessions: when the server closes a session, because it was idle for
// too long or because somebody ended it, the client is left with what it would be
// left with directly, in a transaction or not, and its place is free.
func TestServerEndsSessions(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := database(t, flavor)
			proxy, addr := startProxy(t, proxySettings(t, server.Addr))
			for _, c := range []struct{ name, before, end string }{
				{"wait_timeout", "SET wait_timeout = 1", ""},
				{"wait_timeout in a transaction", "SET wait_timeout = 1; BEGIN", ""},
				{"KILL", "DO 0", "KILL "},
				{"KILL in a transaction", "BEGIN", "KILL "},
			} {
				t.Run(c.name, func(t *testing.T) {
					direct, through := ends(t, server.Addr, c.before), ends(t, addr, c.before)
					sessions(t, proxy, 1)
					if c.end != "" {
						killer := app(t, server.Addr)
						run(t, killer, c.end+idOf(direct))
						run(t, killer, c.end+idOf(through))
					}
					number, sequence := lastWord(t, direct)
					if n, q := lastWord(t, through); n != number || q != sequence {
						t.Errorf("last word: error %d as packet %d, directly error %d as packet %d", n, q, number, sequence)
					}
					sessions(t, proxy, 0)
				})
			}
		})
	}
}

// ends logs in a session that is to be ended.
func ends(t *testing.T, addr, before string) *wiretest.Peer {
	t.Helper()
	p, err := wiretest.Client{User: "app", Password: "app", Caps: wiretest.ClientCaps | wire.ClientMultiStatements}.Dial(context.Background(), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	_ = p.Net.SetDeadline(time.Now().Add(patience))
	run(t, p, before)
	return p
}

// idOf is the number by which the server knows a session.
func idOf(p *wiretest.Peer) string { return strconv.Itoa(int(p.Handshake.ConnectionID)) }
