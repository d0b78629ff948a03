package wiretest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"tunic/internal/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// dial logs in to a server that is being tested with.
func dial(t *testing.T, s *Server, c Client) *Peer {
	t.Helper()
	p, err := c.Dial(t.Context(), s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// Client and Database understand each other, with and without DEPRECATE_EOF.
func TestClientAndDatabase(t *testing.T) {
	s := &Server{Script: EveryConnection(Accept, Database(nil))}
	s.Start(t)
	for _, caps := range []wire.Capability{0, ClientCaps &^ wire.ClientDeprecateEOF} {
		p := dial(t, s, Client{User: "joe", Password: "secret", Database: "shop", Caps: caps})
		for _, want := range []string{"1", "two", "3"} {
			sets, err := p.Query("SELECT " + want)
			if err != nil {
				t.Fatal(err)
			}
			if rows, err := sets[0].Text(); err != nil || rows[0][0] != want {
				t.Errorf("%v, %v, want %s", rows, err, want)
			}
		}
		for _, command := range []wire.Command{wire.ComPing, wire.ComStatistics, wire.ComStmtPrepare} {
			if err := p.Command([]byte{byte(command)}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.ReadAnswer(command, nil); err != nil {
				t.Error(err)
			}
		}
		if err := p.Command([]byte{byte(wire.ComQuit)}); err != nil {
			t.Error(err)
		}
		if err := ExpectGone(p); err != nil {
			t.Error(err)
		}
	}
}

// A script can answer commands of its own before Database does.
func TestDatabaseWithAnswersOfItsOwn(t *testing.T) {
	s := &Server{Script: EveryConnection(Accept, Database(func(p *Peer, command []byte) (bool, error) {
		if !strings.HasPrefix(string(command), "\x03LOAD") {
			return false, nil
		}
		return true, p.Play(
			Send(Plain(wire.Bytes("\xfbnames"))), Receive, Receive,
			Send(OK(wire.OK{AffectedRows: 2})),
		)
	}))}
	s.Start(t)
	p := dial(t, s, Client{})
	sets, err := p.QueryFile("LOAD DATA", []byte("a\nb\n"))
	if err != nil || sets[0].OK.AffectedRows != 2 {
		t.Errorf("%+v, %v", sets, err)
	}
	if _, err := p.Query("SELECT 1"); err != nil {
		t.Error(err)
	}
}

// A login that the server refuses is a *ServerError with its number.
func TestLoginRefused(t *testing.T) {
	s := &Server{Script: EveryConnection(Greet, ExpectLogin, Send(Err(1045, "28000", "no")))}
	s.Start(t)
	_, err := Client{}.Dial(t.Context(), s.Addr)
	var refused *ServerError
	if !errors.As(err, &refused) || refused.Number != 1045 || refused.State != "28000" {
		t.Errorf("%v", err)
	}
}

// Steps that send what no honest server does reach the client as they are.
func TestDishonestSteps(t *testing.T) {
	answer := Frames(1, wire.EOF{Warnings: 7})
	for _, c := range []struct {
		name  string
		steps []Step
		want  []byte
	}{
		{"truncated", []Step{Truncate(5, Plain(wire.EOF{Warnings: 7})), Close}, answer[:5]},
		{"by byte", []Step{Trickle(Plain(wire.EOF{Warnings: 7}))}, answer},
		{"number too high", []Step{Skip(2), Send(Plain(wire.EOF{Warnings: 7}))}, Frames(3, wire.EOF{Warnings: 7})},
		{"number of choice", []Step{Sequence(99), Send(Plain(wire.EOF{Warnings: 7}))}, Frames(99, wire.EOF{Warnings: 7})},
		{"raw", []Step{SendRaw([]byte("HTTP/1.1 400"))}, []byte("HTTP/1.1 400")},
		{"half closed", []Step{HalfClose, Drain}, nil},
		{"twice", []Step{Send(OK(wire.OK{}), OK(wire.OK{}))}, Frames(1, wire.Bytes(wire.OK{}.AppendOK(nil, 0)), wire.Bytes(wire.OK{}.AppendOK(nil, 0)))},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Server{Script: EveryConnection(append([]Step{Accept, Expect(wire.ComPing)}, c.steps...)...)}
			s.Start(t)
			p := dial(t, s, Client{})
			if err := p.Command([]byte{byte(wire.ComPing)}); err != nil {
				t.Fatal(err)
			}
			if c.name == "half closed" {
				if err := HalfClose(p); err != nil {
					t.Fatal(err)
				}
			}
			got, err := io.ReadAll(p.Net)
			if err != nil || !bytes.Equal(got, c.want) {
				t.Errorf("% x, %v, want % x", got, err, c.want)
			}
		})
	}
}

// What a client does otherwise than the script expects is a failure of the test.
func TestServerReportsItsScript(t *testing.T) {
	s := &Server{Script: EveryConnection(Accept, Expect(wire.ComPing))}
	s.Start(t)
	p := dial(t, s, Client{})
	if err := p.Command([]byte{byte(wire.ComQuit)}); err != nil {
		t.Fatal(err)
	}
	if err := ExpectGone(p); err != nil {
		t.Error(err)
	}
	if err := s.Stop(); err == nil || !strings.Contains(err.Error(), "want COM_PING") {
		t.Errorf("the script's failure is %v", err)
	}
}

// Scripts tell the test where they are, and wait for it.
func TestHoldAndTell(t *testing.T) {
	here, release := make(chan struct{}), make(chan struct{})
	s := &Server{Script: EveryConnection(Accept, Tell(here), Hold(release), Try(Send(OK(wire.OK{})), ExpectGone))}
	s.Start(t)
	p := dial(t, s, Client{})
	<-here
	p.Wire.SetSequence(2)
	close(release)
	if err := p.Play(Sequence(3), Receive); err != nil {
		t.Error(err)
	}
}

// pipe is a TCP connection of which the near end has faults.
func pipe(t *testing.T, f Faults) (near *Faulty, far net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	near = WithFaults(conn, f)
	t.Cleanup(func() { _ = near.Close(); _ = far.Close() })
	return near, far
}

func TestFaultyReads(t *testing.T) {
	near, far := pipe(t, Faults{ReadMax: 3, ReadEnd: 7})
	if _, err := far.Write([]byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for {
		b := make([]byte, 100)
		n, err := near.Read(b)
		if n > 3 {
			t.Errorf("%d bytes at once", n)
		}
		got = append(got, b[:n]...)
		if err != nil {
			if !errors.Is(err, syscall.ECONNRESET) || !Gone(err) {
				t.Error(err)
			}
			break
		}
	}
	if string(got) != "0123456" {
		t.Errorf("read %q", got)
	}
}

func TestFaultyWrites(t *testing.T) {
	near, far := pipe(t, Faults{WriteMax: 4, WriteEnd: 6})
	n, err := near.Write([]byte("0123456789"))
	if n != 6 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := near.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(far); err != nil || string(got) != "012345" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFaultyStall(t *testing.T) {
	near, far := pipe(t, Faults{Stall: 4})
	if _, err := far.Write([]byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 10)
	if n, err := near.Read(b); n != 4 || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
	read := make(chan string)
	go func() {
		n, _ := near.Read(b) // the bytes tell
		read <- string(b[:n])
	}()
	select {
	case got := <-read:
		t.Errorf("read %q during the stall", got)
	default:
	}
	near.Release()
	if got := <-read; got != "456789" {
		t.Errorf("read %q after the stall", got)
	}
}

func TestFaultyStallEndsWithClose(t *testing.T) {
	near, _ := pipe(t, Faults{Stall: 1, ReadMax: 1})
	near.read.Store(1)
	read := make(chan error)
	go func() {
		_, err := near.Read(make([]byte, 1))
		read <- err
	}()
	if err := near.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-read; !Gone(err) {
		t.Errorf("%v", err)
	}
}

// A TCP reset, other than an orderly end, is an error to its reader.
func TestReset(t *testing.T) {
	s := &Server{Script: EveryConnection(Accept, Expect(wire.ComPing), Reset)}
	s.Start(t)
	p := dial(t, s, Client{})
	if err := p.Command([]byte{byte(wire.ComPing)}); err != nil {
		t.Fatal(err)
	}
	if err := p.Read(); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%v", err)
	}
}

func TestTap(t *testing.T) {
	s := &Server{Script: EveryConnection(Accept, Database(nil))}
	s.Start(t)
	p, err := Connect(t.Context(), s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	tap := &Tap{Conn: p.Net}
	p = NewPeer(tap)
	defer p.Close()
	if err := (Client{}).Login(p); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(tap.In.Bytes(), Frames(0, p.Handshake)) {
		t.Error("the greeting is not in the tap")
	}
	tap.Forget()
	if err := p.Command([]byte{byte(wire.ComPing)}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.ReadAnswer(wire.ComPing, nil); err != nil {
		t.Fatal(err)
	}
	if tap.Out.String() != "\x01\x00\x00\x00\x0e" || tap.In.Len() != 11 {
		t.Errorf("out % x, in % x", tap.Out.Bytes(), tap.In.Bytes())
	}
}
