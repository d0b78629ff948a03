package session

import (
	"errors"
	"testing"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestFileOutOfTurn: a server that answers with the name of a file gets it only
// in answer to a statement that reads one, from a client that has agreed on it.
func TestFileOutOfTurn(t *testing.T) {
	const name = "/etc/passwd"
	for _, c := range []struct {
		text    string
		agreed  bool
		allowed bool
	}{
		{"LOAD DATA LOCAL INFILE 'x' INTO TABLE t", true, true},
		{"load /* it */ data local infile 'x' into table t", true, true},
		{"LOAD DATA LOCAL INFILE 'x' INTO TABLE t", false, false},
		{"SELECT 1", true, false},
		{"INSERT INTO t VALUES ('LOAD DATA LOCAL INFILE')", true, false},
		{"SET NAMES utf8mb4", true, false},
	} {
		for _, deprecated := range []bool{true, false} {
			got := make(chan string, 1)
			caps := wiretest.ServerCaps
			if !deprecated {
				caps &^= wire.ClientDeprecateEOF
			}
			server := &wiretest.Server{Handshake: wiretest.Greeting(caps), Script: wiretest.EveryConnection(
				wiretest.Accept, wiretest.Expect(wire.ComQuery), wiretest.Try(
					wiretest.Send(wiretest.Plain(wire.Bytes("\xfb"+name))),
					func(p *wiretest.Peer) error {
						if err := p.Read(); err != nil {
							return err
						}
						got <- string(p.Last)
						if err := p.Read(); err != nil {
							return err
						}
						return p.Play(wiretest.Send(wiretest.OK(wire.OK{})))
					},
				))}
			server.Start(t)
			client, _, wait := startSession(t, shared(t, server.Addr))
			peer := wiretest.NewPeer(client)
			login := wiretest.Client{User: "app", Password: "app", Caps: wiretest.ClientCaps}
			if !c.agreed {
				login.Caps &^= wire.ClientLocalFiles
			}
			if err := login.Login(peer); err != nil {
				t.Fatal(err)
			}
			_, err := peer.QueryFile(c.text, []byte("content"))
			wait()
			var refusal *wiretest.ServerError
			switch {
			case c.allowed && (err != nil || <-got != "content"):
				t.Errorf("%s: %v", c.text, err)
			case !c.allowed && (!errors.As(err, &refusal) || len(got) > 0):
				t.Errorf("%s, agreed %t: %v, %d files sent", c.text, c.agreed, err, len(got))
			}
		}
	}
}
