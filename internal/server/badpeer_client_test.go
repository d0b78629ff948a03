package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"tunic/internal/config"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// goodLogin is the login of a client that knows what it is doing.
func goodLogin(p *wiretest.Peer) wire.Login {
	return wire.Login{
		Greeting: wire.Greeting{Capabilities: wiretest.ClientCaps & p.Handshake.Capabilities, Charset: wiretest.Charset},
		User:     []byte("app"), Plugin: []byte(wiretest.NativePassword),
	}
}

// loginFrames are the frames of a login, changed by change.
func loginFrames(change func([]byte) []byte) wiretest.Step {
	return func(p *wiretest.Peer) error {
		return p.Wire.WriteRaw(change(wiretest.Frames(1, goodLogin(p))))
	}
}

// TestBadLogins: a client that cannot be understood before it is in is told so,
// where the protocol lets it be told, and let go.
func TestBadLogins(t *testing.T) {
	_, addr := testedMariaDB(t, nil)
	raw := func(text string) wiretest.Step { return wiretest.SendRaw([]byte(text)) }
	for _, c := range []struct {
		name  string
		steps []wiretest.Step
		want  uint16
	}{
		{"says nothing more", []wiretest.Step{wiretest.HalfClose}, 0},
		{"an empty packet", []wiretest.Step{raw("\x00\x00\x00\x01")}, 1043},
		{"wrong sequence number", []wiretest.Step{wiretest.Skip(3), raw("\x20\x00\x00\x04")}, 1156},
		{"a packet over the limit", []wiretest.Step{raw("\x01\x00\x02\x01")}, 1153},
		{"a packet of many frames", []wiretest.Step{raw("\xff\xff\xff\x01")}, 1153},
		{"HTTP", []wiretest.Step{raw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")}, 1156},
		{"TLS without asking for it", []wiretest.Step{raw("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")}, 1156},
		{"half a header", []wiretest.Step{raw("\x20\x00"), wiretest.HalfClose}, 0},
		{"half a login", []wiretest.Step{loginFrames(func(b []byte) []byte { return b[:len(b)/2] }), wiretest.HalfClose}, 0},
		{"a login that ends early", []wiretest.Step{loginFrames(func(b []byte) []byte {
			return append([]byte{34, 0, 0}, b[3:wire.HeaderBytes+34]...)
		})}, 1043},
		{"a client older than 4.1", []wiretest.Step{raw("\x0a\x00\x00\x01\x05\x00\x00\x00\x00root\x00")}, 1043},
		{"TLS asked for, and garbage", []wiretest.Step{
			wiretest.Send(wiretest.Plain(wire.Greeting{Capabilities: wire.ClientSSL | wire.ClientProtocol41})), raw("garbage that is no TLS at all"),
		}, 0},
		{"TLS asked for, and nothing", []wiretest.Step{
			wiretest.Send(wiretest.Plain(wire.Greeting{Capabilities: wire.ClientSSL | wire.ClientProtocol41})), wiretest.HalfClose,
		}, 0},
		{"noise", []wiretest.Step{wiretest.SendRaw(noise(1000)), wiretest.HalfClose}, 1156},
		{"zeros", []wiretest.Step{wiretest.SendRaw(make([]byte, 1000))}, 1156},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := connect(t, addr)
			if err := p.Play(append([]wiretest.Step{wiretest.ReadGreeting}, c.steps...)...); err != nil {
				t.Fatal(err)
			}
			if got, _ := lastWord(t, p); got != c.want {
				t.Errorf("last word: error %d, want %d", got, c.want)
			}
		})
	}
}

// noise is random bytes, the same ones every time.
func noise(n int) []byte {
	r := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

// TestBadCommands: a client that is in and sends what cannot be understood gets
// an error that it takes for the answer, and is let go.
func TestBadCommands(t *testing.T) {
	_, addr := testedMariaDB(t, func(cfg *config.Config) { cfg.Limits.PacketBytes = 1 << 20 })
	raw := func(text string) wiretest.Step { return wiretest.SendRaw([]byte(text)) }
	for _, c := range []struct {
		name     string
		steps    []wiretest.Step
		want     uint16
		sequence uint8
	}{
		{"wrong sequence number", []wiretest.Step{raw("\x01\x00\x00\x01\x0e")}, 1156, 0},
		{"a packet over the limit", []wiretest.Step{raw("\x01\x00\x10\x00")}, 1153, 1},
		{"frames over the limit", []wiretest.Step{raw("\xff\xff\xff\x00")}, 1153, 1},
		{"change of user cut short", []wiretest.Step{raw("\x04\x00\x00\x00\x11joe")}, 1835, 1},
		{"half a packet", []wiretest.Step{raw("\x0a\x00\x00\x00\x03SEL"), wiretest.HalfClose}, 0, 0},
		{"half a header", []wiretest.Step{raw("\x0a\x00"), wiretest.HalfClose}, 0, 0},
		{"garbage", []wiretest.Step{wiretest.SendRaw(noise(1000))}, 1156, 0},
		{"a reset", []wiretest.Step{wiretest.Reset}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := app(t, addr)
			if err := p.Play(c.steps...); err != nil {
				t.Fatal(err)
			}
			number, sequence := lastWord(t, p)
			if number != c.want || sequence != c.sequence {
				t.Errorf("last word: error %d as packet %d, want %d as packet %d", number, sequence, c.want, c.sequence)
			}
		})
	}
}

