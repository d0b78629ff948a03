package session

import (
	"testing"

	"tunic/internal/config"
	"tunic/internal/metrics"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestChangeUserIsRelayed: the server gets a COM_CHANGE_USER as the client has
// sent it, with what it leaves out left out.
func TestChangeUserIsRelayed(t *testing.T) {
	const head = "\x11joe\x00\x03abctest\x00"
	for _, tail := range []string{"", "\x2d\x00", "\x2d\x00mysql_native_password\x00"} {
		got := make(chan string, 1)
		greeting := wiretest.Greeting(wiretest.ServerCaps)
		greeting.Version = []byte("11.8.0-MariaDB")
		server := &wiretest.Server{Handshake: greeting, Script: wiretest.EveryConnection(
			wiretest.Accept, wiretest.Expect(wire.ComChangeUser),
			func(p *wiretest.Peer) error {
				got <- string(p.Last)
				return p.Play(wiretest.Send(wiretest.Err(1045, "28000", "denied")))
			},
			wiretest.Expect(wire.ComPing), wiretest.Send(wiretest.OK(wire.OK{})), wiretest.Drain,
		)}
		server.Start(t)
		p := loggedIn(t, shared(t, server.Addr))
		if err := p.Command([]byte(head + tail)); err != nil {
			t.Fatal(err)
		}
		if err := p.Play(wiretest.ExpectErr(1045)); err != nil {
			t.Errorf("%q: %v", tail, err)
		}
		if sent := <-got; sent != head+tail {
			t.Errorf("%q went to the server as %q", head+tail, sent)
		}
		if err := p.Command([]byte{byte(wire.ComPing)}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.ReadAnswer(wire.ComPing, nil); err != nil {
			t.Errorf("%q: after it: %v", tail, err)
		}
	}
}

// TestChangeUserToUnlisted: who changes to an account that is not listed is refused, before the
// server hears of it, and the session is over.
func TestChangeUserToUnlisted(t *testing.T) {
	server := &wiretest.Server{Script: wiretest.EveryConnection(wiretest.Accept, wiretest.Drain)}
	server.Start(t)
	all := shared(t, server.Addr)
	all.Settings().Clients.Accounts = []config.ClientAccount{{User: "joe", Host: "10.9.*"}, {User: "r?ot", Host: "*"}}
	p := loggedIn(t, all)
	if err := p.Command([]byte("\x11joe\x00\x03abctest\x00")); err != nil {
		t.Fatal(err)
	}
	if err := p.Play(wiretest.ExpectErr(1045)); err != nil {
		t.Error(err)
	}
	if n := all.Metrics.Login(metrics.LoginRefused).Value(); n != 1 {
		t.Errorf("%d refused logins are counted", n)
	}
}
