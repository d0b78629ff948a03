package session

import (
	"io"
	"net"
	"testing"

	"tunic/internal/socket"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// echo is a server that answers every command with the same bytes and allocates
// nothing for it.
func echo(answer []byte) wiretest.Step {
	return func(p *wiretest.Peer) error {
		buffer := make([]byte, 64<<10)
		conn := socket.New(p.Net)
		for {
			if _, err := conn.Read(buffer); err != nil {
				return nil //nolint:nilerr // the session has ended
			}
			if _, err := conn.Write(answer); err != nil {
				return nil //nolint:nilerr // the session has ended
			}
		}
	}
}

// exchanged sends a command and reads length bytes of answer, without
// allocating.
type exchanged struct {
	conn    net.Conn
	buffer  []byte
	command []byte
	length  int
}

func (x *exchanged) once(tb testing.TB) {
	if _, err := x.conn.Write(x.command); err != nil {
		tb.Fatal(err)
	}
	if _, err := io.ReadFull(x.conn, x.buffer[:x.length]); err != nil {
		tb.Fatal(err)
	}
}

// hotPaths are commands as sysbench sends them, with their answers.
func hotPaths() map[string]struct {
	command wire.Message
	answer  []wiretest.Message
} {
	row := wiretest.Row("68487932199-96439406143-93774651418-41631865787-96406072701-20604855487-25459966574-28203206787-41238978918-19503783441")
	rows := append(wiretest.Head("c"), row)
	hundred := wiretest.Head("c")
	for range 100 {
		hundred = append(hundred, row)
	}
	execute := wire.Execute{Command: wire.ComStmtExecute, Statement: 1, Rest: []byte{0, 1, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0}}
	query := wire.Bytes(wire.Query{Text: []byte("SELECT c FROM sbtest1 WHERE id=4711")}.AppendQuery(nil, 0))
	insert := wire.Bytes(wire.Query{Text: []byte("INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, 5012, 'c-c-c', 'pad')")}.AppendQuery(nil, 0))
	end := wiretest.End(wire.StatusAutocommit)
	return map[string]struct {
		command wire.Message
		answer  []wiretest.Message
	}{
		"prepared point select": {execute, append(rows, end)},
		"prepared range select": {execute, append(hundred, end)},
		"text point select":     {query, append(rows, end)},
		"text insert":           {insert, []wiretest.Message{wiretest.OK(wire.OK{AffectedRows: 1, Status: wire.StatusAutocommit})}},
	}
}

// begin logs in, prepares statement 1 and returns what does the exchange.
func begin(tb testing.TB, command wire.Message, answer []wiretest.Message) *exchanged {
	tb.Helper()
	caps := wiretest.ClientCaps & wiretest.ServerCaps
	var messages []wire.Message
	for _, form := range answer {
		if m := form(caps); m != nil {
			messages = append(messages, m)
		}
	}
	frames := wiretest.Frames(1, messages...)
	server := &wiretest.Server{Script: wiretest.EveryConnection(
		wiretest.Accept, wiretest.Expect(wire.ComStmtPrepare), wiretest.Send(wiretest.Plain(wire.PrepareOK{ID: 1})), echo(frames),
	)}
	server.Start(tb)
	conn, _, _ := startSession(tb, shared(tb, server.Addr))
	peer := wiretest.NewPeer(conn)
	if err := (wiretest.Client{User: "app", Password: "app"}).Login(peer); err != nil {
		tb.Fatal(err)
	}
	if err := peer.Command(append([]byte{byte(wire.ComStmtPrepare)}, "SELECT c FROM sbtest1 WHERE id=?"...)); err != nil {
		tb.Fatal(err)
	}
	if _, err := peer.ReadAnswer(wire.ComStmtPrepare, nil); err != nil {
		tb.Fatal(err)
	}
	return &exchanged{
		conn: socket.New(conn), buffer: make([]byte, len(frames)), length: len(frames),
		command: wiretest.Frames(0, command),
	}
}

// TestRelayAllocatesNothing: in steady state a query that passes through costs
// no heap allocation, from the client's socket to the server's and back.
func TestRelayAllocatesNothing(t *testing.T) {
	for name, path := range hotPaths() {
		t.Run(name, func(t *testing.T) {
			x := begin(t, path.command, path.answer)
			for range 100 {
				x.once(t)
			}
			if n := testing.AllocsPerRun(1000, func() { x.once(t) }); n > 0 {
				t.Errorf("%v allocations a query", n)
			}
		})
	}
}

func BenchmarkRelay(b *testing.B) {
	for name, path := range hotPaths() {
		b.Run(name, func(b *testing.B) {
			x := begin(b, path.command, path.answer)
			b.ReportAllocs()
			b.SetBytes(int64(x.length))
			for b.Loop() {
				x.once(b)
			}
		})
	}
}