// TestEveryCommandByte sends every command byte with payloads of every kind.
// What tunic does not know it refuses, and goes on; nothing hangs or breaks.
func TestEveryCommandByte(t *testing.T) {
	_, addr := testedMariaDB(t, nil)
	random := rand.New(rand.NewPCG(1, 2))
	for b := range 256 {
		command := wire.Command(b)
		for _, payload := range [][]byte{nil, noise(4), noise(1 + random.IntN(60)), make([]byte, 20)} {
			if command == wire.ComProcessKill && len(payload) == 20 {
				continue // its number might be the witness's
			}
			p := app(t, addr)
			if err := p.Command(append([]byte{byte(command)}, payload...)); err != nil {
				t.Fatal(err)
			}
			commandByte(t, p, command, payload)
			_ = p.Close()
		}
	}
}

func commandByte(t *testing.T, p *wiretest.Peer, command wire.Command, payload []byte) {
	t.Helper()
	if !command.Known() {
		var refused *wiretest.ServerError
		if _, err := p.ReadAnswer(wire.ComPing, nil); !errors.As(err, &refused) || refused.Number != 1047 {
			t.Errorf("%#x: %v, want a refusal", byte(command), err)
		}
		run(t, p, "SELECT 1")
		return
	}
	if command.Answered() {
		err := p.Read()
		if err != nil && !wiretest.Gone(err) {
			t.Errorf("%s with % x: %v", command, payload, err)
		}
	}
	_ = wiretest.HalfClose(p)
	if err := wiretest.Drain(p); err != nil {
		t.Errorf("%s with % x: %v", command, payload, err)
	}
}

// onStatement is a command on a prepared statement.
func onStatement(command wire.Command, id uint32, rest ...byte) []byte {
	return wire.Execute{Command: command, Statement: id, Rest: rest}.AppendTo(nil)
}

// TestUnknownStatements: commands on statements that were never prepared, or are
// closed, are refused or passed over as the protocol has it, and the session
// goes on.
func TestUnknownStatements(t *testing.T) {
	_, addr := testedMariaDB(t, nil)
	p := app(t, addr)
	if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, "SELECT ?"...)); err != nil {
		t.Fatal(err)
	}
	sets, err := p.ReadAnswer(wire.ComStmtPrepare, nil)
	if err != nil {
		t.Fatal(err)
	}
	closed := sets[0].Statement
	if err := p.Command(onStatement(wire.ComStmtClose, closed)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []uint32{closed, 0, 12345, wire.LastPrepared - 1, wire.LastPrepared} {
		for _, command := range []wire.Command{wire.ComStmtExecute, wire.ComStmtBulkExecute, wire.ComStmtFetch, wire.ComStmtReset} {
			if err := p.Command(onStatement(command, id, 0, 1, 0, 0, 0)); err != nil {
				t.Fatal(err)
			}
			var refused *wiretest.ServerError
			if _, err := p.ReadAnswer(command, nil); !errors.As(err, &refused) || refused.Number != 1243 {
				t.Errorf("%s on %d: %v", command, id, err)
			}
		}
		for _, command := range []wire.Command{wire.ComStmtClose, wire.ComStmtLongData} {
			if err := p.Command(onStatement(command, id, 0, 0, 'x')); err != nil {
				t.Fatal(err)
			}
		}
		if got := single(t, p, "SELECT 1"); got != "1" {
			t.Errorf("after unknown statement %d: %s", id, got)
		}
	}
}

