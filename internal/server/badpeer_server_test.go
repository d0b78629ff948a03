package server

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/config"
	"tunic/internal/session"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// rows are the messages of a result of three rows.
var rows = wiretest.Result(wire.StatusAutocommit, []string{"a", "b"}, []string{"1", "one"}, []string{"2", "two"}, []string{"3", "three"})

// outcome is what a client is to make of a server's misdeed.
type outcome struct {
	number uint16 // of the error it gets; 0 if the connection just ends
	passed bool   // it has had its answer before that
}

// TestBadAnswers: whatever a server answers, the client gets what was understood of
// it. Behind that, it is told of what makes no sense, where an error may stand; the
// end of the server's connection is that of its own. The session ends, and no other.
func TestBadAnswers(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []wiretest.Step
		want  outcome
	}{
		{"closes instead", []wiretest.Step{wiretest.Close}, outcome{}},
		{"resets instead", []wiretest.Step{wiretest.Reset}, outcome{}},
		{"dies between packets", []wiretest.Step{wiretest.Send(wiretest.Head("a", "b")...), wiretest.Close}, outcome{}},
		{"dies behind a row", []wiretest.Step{wiretest.Send(rows[:len(rows)-1]...), wiretest.Close}, outcome{}},
		{"dies inside a row", []wiretest.Step{wiretest.Truncate(-15, rows...), wiretest.Close}, outcome{}},
		{"dies inside the OK", []wiretest.Step{wiretest.Truncate(6, wiretest.OK(wire.OK{})), wiretest.Close}, outcome{}},
		{"dies inside a header", []wiretest.Step{wiretest.Truncate(3, wiretest.OK(wire.OK{})), wiretest.Close}, outcome{}},
		{"wrong sequence number", []wiretest.Step{wiretest.Skip(1), wiretest.Send(wiretest.OK(wire.OK{}))}, outcome{number: 1835}},
		{"wrong sequence number of a row", []wiretest.Step{
			wiretest.Send(wiretest.Head("a", "b")...), wiretest.Skip(1), wiretest.Send(wiretest.Row("1", "one")),
		}, outcome{number: 1835}},
		{"a malformed OK", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("\x00\x00")))}, outcome{number: 1835}},
		{"a malformed error", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("\xff\x01")))}, outcome{number: 1835}},
		{"an empty packet", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("")))}, outcome{number: 1835}},
		{"a row for a head", []wiretest.Step{wiretest.Send(wiretest.Row("1", "one"))}, outcome{number: 1835}},
		{"a malformed end of rows", []wiretest.Step{
			wiretest.Send(append(wiretest.Head("a", "b"), wiretest.Plain(wire.Bytes("\xfe\x00\x00\x00\x00\x00")))...),
		}, outcome{number: 1835}},
		{"HTTP", []wiretest.Step{wiretest.SendRaw([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))}, outcome{number: 1835}},
		{"noise", []wiretest.Step{wiretest.SendRaw(noise(1000))}, outcome{number: 1835}},
		{"a message of 16 MiB", []wiretest.Step{wiretest.SendRaw([]byte("\xff\xff\xff\x01\x00"))}, outcome{number: 1835}},
		{"more than asked for", []wiretest.Step{wiretest.Send(append(rows[:len(rows):len(rows)], wiretest.OK(wire.OK{}))...)}, outcome{passed: true}},
		{"a file nobody has spoken of", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("\xfbnames"))), wiretest.Drain}, outcome{number: 1835}},
		{"LOAD DATA: a file, and closes", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("\xfbnames"))), wiretest.Receive, wiretest.Close}, outcome{}},
		{"LOAD DATA: a file, and garbage", []wiretest.Step{
			wiretest.Send(wiretest.Plain(wire.Bytes("\xfbnames"))), wiretest.Receive, wiretest.Receive, wiretest.SendRaw(noise(100)),
		}, outcome{number: 1835}},
	} {
		for name, side := range sides {
			t.Run(c.name+", "+name, func(t *testing.T) {
				steps := append([]wiretest.Step{admit, wiretest.Expect(wire.ComQuery)}, c.steps...)
				proxy, addr := scriptedServer(t, &wiretest.Server{Handshake: wiretest.Greeting(side.server), Script: honest(steps...)}, nil)
				p, err := victim(t, addr, side.client)
				if err != nil {
					t.Fatal(err)
				}
				text := "SELECT a, b FROM t"
				if strings.HasPrefix(c.name, "LOAD DATA") {
					text = "LOAD DATA LOCAL INFILE 'names' INTO TABLE t"
				}
				sets, err := p.QueryFile(text, []byte("a file"))
				checkOutcome(t, c.want, sets, err)
				if err := wiretest.ExpectGone(p); err != nil {
					t.Errorf("behind the answer: %v", err)
				}
				sessions(t, proxy, 1)
			})
		}
	}
}

