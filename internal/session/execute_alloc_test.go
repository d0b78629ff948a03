package session

import (
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"

	"tunic/internal/advice"
	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/crypt"
	"tunic/internal/exec"
	"tunic/internal/keys/keystest"
	"tunic/internal/plan"
	"tunic/internal/racetest"
	"tunic/internal/socket"
	"tunic/internal/usage"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// describesC says that every result is the column c.
type describesC struct{}

func (describesC) Describe(statement, _ []byte, _ backend.DescribeAs) (params, columns []wire.ColumnDefinition, err error) {
	for range strings.Count(string(statement), "?") {
		params = append(params, wiretest.Column("?"))
	}
	if strings.HasPrefix(strings.ToUpper(string(statement)), "SELECT") {
		columns = append(columns, wiretest.Column("c"))
	}
	return params, columns, nil
}

// An executedPath is a command as sysbench sends it, and how the server answers what is
// made of it.
type executedPath struct {
	prepare string // "" for a text
	command wire.Message
	answer  func(sealedC string) []wiretest.Message
}

// binaryRow is a row of one string in the binary protocol.
func binaryRow(v string) wiretest.Message {
	return wiretest.Plain(wire.Bytes(wire.AppendBinaryValue([]byte{0, 0}, wire.TypeVarString, []byte(v))))
}

func executedPaths() map[string]executedPath {
	text := func(statement string) wire.Message {
		return wire.Bytes(wire.Query{Text: []byte(statement)}.AppendQuery(nil, 0))
	}
	execute := func(types []wire.Type, values ...string) wire.Message {
		rest := append([]byte{0, 1, 0, 0, 0}, 0, 1)
		for _, t := range types {
			rest = append(rest, byte(t), 0)
		}
		for i, v := range values {
			rest = wire.AppendBinaryValue(rest, types[i], []byte(v))
		}
		return wire.Execute{Command: wire.ComStmtExecute, Statement: 1, Rest: rest}
	}
	ok := func(string) []wiretest.Message {
		return []wiretest.Message{wiretest.OK(wire.OK{AffectedRows: 1, Status: wire.StatusAutocommit})}
	}
	rows := func(n int, row func(string) wiretest.Message) func(string) []wiretest.Message {
		return func(sealed string) []wiretest.Message {
			messages := wiretest.Head("c")
			for range n {
				messages = append(messages, row(sealed))
			}
			return append(messages, wiretest.End(wire.StatusAutocommit))
		}
	}
	textRow := func(v string) wiretest.Message { return wiretest.Row(v) }
	const id = "\x67\x12\x00\x00"
	long := []wire.Type{wire.TypeLong}
	return map[string]executedPath{
		"text insert":       {"", text(fmt.Sprintf("INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, 5012, '%s', '%s')", catalogtest.SbtestC, catalogtest.SbtestPad)), ok},
		"text point select": {"", text("SELECT c FROM sbtest1 WHERE id=4711"), rows(1, textRow)},
		"prepared insert": {
			"INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)",
			execute([]wire.Type{wire.TypeLong, wire.TypeLong, wire.TypeString, wire.TypeString}, "\x00\x00\x00\x00", id, catalogtest.SbtestC, catalogtest.SbtestPad), ok,
		},
		"prepared point select": {"SELECT c FROM sbtest1 WHERE id=?", execute(long, id), rows(1, binaryRow)},
		"prepared range select": {
			"SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?",
			execute([]wire.Type{wire.TypeLong, wire.TypeLong}, id, id), rows(100, binaryRow),
		},
	}
}

// environmentRow is what a server says of a session of sysbench's.
var environmentRow = []string{
	"STRICT_TRANS_TABLES", "utf8mb4", "utf8mb4_general_ci", "utf8mb4", "+00:00", "UTC", "1767225600.5", "0",
	"67108864", "64", "4", "18446744073709551615", "0", "1024", "0", "en_US", "aes-128-ecb", "", "1000", "1", "x", "1 1 3306 here /data/",
}

// answering is a server that says what a session asks before its first statement on a
// protected table, and then answers every command with the same.
func answering(frames []byte) wiretest.Step {
	return func(p *wiretest.Peer) error {
		for {
			p.Wire.SetSequence(0)
			if err := p.Read(); err != nil {
				return err
			}
			var err error
			switch command := string(p.Last); {
			case strings.Contains(command, "DATABASE()"):
				err = p.Play(sendRow(environmentRow[0], environmentRow[1], "test", environmentRow[21]))
			case strings.Contains(command, "@@div_precision_increment"):
				err = p.Play(sendRow(environmentRow...))
			case command[0] == byte(wire.ComStmtPrepare):
				params, columns, _ := describesC{}.Describe(p.Last[1:], nil, backend.DescribeAs{})
				messages := []wiretest.Message{wiretest.Plain(wire.PrepareOK{ID: 1, Params: uint16(len(params)), Columns: uint16(len(columns))})}
				messages = append(append(messages, definitions(params)...), definitions(columns)...)
				err = p.Play(wiretest.Send(messages...))
			default:
				if err := p.Play(wiretest.SendRaw(frames)); err != nil {
					return err
				}
				return echo(frames)(p)
			}
			if err != nil {
				return err
			}
		}
	}
}

func sendRow(values ...string) wiretest.Step {
	return wiretest.Send(wiretest.Result(wire.StatusAutocommit, make([]string, len(values)), values)...)
}

// definitions are the definitions of parameters or columns as COM_STMT_PREPARE is
// answered with them.
func definitions(all []wire.ColumnDefinition) (messages []wiretest.Message) {
	for _, c := range all {
		messages = append(messages, func(caps wire.Capability) wire.Message { return wire.Bytes(c.AppendColumn(nil, caps)) })
	}
	if len(all) > 0 {
		messages = append(messages, func(caps wire.Capability) wire.Message {
			if caps.Has(wire.ClientDeprecateEOF) {
				return nil
			}
			return wire.EOF{Status: wire.StatusAutocommit}
		})
	}
	return messages
}

// counted is a connection that counts the bytes that were read from it.
type counted struct {
	net.Conn
	read int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read += n
	return n, err
}

// beginExecuted logs in, prepares statement 1 if there is one, does the exchange once
// and returns what does it again.
func beginExecuted(tb testing.TB, path executedPath) *exchanged {
	tb.Helper()
	known := catalogtest.Sbtest(tb)
	ring := crypt.NewRing(keystest.Tree(tb))
	c, err := ring.Column(&known.Table("test", "sbtest1").Columns[2])
	if err != nil {
		tb.Fatal(err)
	}
	sealed, err := c.AppendSealed(nil, []byte(catalogtest.SbtestC))
	if err != nil {
		tb.Fatal(err)
	}
	caps := wiretest.ClientCaps & wiretest.ServerCaps
	var messages []wire.Message
	for _, form := range path.answer(string(sealed)) {
		if m := form(caps); m != nil {
			messages = append(messages, m)
		}
	}
	server := &wiretest.Server{Script: wiretest.EveryConnection(wiretest.Accept, answering(wiretest.Frames(1, messages...)))}
	server.Start(tb)
	all := shared(tb, server.Addr)
	all.Planner = plan.New(plan.Options{Catalog: func() *catalog.Catalog { return known }, Usage: usage.NewTop(usage.Entries)})
	all.Ledger = &fixedLedger{known: known}
	all.Engine = exec.New(exec.Options{
		Forms:    binding.FormsOf{Column: func(c *catalog.Column) (binding.Forms, error) { return ring.Column(c) }, Family: ring.Family},
		Describe: describesC{}, Log: slog.New(slog.DiscardHandler), Advice: advice.NewBook(true),
	})
	conn, _, _ := startSession(tb, all)
	counter := &counted{Conn: conn}
	peer := wiretest.NewPeer(counter)
	if err := (wiretest.Client{User: "app", Password: "app", Database: "test"}).Login(peer); err != nil {
		tb.Fatal(err)
	}
	if path.prepare != "" {
		if err := peer.Command(append([]byte{byte(wire.ComStmtPrepare)}, path.prepare...)); err != nil {
			tb.Fatal(err)
		}
		if _, err := peer.ReadAnswer(wire.ComStmtPrepare, nil); err != nil {
			tb.Fatal(err)
		}
	}
	before, command := counter.read, wire.ComQuery
	if path.prepare != "" {
		command = wire.ComStmtExecute
	}
	if _, err := conn.Write(wiretest.Frames(0, path.command)); err != nil {
		tb.Fatal(err)
	}
	peer.Wire.SetSequence(1)
	if _, err := peer.ReadAnswer(command, nil); err != nil {
		tb.Fatal(err)
	}
	length := counter.read - before
	return &exchanged{conn: socket.New(conn), buffer: make([]byte, length), length: length, command: wiretest.Frames(0, path.command)}
}

// TestCarriedAllocatesNothing: in steady state a statement over a protected table costs
// no heap allocation either, from the client's socket to the server's and back.
func TestCarriedAllocatesNothing(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates")
	}
	for name, path := range executedPaths() {
		t.Run(name, func(t *testing.T) {
			x := beginExecuted(t, path)
			for range 100 {
				x.once(t)
			}
			if n := testing.AllocsPerRun(1000, func() { x.once(t) }); n > 0 {
				t.Errorf("%v allocations a statement", n)
			}
			if strings.Contains(name, "select") && !strings.Contains(string(x.buffer), catalogtest.SbtestC) {
				t.Errorf("the client does not get the opened value: %q", x.buffer)
			}
		})
	}
}

func BenchmarkCarried(b *testing.B) {
	for name, path := range executedPaths() {
		b.Run(name, func(b *testing.B) {
			x := beginExecuted(b, path)
			b.ReportAllocs()
			b.SetBytes(int64(x.length))
			for b.Loop() {
				x.once(b)
			}
		})
	}
}