// TestPipelinedCommands: commands that are sent before their predecessors are
// answered are answered in order, however they are cut.
func TestPipelinedCommands(t *testing.T) {
	_, addr := testedMariaDB(t, nil)
	const commands = 300
	for _, piece := range []int{0, 1, 7, 4096} {
		p := app(t, addr)
		var stream []byte
		for i := range commands {
			query := wire.Query{Text: fmt.Appendf(nil, "SELECT %d", i)}.AppendQuery(nil, p.Caps)
			stream = append(stream, wiretest.Frames(0, wire.Bytes(query))...)
		}
		sent := make(chan error, 1)
		go func() {
			_, err := wiretest.WithFaults(p.Net, wiretest.Faults{WriteMax: piece}).Write(stream)
			sent <- err
		}()
		for i := range commands {
			p.Wire.SetSequence(1)
			sets, err := p.ReadAnswer(wire.ComQuery, nil)
			if err != nil {
				t.Fatalf("command %d in pieces of %d: %v", i, piece, err)
			}
			if rows, err := sets[0].Text(); err != nil || rows[0][0] != fmt.Sprint(i) {
				t.Fatalf("command %d in pieces of %d: %v, %v", i, piece, rows, err)
			}
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
	}
}

// TestTrickledClient logs in and works one byte at a time, both ways.
func TestTrickledClient(t *testing.T) {
	_, addr := testedMariaDB(t, nil)
	plain := connect(t, addr)
	p := wiretest.NewPeer(wiretest.WithFaults(plain.Net, wiretest.Faults{ReadMax: 1, WriteMax: 1}))
	if err := (wiretest.Client{User: "app", Password: "app", Database: "test"}).Login(p); err != nil {
		t.Fatal(err)
	}
	if got := single(t, p, "SELECT REPEAT('x', 3000)"); len(got) != 3000 {
		t.Errorf("%d bytes", len(got))
	}
}

// TestHalfClosedClient: a client that says that it will send nothing more still
// gets the answers to what it has sent.
func TestHalfClosedClient(t *testing.T) {
	_, addr := testedMariaDB(t, nil)
	p := app(t, addr)
	if err := p.Command([]byte("\x03SELECT 7")); err != nil {
		t.Fatal(err)
	}
	if err := wiretest.HalfClose(p); err != nil {
		t.Fatal(err)
	}
	sets, err := p.ReadAnswer(wire.ComQuery, nil)
	if err != nil || len(sets) != 1 || len(sets[0].Rows) != 1 {
		t.Errorf("%v, %v", sets, err)
	}
	if err := wiretest.ExpectGone(p); err != nil {
		t.Error(err)
	}
}

// TestThousandConnections opens a thousand connections and drops them, in every
// state that they can be dropped in.
func TestThousandConnections(t *testing.T) {
	proxy, addr := testedMariaDB(t, nil)
	drops := []wiretest.Step{
		wiretest.Close,
		wiretest.Reset,
		func(p *wiretest.Peer) error { return p.Play(wiretest.ReadGreeting, wiretest.Close) },
		func(p *wiretest.Peer) error { return p.Play(wiretest.ReadGreeting, wiretest.Reset) },
		func(p *wiretest.Peer) error {
			return p.Play(wiretest.ReadGreeting, loginFrames(func(b []byte) []byte { return b[:20] }), wiretest.Close)
		},
		func(p *wiretest.Peer) error {
			return p.Play(wiretest.ReadGreeting, loginFrames(func(b []byte) []byte { return b }), wiretest.Reset)
		},
		func(p *wiretest.Peer) error {
			return p.Play(wiretest.Client{User: "app", Password: "app"}.Login, wiretest.Reset)
		},
		func(p *wiretest.Peer) error {
			return p.Play(wiretest.Client{User: "app", Password: "app"}.Login, wiretest.SendRaw([]byte("\x09\x00\x00\x00\x03SELECT 1")), wiretest.Close)
		},
	}
	const connections, workers = 1000, 20
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < connections; i += workers {
				p, err := wiretest.Connect(context.Background(), addr)
				if err != nil {
					t.Error(err)
					return
				}
				if err := p.Play(drops[i%len(drops)]); err != nil && !wiretest.Gone(err) {
					t.Error(err)
				}
				_ = p.Close()
			}
		})
	}
	group.Wait()
	sessions(t, proxy, 1) // the witness
}