// sides are the ways in which the two sides of tunic can differ in how answers
// look.
var sides = map[string]struct{ client, server wire.Capability }{
	"without EOF": {wiretest.ClientCaps, wiretest.ServerCaps},
	"with EOF":    {wiretest.ClientCaps &^ wire.ClientDeprecateEOF, wiretest.ServerCaps},
	"translated":  {wiretest.ClientCaps, wiretest.ServerCaps &^ wire.ClientDeprecateEOF},
}

func checkOutcome(t *testing.T, want outcome, sets []wiretest.Set, err error) {
	t.Helper()
	var failure *wiretest.ServerError
	switch {
	case want.passed:
		if err != nil || len(sets) != 1 || len(sets[0].Rows) != 3 {
			t.Errorf("%v, %v, want the answer", sets, err)
		}
	case want.number > 0:
		if !errors.As(err, &failure) || failure.Number != want.number {
			t.Errorf("%v, want error %d", err, want.number)
		}
	case !wiretest.Gone(err):
		t.Errorf("%v, want the end of the connection", err)
	}
}

// TestServersAtLogin: servers that misbehave before they have let the client in.
func TestServersAtLogin(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []wiretest.Step
		want  uint16 // 0 for any
	}{
		{"closes", []wiretest.Step{wiretest.Close}, 1158},
		{"resets", []wiretest.Step{wiretest.Reset}, 1158},
		{"an empty packet", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes(""))), wiretest.Receive, wiretest.Close}, 0},
		{"wrong sequence number", []wiretest.Step{wiretest.Skip(1), admit}, 1158},
		{"noise", []wiretest.Step{wiretest.SendRaw(noise(1000))}, 1158},
		{"an OK cut short", []wiretest.Step{wiretest.Truncate(8, wiretest.OK(wire.OK{})), wiretest.Close}, 1158},
		{"a plugin of before 4.1", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("\xfe")))}, 1251},
		{"a plugin that nobody knows", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.AuthSwitch{Plugin: []byte("telepathy")}))}, 1251},
		{"a password in clear", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.AuthSwitch{Plugin: []byte("mysql_clear_password")}))}, 1251},
		{"another factor", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("\x02webauthn\x00")))}, 1251},
		{"refuses", []wiretest.Step{wiretest.Send(wiretest.Err(1045, "28000", "no"))}, 1045},
		{"a malformed refusal", []wiretest.Step{wiretest.Send(wiretest.Plain(wire.Bytes("\xff")))}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			proxy, addr := scripted(t, nil, c.steps...)
			p, err := victim(t, addr, 0)
			var failure *wiretest.ServerError
			if errors.As(err, &failure); err == nil || c.want != 0 && (failure == nil || failure.Number != c.want) {
				t.Errorf("%v, want error %d", err, c.want)
			}
			_ = p.Close()
			sessions(t, proxy, 1)
		})
	}
}

