package session

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestServerLeavesInstead: a server that leaves in place of an answer, to whatever
// command, leaves the client with what it has said, numbered as the answer, and with
// the end of the connection.
func TestServerLeavesInstead(t *testing.T) {
	word := wiretest.Err(4031, "HY000", "idle for too long")
	query := wire.Bytes(wire.Query{Text: []byte("SELECT 1")}.AppendQuery(nil, 0))
	for name, command := range map[string]wire.Bytes{
		"COM_PING": {byte(wire.ComPing)}, "COM_QUERY": query, "COM_STMT_PREPARE": wire.Bytes("\x16SELECT ?"),
		"COM_RESET_CONNECTION": {byte(wire.ComResetConnection)}, "COM_INIT_DB": wire.Bytes("\x02test"),
		"COM_CHANGE_USER": wire.Bytes("\x11joe\x00\x03abctest\x00\x2d\x00mysql_native_password\x00"),
	} {
		expect := wiretest.Expect(wire.Command(command[0]))
		for _, c := range []struct {
			name  string
			steps []wiretest.Step
			says  wiretest.Step
		}{
			{"without a word", []wiretest.Step{expect, wiretest.Close}, wiretest.ExpectGone},
			{"without having read", []wiretest.Step{wiretest.Reset}, wiretest.ExpectGone},
			{"with a word unasked", []wiretest.Step{expect, wiretest.Sequence(0), wiretest.Send(word), wiretest.Close}, wiretest.ExpectErr(4031)},
			{"with a word as its answer", []wiretest.Step{expect, wiretest.Send(word), wiretest.Close}, wiretest.ExpectErr(4031)},
		} {
			t.Run(name+", "+c.name, func(t *testing.T) {
				server := &wiretest.Server{Script: wiretest.EveryConnection(append([]wiretest.Step{wiretest.Accept}, c.steps...)...)}
				server.Start(t)
				p := loggedIn(t, shared(t, server.Addr))
				if err := p.Command(command); err != nil {
					t.Fatal(err)
				}
				if err := p.Play(c.says); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestServerLeavesDuringLogin: before the client is let in, it is told that the server
// has gone: without a session it has nothing that could have broken.
func TestServerLeavesDuringLogin(t *testing.T) {
	server := &wiretest.Server{Script: wiretest.EveryConnection(wiretest.Greet, wiretest.ExpectLogin, wiretest.Close)}
	server.Start(t)
	client, _, _ := startSession(t, shared(t, server.Addr))
	err := wiretest.Client{User: "app", Password: "app"}.Login(wiretest.NewPeer(client))
	if number := refusal(t, err); number != 1158 {
		t.Errorf("error %d, want 1158", number)
	}
}

// TestCutStatementsAreLogged: a statement that is cut off and that nobody can end at
// the server is in the log; a session that is cut off between statements is not.
func TestCutStatementsAreLogged(t *testing.T) {
	for _, c := range []struct {
		name  string
		asked bool
	}{{"within a statement", true}, {"between statements", false}} {
		t.Run(c.name, func(t *testing.T) {
			asked := make(chan struct{})
			server := &wiretest.Server{Script: wiretest.EveryConnection(
				wiretest.Accept, wiretest.Try(wiretest.Expect(wire.ComQuery), wiretest.Tell(asked), wiretest.Drain),
			)}
			server.Start(t)
			var lines bytes.Buffer
			all := shared(t, server.Addr)
			all.Refusals = slog.New(slog.NewTextHandler(&lines, nil))
			client, s, wait := startSession(t, all)
			p := wiretest.NewPeer(client)
			if err := (wiretest.Client{User: "app", Password: "app"}).Login(p); err != nil {
				t.Fatal(err)
			}
			if c.asked {
				if err := p.Command([]byte("\x03SELECT 1")); err != nil {
					t.Fatal(err)
				}
				<-asked
			}
			s.Cut()
			p.Wire.SetSequence(map[bool]uint8{true: 1}[c.asked])
			if err := p.Play(wiretest.ExpectErr(1053), wiretest.ExpectGone); err != nil {
				t.Error(err)
			}
			wait()
			if logged := strings.Contains(lines.String(), "may go on at the server"); logged != c.asked {
				t.Errorf("the log has: %q", lines.String())
			}
		})
	}
}