// TestStuckHandshakes: two hundred clients that connect and say nothing do not
// keep others from working, and are told at the end of their time.
func TestStuckHandshakes(t *testing.T) {
	const stuck = 200
	proxy, addr := testedMariaDB(t, func(cfg *config.Config) {
		cfg.Limits.HandshakeTimeout = 5 * time.Second
		cfg.Limits.Logins, cfg.Limits.LoginsByAddress = stuck+50, stuck+50 // all at once, from one address
	})
	var peers []*wiretest.Peer
	for range stuck {
		p := connect(t, addr)
		if err := wiretest.ReadGreeting(p); err != nil {
			t.Fatal(err)
		}
		peers = append(peers, p)
	}
	for i := range 50 {
		if got := single(t, app(t, addr), fmt.Sprintf("SELECT %d", i)); got != fmt.Sprint(i) {
			t.Errorf("%d is %s", i, got)
		}
	}
	for _, p := range peers {
		if number, _ := lastWord(t, p); number != 1159 {
			t.Fatalf("last word to one that is stuck: error %d", number)
		}
	}
	waittest.Until(t, "they are no sessions any more", func() bool { return len(proxy.all()) <= 1+50 })
}

// TestUnreadAnswers: a client that does not take its answers, be it one that is
// long or many that are short, is let go after the write timeout.
func TestUnreadAnswers(t *testing.T) {
	proxy, addr := testedMariaDB(t, func(cfg *config.Config) { cfg.Limits.WriteTimeout = 200 * time.Millisecond })
	short := wiretest.Frames(0, wire.Bytes("\x03SELECT REPEAT('x', 4000)"))
	for name, stream := range map[string][]byte{
		"one long answer":    wiretest.Frames(0, wire.Bytes("\x03SELECT REPEAT('x', 1000000) FROM seq_1_to_500")),
		"many short answers": bytes.Repeat(short, 20_000),
		"many refusals":      bytes.Repeat(wiretest.Frames(0, wire.Bytes{byte(wire.ComBinlogDump)}), 200_000),
	} {
		t.Run(name, func(t *testing.T) {
			p := app(t, addr)
			go func() { _, _ = p.Net.Write(stream) }() // it may not take them all
			sessions(t, proxy, 1)
		})
	}
}

// TestBadCompression: clients of the compressed protocol that send packets that
// are none, lie about themselves, or unpack to far more than they say.
func TestBadCompression(t *testing.T) {
	_, addr := testedMariaDB(t, nil)
	for _, algorithm := range []wire.Capability{wire.ClientCompress, wire.ClientZstdCompression} {
		for name, stream := range map[string][]byte{
			"noise":            noise(1000),
			"plain frames":     wiretest.Frames(0, wire.Bytes("\x03SELECT 1")),
			"empty":            make([]byte, 7),
			"empty for long":   make([]byte, 7*100_000),
			"cut short":        {100, 0, 0, 0, 0, 0, 0, 'x'},
			"not compressed":   {4, 0, 0, 0, 200, 0, 0, 'a', 'b', 'c', 'd'},
			"says 16 MiB":      {4, 0, 0, 0, 0xff, 0xff, 0xff, 0x78, 0x9c, 0x03, 0x00},
			"malformed inside": {5, 0, 0, 0, 0, 0, 0, 1, 0, 0, 9, 0x0e},
			"a bomb":           bomb(t, algorithm),
		} {
			t.Run(algorithm.String()+", "+name, func(t *testing.T) {
				p := connect(t, addr)
				login := wiretest.Client{User: "app", Password: "app", Caps: wiretest.ClientCaps | algorithm}.Login
				if err := p.Play(login); err != nil {
					t.Fatal(err)
				}
				if !p.Caps.Has(algorithm) {
					t.Fatal("compression was not agreed on")
				}
				if got := single(t, p, "SELECT REPEAT('x', 1000)"); len(got) != 1000 {
					t.Errorf("%d bytes", len(got))
				}
				if _, err := p.Net.Write(stream); err != nil && !wiretest.Gone(err) {
					t.Fatal(err)
				}
				if err := p.Play(wiretest.HalfClose, wiretest.Drain); err != nil && !wiretest.Gone(err) {
					t.Error(err)
				}
			})
		}
	}
}

// bomb is a compressed packet that says that it holds 100 bytes and holds 16 MiB.
func bomb(t *testing.T, algorithm wire.Capability) []byte {
	t.Helper()
	var packet bytes.Buffer
	c := wire.NewCompressed(&packet, wire.NegotiatedCompression(algorithm), 3)
	if _, err := c.Write(make([]byte, wire.FrameBytesMax)); err != nil {
		t.Fatal(err)
	}
	b := packet.Bytes()
	b[4], b[5], b[6] = 100, 0, 0
	return b
}