// TestBadGreetings: servers that do not greet as servers do, to sessions that
// come after tunic has started.
func TestBadGreetings(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []wiretest.Step
		want  uint16
	}{
		{"closes", []wiretest.Step{wiretest.Close}, 1429},
		{"noise", []wiretest.Step{wiretest.SendRaw(noise(1000))}, 1835},
		{"HTTP", []wiretest.Step{wiretest.SendRaw([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))}, 1835},
		{"SSH", []wiretest.Step{wiretest.SendRaw([]byte("SSH-2.0-OpenSSH_9.2\r\n")), wiretest.Drain}, 1835},
		{"cut short", []wiretest.Step{wiretest.Truncate(40, wiretest.Plain(wiretest.Greeting(wiretest.ServerCaps))), wiretest.Close}, 1429},
		{"a server older than 4.1", []wiretest.Step{wiretest.Send(wiretest.Plain(wiretest.Greeting(wire.ClientLongFlag)))}, 1835},
		{"an empty packet", []wiretest.Step{wiretest.SendRaw([]byte{0, 0, 0, 0})}, 1835},
		{"too many connections", []wiretest.Step{wiretest.Send(wiretest.Err(1040, "08004", "Too many connections"))}, 1040},
		{"never", []wiretest.Step{wiretest.Drain}, 1835},
	} {
		t.Run(c.name, func(t *testing.T) {
			var bad atomic.Bool
			good := honest()
			server := &wiretest.Server{Script: func(n int) []wiretest.Step {
				if bad.Load() {
					return []wiretest.Step{wiretest.Try(c.steps...)}
				}
				return good(n)
			}}
			proxy, addr := scriptedServer(t, server, func(cfg *config.Config) { cfg.Backend.ConnectTimeout = time.Second })
			bad.Store(true)
			_, err := victim(t, addr, 0)
			var failure *wiretest.ServerError
			if !errors.As(err, &failure) || failure.Number != c.want {
				t.Errorf("%v, want error %d", err, c.want)
			}
			sessions(t, proxy, 1)
		})
	}
}

// TestTrickledServer: a server that sends one byte at a time is only slow.
func TestTrickledServer(t *testing.T) {
	eachSide(t, nil, admit, wiretest.Expect(wire.ComQuery), wiretest.Trickle(rows...), wiretest.Drain)
}

// eachSide wants the whole answer, however the two sides differ.
func eachSide(t *testing.T, change func(*config.Config), steps ...wiretest.Step) {
	t.Helper()
	for name, side := range sides {
		t.Run(name, func(t *testing.T) {
			_, addr := scriptedServer(t, &wiretest.Server{Handshake: wiretest.Greeting(side.server), Script: honest(steps...)}, change)
			p, err := victim(t, addr, side.client)
			if err != nil {
				t.Fatal(err)
			}
			sets, err := p.Query("SELECT a, b FROM t")
			checkOutcome(t, outcome{passed: true}, sets, err)
		})
	}
}

// TestSlowServerIsNoStall: a server that takes longer for the next part of its
// answer than a client may take to read one is waited for.
func TestSlowServerIsNoStall(t *testing.T) {
	const timeout = time.Minute
	for name, side := range sides {
		t.Run(name, func(t *testing.T) {
			begun, looked := make(chan struct{}), make(chan struct{})
			wait := func(*wiretest.Peer) error { <-looked; return nil }
			steps := honest(admit, wiretest.Expect(wire.ComQuery), wiretest.Send(rows[:4]...), wiretest.Tell(begun), wait, wiretest.Send(rows[4:]...), wiretest.Drain)
			proxy, addr := scriptedServer(t, &wiretest.Server{Handshake: wiretest.Greeting(side.server), Script: steps}, func(cfg *config.Config) {
				cfg.Limits.WriteTimeout, cfg.Limits.IdleTimeout = timeout, 0
			})
			p, err := victim(t, addr, side.client)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Command([]byte("\x03SELECT a, b FROM t")); err != nil {
				t.Fatal(err)
			}
			<-begun
			for i := range 5 {
				waittest.Until(t, "the session waits for its server", func() bool { return phases(proxy)[session.PhaseBusy] == 1 })
				proxy.look(time.Now().Add(time.Duration(i) * 2 * timeout))
			}
			close(looked)
			sets, err := p.ReadAnswer(wire.ComQuery, nil)
			checkOutcome(t, outcome{passed: true}, sets, err)
		})
	}
}

// TestSilentServer: a server that never answers holds up its own session only,
// and not the end of tunic.
func TestSilentServer(t *testing.T) {
	asked := make(chan struct{})
	_, addr := scripted(t, func(cfg *config.Config) { cfg.Limits.Drain = 10 * time.Millisecond },
		admit, wiretest.Expect(wire.ComQuery), wiretest.Tell(asked), wiretest.Drain)
	p, err := victim(t, addr, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Command([]byte("\x03SELECT 1")); err != nil {
		t.Fatal(err)
	}
	<-asked
}

// TestScriptedServerDies: all sessions of a server that dies end without a word, as
// they would without tunic, and those after it are told that there is no server.
func TestScriptedServerDies(t *testing.T) {
	asked := make(chan struct{}, 10)
	leavesNothing(t)
	server := &wiretest.Server{Script: honest(
		admit, wiretest.Expect(wire.ComQuery), func(*wiretest.Peer) error { asked <- struct{}{}; return nil }, wiretest.Drain,
	)}
	server.Start(t)
	proxy, addr := startTested(t, proxySettings(t, server.Addr))
	var idle, busy []*wiretest.Peer
	for range 5 {
		p, err := victim(t, addr, 0)
		if err != nil {
			t.Fatal(err)
		}
		idle = append(idle, p)
		if p, err = victim(t, addr, 0); err != nil {
			t.Fatal(err)
		}
		if err := p.Command([]byte("\x03SELECT 1")); err != nil {
			t.Fatal(err)
		}
		<-asked
		busy = append(busy, p)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, p := range busy {
		if number, sequence := lastWord(t, p); number != 0 {
			t.Errorf("busy: error %d as packet %d", number, sequence)
		}
	}
	for i, p := range idle {
		if i%2 == 0 { // which notice first by what they send
			if _, err := p.Query("SELECT 1"); !wiretest.Gone(err) {
				t.Errorf("idle, and then not: %v", err)
			}
			continue
		}
		if number, sequence := lastWord(t, p); number != 0 {
			t.Errorf("idle: error %d as packet %d", number, sequence)
		}
	}
	var failure *wiretest.ServerError
	if _, err := victim(t, addr, 0); !errors.As(err, &failure) || failure.Number != 1429 {
		t.Errorf("after it: %v", err)
	}
	sessions(t, proxy, 0)
}

// TestMutatedAnswers has a server whose answers are an honest one's with bytes
// changed, lost, doubled and moved.
func TestMutatedAnswers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	answers := make(chan []byte, 1)
	good := answerFrames(rows, wiretest.ClientCaps)
	proxy, addr := scripted(t, nil, admit, wiretest.Expect(wire.ComQuery), func(p *wiretest.Peer) error {
		return p.Wire.WriteRaw(<-answers)
	})
	for range 300 {
		p, err := victim(t, addr, 0)
		if err != nil {
			t.Fatal(err)
		}
		answers <- mutate(random, bytes.Clone(good))
		if err := p.Command([]byte("\x03SELECT a, b FROM t")); err != nil {
			t.Fatal(err)
		}
		if err := wiretest.HalfClose(p); err != nil {
			t.Fatal(err)
		}
		if err := wiretest.Drain(p); err != nil {
			t.Fatal(err)
		}
		_ = p.Close()
	}
	sessions(t, proxy, 1)
}

// answerFrames are the frames of an answer between peers that have agreed so.
func answerFrames(answer []wiretest.Message, caps wire.Capability) []byte {
	var messages []wire.Message
	for _, m := range answer {
		if message := m(caps); message != nil {
			messages = append(messages, message)
		}
	}
	return wiretest.Frames(1, messages...)
}