// TestBadFiles: clients that break off, or break the protocol, while they send
// the file that LOAD DATA LOCAL has asked for.
func TestBadFiles(t *testing.T) {
	proxy, addr := testedMariaDB(t, func(cfg *config.Config) { cfg.Limits.PacketBytes = 1 << 20 })
	run(t, app(t, addr), "CREATE OR REPLACE TABLE badfiles (a INT)")
	for _, c := range []struct {
		name  string
		steps []wiretest.Step
		want  uint16
	}{
		{"closes", []wiretest.Step{wiretest.HalfClose}, 0},
		{"closes inside a packet", []wiretest.Step{wiretest.SendRaw([]byte("\x64\x00\x00\x021\n2\n")), wiretest.HalfClose}, 0},
		{"resets", []wiretest.Step{wiretest.SendRaw([]byte("\x02\x00\x00\x021\n")), wiretest.Reset}, 0},
		{"wrong sequence number", []wiretest.Step{wiretest.SendRaw([]byte("\x02\x00\x00\x051\n"))}, 1156},
		{"the next command", []wiretest.Step{wiretest.SendRaw([]byte("\x01\x00\x00\x00\x0e"))}, 1156},
		{"a packet over the limit", []wiretest.Step{wiretest.SendRaw([]byte("\x01\x00\x10\x02"))}, 1153},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := app(t, addr)
			if err := p.Command([]byte("\x03LOAD DATA LOCAL INFILE 'x' INTO TABLE badfiles")); err != nil {
				t.Fatal(err)
			}
			if err := p.Play(append([]wiretest.Step{wiretest.Receive}, c.steps...)...); err != nil {
				t.Fatal(err)
			}
			if number, _ := lastWord(t, p); number != c.want {
				t.Errorf("last word: error %d, want %d", number, c.want)
			}
		})
	}
	run(t, app(t, addr), "DROP TABLE badfiles")
	waittest.Until(t, "all but the witness and two have ended", func() bool { return len(proxy.all()) <= 3 })
}

// TestMutatedConversations sends what a driver sends, with bytes changed, lost,
// doubled and moved.
func TestMutatedConversations(t *testing.T) {
	proxy, addr := testedMariaDB(t, nil)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		p := app(t, addr)
		if _, err := p.Net.Write(mutate(random, conversation(p.Caps))); err != nil && !wiretest.Gone(err) {
			t.Fatal(err)
		}
		_ = wiretest.HalfClose(p)
		if err := wiretest.Drain(p); err != nil {
			t.Fatal(err)
		}
		_ = p.Close()
	}
	sessions(t, proxy, 1)
}

// conversation is the commands of a session that uses everything.
func conversation(caps wire.Capability) []byte {
	var b []byte
	for _, payload := range [][]byte{
		{byte(wire.ComPing)},
		wire.Query{Text: []byte("SELECT 1, 'two', NULL; SELECT 3")}.AppendQuery(nil, caps),
		append([]byte{byte(wire.ComStmtPrepare)}, "SELECT ?, ?"...),
		onStatement(wire.ComStmtLongData, wire.LastPrepared, 0, 0, 'a', 'b'),
		onStatement(wire.ComStmtExecute, wire.LastPrepared, 0, 1, 0, 0, 0, 0, 1, 0xfd, 0, 3, 0, 1, 0, 0, 0),
		onStatement(wire.ComStmtExecute, wire.LastPrepared, 1, 1, 0, 0, 0, 0, 1, 0xfd, 0, 3, 0, 1, 'x', 1, 0, 0, 0),
		onStatement(wire.ComStmtFetch, wire.LastPrepared, 1, 0, 0, 0),
		onStatement(wire.ComStmtReset, wire.LastPrepared),
		append([]byte{byte(wire.ComInitDB)}, "test"...),
		append([]byte{byte(wire.ComFieldList)}, "t\x00%"...),
		binary.LittleEndian.AppendUint16([]byte{byte(wire.ComSetOption)}, 0),
		{byte(wire.ComStatistics)},
		{byte(wire.ComResetConnection)},
	} {
		b = append(b, wiretest.Frames(0, wire.Bytes(payload))...)
	}
	return b
}

// mutate changes a few places of a stream.
func mutate(random *rand.Rand, b []byte) []byte {
	for range 1 + random.IntN(4) {
		at := random.IntN(len(b))
		end := min(at+1+random.IntN(8), len(b))
		switch random.IntN(4) {
		case 0:
			b[at] ^= 1 << random.IntN(8)
		case 1:
			b = append(b[:at:at], b[end:]...)
		case 2:
			b = append(b[:end:end], b[at:]...)
		default:
			b = append(append(b[:at:at], noise(random.IntN(9))...), b[at:]...)
		}
	}
	return b
}
