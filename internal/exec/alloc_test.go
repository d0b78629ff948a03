package exec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"tunic/internal/advice"
	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/description"
	"tunic/internal/keys/keystest"
	"tunic/internal/plan/build"
	"tunic/internal/racetest"
	"tunic/internal/socket"
	"tunic/internal/sql"
	"tunic/internal/translation"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// sink is a client that takes everything and says nothing.
type sink struct{ io.Reader }

func (sink) Write(b []byte) (int, error) { return len(b), nil }

// loop is a session before a server that answers every command with the same.
type loop struct {
	book    *advice.Book
	session *Session
	catalog *catalog.Catalog
	fp      sql.Fingerprinter
}

// newLoop makes one whose server answers with what answer makes for the table.
func newLoop(tb testing.TB, answer func(st map[string]binding.Forms) []wiretest.Message) *loop {
	tb.Helper()
	l := &loop{catalog: catalogtest.Sbtest(tb), book: advice.NewBook(true)}
	ring := crypt.NewRing(keystest.Tree(tb))
	forms := map[string]binding.Forms{}
	table := l.catalog.Table("test", "sbtest1")
	for i := range table.Columns {
		if c := &table.Columns[i]; c.Protected() {
			made, err := ring.Column(c)
			if err != nil {
				tb.Fatal(err)
			}
			forms[c.Name] = made
		}
	}
	caps := wiretest.ClientCaps & wiretest.ServerCaps
	var messages []wire.Message
	for _, form := range answer(forms) {
		if m := form(caps); m != nil {
			messages = append(messages, m)
		}
	}
	server := &wiretest.Server{Script: wiretest.EveryConnection(wiretest.Accept, echo(wiretest.Frames(1, messages...), preparedOf(caps)))}
	server.Start(tb)
	l.session = newSession(tb, server.Addr, caps, Options{
		Forms: binding.FormsOf{Column: func(c *catalog.Column) (binding.Forms, error) { return forms[c.Name], nil }},
		Log:   slog.New(slog.DiscardHandler), Advice: l.book,
	})
	return l
}

// waits is a session without any more of it.
type waits struct {
	client *wire.Conn
	killed func() bool // nil where nobody knows
}

func (w waits) Write() error { return w.client.Flush() }
func (w waits) Killed() bool { return w.killed != nil && w.killed() }

// talksTo gives a session another client.
func (s *Session) talksTo(client *wire.Conn) {
	s.link.Client, s.link.Waiter = client, waits{client: client}
	s.dialogue.Client, s.dialogue.Waiter = client, s.link.Waiter
}

// newSession is a session with a server, in an environment that is known.
func newSession(tb testing.TB, addr string, caps wire.Capability, o Options) *Session {
	tb.Helper()
	target, err := backend.NewTarget(config.Backend{Address: addr, TLS: config.TLSDisabled, ConnectTimeout: 10 * time.Second})
	if err != nil {
		tb.Fatal(err)
	}
	conn, err := target.Dial(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	if err := conn.Greet(tb.Context(), wire.Login{Greeting: wire.Greeting{Capabilities: caps}}); err != nil {
		tb.Fatal(err)
	}
	if _, err := conn.ReadPacket(); err != nil {
		tb.Fatal(err)
	}
	conn.Admitted()
	client := wire.NewConn(sink{}, wire.PacketBytesMax)
	s := NewSession(New(o), Link{
		Client: client, Caps: caps, Server: conn, Response: new(wire.Response), Waiter: waits{client: client}, Owner: owner{},
		Modes: sql.Modes(0).WithServer("8.0.36").WithCharset("utf8mb4"),
	})
	err = s.env.Learn(backend.Environment{
		SQLMode: "STRICT_TRANS_TABLES", Client: "utf8mb4", Collation: "utf8mb4_general_ci", Results: "utf8mb4",
		TimeZone: "+00:00", Moment: time.Now(), PacketBytes: 64 << 20, NoticesMax: 64, SelectMost: math.MaxUint64,
	}, s.link.Modes, &s.engine.zones, nil)
	if err != nil {
		tb.Fatal(err)
	}
	s.known = true
	return s
}

// preparedOf are the answers to what prepares statements, by the number of their parameters.
func preparedOf(caps wire.Capability) (all [][]byte) {
	const most = 8
	for n := range most {
		messages := []wire.Message{wire.PrepareOK{ID: 1, Params: uint16(n)}}
		for range n {
			messages = append(messages, wiretest.Head("?")[1](caps))
		}
		if n > 0 && !caps.Has(wire.ClientDeprecateEOF) {
			messages = append(messages, wire.EOF{})
		}
		all = append(all, wiretest.Frames(1, messages...))
	}
	return all
}

// echo is a server that answers every command with the same bytes, but what prepares a statement, and allocates
// nothing for it.
func echo(answer []byte, prepared [][]byte) wiretest.Step {
	return func(p *wiretest.Peer) error {
		buffer := make([]byte, 64<<10)
		conn := socket.New(p.Net)
		for left := 0; ; {
			n, err := conn.Read(buffer)
			if err != nil {
				return nil //nolint:nilerr // the session has ended
			}
			said := answer
			if left == 0 && n > wire.HeaderBytes && wire.Command(buffer[wire.HeaderBytes]) == wire.ComStmtPrepare {
				said = prepared[bytes.Count(buffer[:n], []byte{'?'})]
			}
			if left == 0 { // a command of one frame begins
				left = wire.HeaderBytes + (int(buffer[0]) | int(buffer[1])<<8 | int(buffer[2])<<16)
			}
			if left -= n; left > 0 {
				continue
			}
			if _, err := conn.Write(said); err != nil {
				return nil //nolint:nilerr // the session has ended
			}
		}
	}
}

// statement plans a text, and describes its result.
func (l *loop) statement(tb testing.TB, text string, columns ...string) *Statement {
	tb.Helper()
	d := &description.Description{}
	for _, name := range columns {
		d.Columns = append(d.Columns, wiretest.Column(name))
	}
	return l.described(tb, text, d)
}

// described is statement for a result that is described already.
func (l *loop) described(tb testing.TB, text string, d *description.Description) *Statement {
	tb.Helper()
	l.fp.Record(true)
	l.fp.Fingerprint([]byte(text), l.session.env.Modes)
	all, err := sql.Parse([]byte(text), l.session.env.Modes)
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := all[0].TreeWithPlaces(l.fp.Literals())
	if err != nil {
		tb.Fatal(err)
	}
	run, err := build.Build(tree, l.catalog, "test", l.session.env.Modes)
	if err != nil {
		tb.Fatal(err)
	}
	st, err := l.session.engine.Statement(run)
	if err != nil {
		tb.Fatal(err)
	}
	if st.Run.Answer.Describe == nil {
		return st
	}
	b := l.session.binder
	b.Env, b.Text, b.Literals = &l.session.env, []byte(text), l.fp.Literals()
	if _, err := st.described.Of(&st.Statement, knows{d}, l.session.env.DescribeAs(), b); err != nil {
		tb.Fatal(err)
	}
	b.End()
	return st
}

// knows is a server that describes every statement in one way.
type knows struct{ d *description.Description }

func (k knows) Describe(_, _ []byte, _ backend.DescribeAs) (params, columns []wire.ColumnDefinition, err error) {
	return k.d.Params, k.d.Columns, nil
}

// answerOf makes results of so many rows.
func answerOf(rows int) func(map[string]binding.Forms) []wiretest.Message {
	return func(forms map[string]binding.Forms) []wiretest.Message {
		messages := wiretest.Head("c")
		for range rows {
			sealed, err := forms["c"].AppendSealed(nil, []byte(catalogtest.SbtestC))
			if err != nil {
				panic(err)
			}
			messages = append(messages, wiretest.Row(string(sealed)))
		}
		return append(messages, wiretest.End(wire.StatusAutocommit))
	}
}

// hotPaths are statements as sysbench sends them, with their answers.
func hotPaths() map[string]struct {
	text    string
	columns []string
	answer  func(map[string]binding.Forms) []wiretest.Message
} {
	ok := func(map[string]binding.Forms) []wiretest.Message {
		return []wiretest.Message{wiretest.OK(wire.OK{AffectedRows: 1, Status: wire.StatusAutocommit})}
	}
	insert := fmt.Sprintf("INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, 5012, '%s', '%s')", catalogtest.SbtestC, catalogtest.SbtestPad)
	return map[string]struct {
		text    string
		columns []string
		answer  func(map[string]binding.Forms) []wiretest.Message
	}{
		"insert":       {insert, nil, ok},
		"all forms":    {"INSERT INTO sbtest1 (k, c, pad) VALUES (5012, 'c', 'pad')", nil, ok},
		"point select": {"SELECT c FROM sbtest1 WHERE id = 4711", []string{"c"}, answerOf(1)},
		"range select": {"SELECT c FROM sbtest1 WHERE id BETWEEN 4711 AND 4810", []string{"c"}, answerOf(100)},
		"delete":       {"DELETE FROM sbtest1 WHERE k = 4711", nil, ok},
	}
}

// TestNoAllocations: in steady state neither a value nor a row costs memory.
func TestNoAllocations(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates")
	}
	for name, path := range hotPaths() {
		t.Run(name, func(t *testing.T) {
			l := newLoop(t, path.answer)
			st := l.statement(t, path.text, path.columns...)
			text := []byte(path.text)
			run := func() { l.run(t, st, text) }
			for range 20 {
				run()
			}
			if n := testing.AllocsPerRun(200, run); n > 0 {
				t.Errorf("%v allocations a statement", n)
			}
			if _, executes := l.session.repeated.Close(); executes != (name == "all forms" || name == "delete") {
				t.Errorf("executed: %t", executes)
			}
		})
	}
}

// TestBulk: the memory of a long statement is used again.
func TestBulk(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates")
	}
	text := []byte("INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, 1, 'c', 'pad')" + strings.Repeat(", (0, 5012, '"+catalogtest.SbtestC+"', '"+catalogtest.SbtestPad+"')", 2000))
	l := newLoop(t, hotPaths()["insert"].answer)
	st := l.statement(t, string(text))
	run := func() { l.run(t, st, text) }
	run()
	if n := testing.AllocsPerRun(20, run); n > 3 {
		t.Errorf("%v allocations a statement of %d bytes", n, len(text))
	}
}

func (l *loop) run(tb testing.TB, st *Statement, text []byte) {
	l.session.link.Client.SetSequence(1)
	if err := l.session.Text(st, wire.Query{Text: text}, l.fp.Literals()); err != nil {
		tb.Fatal(err)
	}
}

// counting is a client that counts what is written to it.
type counting struct {
	sink
	writes int
}

func (c *counting) Write(b []byte) (int, error) {
	c.writes++
	return len(b), nil
}

// TestWritesToClient: an answer that comes in several reads is one write, while it is small;
// and a large one does not wait for its end.
func TestWritesToClient(t *testing.T) {
	rowBytes := len(catalogtest.SbtestC) + wire.HeaderBytes + 1
	for rows, want := range map[int]int{1: 1, 100: 1, 1000: 1000 * rowBytes / wire.BufferBytes} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			l := newLoop(t, answerOf(rows))
			path := hotPaths()["range select"]
			st := l.statement(t, path.text, path.columns...)
			client := &counting{}
			if err := l.session.link.Client.SetTransport(client); err != nil {
				t.Fatal(err)
			}
			l.run(t, st, []byte(path.text))
			if client.writes < want || client.writes > want+1 && rows > 100 || rows <= 100 && client.writes != want {
				t.Errorf("%d writes, want about %d", client.writes, want)
			}
		})
	}
}

// executed is an INSERT of sysbench, prepared, with the command that executes it.
func (l *loop) executed(tb testing.TB) (*Prepared, wire.Execute) {
	tb.Helper()
	const text = "INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)"
	st := l.statement(tb, text)
	b := l.session.binder
	b.Text, b.Literals = []byte(text), l.fp.Literals()
	l.session.binder.Env = &l.session.env
	b.Begin(&st.Statement)
	p := newPrepared(st, nil)
	p.Reading = l.session.env.Reading
	if _, err := p.read(b); err != nil {
		tb.Fatal(err)
	}
	rest := []byte{0, 1, 0, 0, 0, 0, 1}
	var values []byte
	for _, v := range []binding.Param{long(0), long(5012), str(catalogtest.SbtestC), str(catalogtest.SbtestPad)} {
		rest = v.ParamType.Append(rest)
		values = wire.AppendBinaryValue(values, v.Kind, v.Bytes)
	}
	return p, wire.Execute{Command: wire.ComStmtExecute, Statement: 1, Rest: append(rest, values...)}
}

func (l *loop) execute(tb testing.TB, p *Prepared, m wire.Execute) {
	l.session.link.Client.SetSequence(1)
	if err := l.session.Execute(p, m); err != nil {
		tb.Fatal(err)
	}
}

// ownerSince is an owner whose catalog is another one by now.
type ownerSince struct {
	owner
	now *catalog.Catalog
}

func (o ownerSince) Catalog() *catalog.Catalog { return o.now }

// TestOutdatedSince: a statement whose table got another definition after it was looked at is for who can prepare it again,
// and not for the client.
func TestOutdatedSince(t *testing.T) {
	l := newLoop(t, hotPaths()["insert"].answer)
	p, m := l.executed(t)
	l.session.link.Owner = ownerSince{now: catalog.New(false)}
	if err := l.session.Execute(p, m); !translation.MayBeStale(err) {
		t.Errorf("%v", err)
	}
}

// TestNoAllocationsPrepared is TestNoAllocations for an execution.
func TestNoAllocationsPrepared(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates")
	}
	l := newLoop(t, hotPaths()["insert"].answer)
	p, m := l.executed(t)
	for range 20 {
		l.execute(t, p, m)
	}
	if n := testing.AllocsPerRun(200, func() { l.execute(t, p, m) }); n > 0 {
		t.Errorf("%v allocations an execution", n)
	}
}

func BenchmarkExecute(b *testing.B) {
	l := newLoop(b, hotPaths()["insert"].answer)
	p, m := l.executed(b)
	b.ReportAllocs()
	for b.Loop() {
		l.execute(b, p, m)
	}
}

// localTexts are statements that are finished here, and how many allocations one may cost
// when it is carried out again, whatever the number of rows.
var localTexts = map[string]struct {
	text        string
	allocations float64
}{
	"order":    {"SELECT c FROM sbtest1 WHERE id BETWEEN 4711 AND 4810 ORDER BY c", 6},
	"distinct": {"SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 4711 AND 4810 ORDER BY c", 13},
}

// newLocal is a loop whose server answers with 100 different rows.
func newLocal(tb testing.TB, text string) (*loop, *Statement) {
	l := newLoop(tb, func(forms map[string]binding.Forms) []wiretest.Message {
		messages := wiretest.Head("c")
		for i := range 100 {
			sealed, err := forms["c"].AppendSealed(nil, fmt.Appendf(nil, "%02d%s", i*37%100, catalogtest.SbtestC[2:]))
			if err != nil {
				tb.Fatal(err)
			}
			messages = append(messages, wiretest.Row(string(sealed)))
		}
		return append(messages, wiretest.End(wire.StatusAutocommit))
	})
	return l, l.statement(tb, text, "c")
}

// TestLocalAllocations: nothing of a statement is printed, read or described again when it is
// carried out again, and what it needs is memory that the one before has used.
func TestLocalAllocations(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates")
	}
	for name, c := range localTexts {
		t.Run(name, func(t *testing.T) {
			l, st := newLocal(t, c.text)
			run := func() { l.run(t, st, []byte(c.text)) }
			for range 20 {
				run()
			}
			if n := testing.AllocsPerRun(200, run); n > c.allocations {
				t.Errorf("%v allocations a statement, more than %v", n, c.allocations)
			}
		})
	}
}

// BenchmarkLocal finishes what a server returns of 100 different rows.
func BenchmarkLocal(b *testing.B) {
	for name, c := range localTexts {
		b.Run(name, func(b *testing.B) {
			l, st := newLocal(b, c.text)
			b.ReportAllocs()
			for b.Loop() {
				l.run(b, st, []byte(c.text))
			}
		})
	}
}

// aggregated is how many rows BenchmarkAggregate reads.
const aggregated = 10_000

// BenchmarkAggregate reads rows that a server returns, and answers with few. What a row
// costs is a ten thousandth of what is reported.
func BenchmarkAggregate(b *testing.B) {
	number := func(t wire.Type) wire.ColumnDefinition {
		column := wiretest.Column("n")
		column.Type = t
		return column
	}
	sum, count := number(wire.TypeNewDecimal), number(wire.TypeLongLong)
	for _, k := range []struct {
		name, text, of string // the column that is fetched
		kinds          int    // different values of it
		columns        []wire.ColumnDefinition
	}{
		{"sum", "SELECT SUM(k) FROM sbtest1", "k", aggregated, []wire.ColumnDefinition{sum}},
		{"filter", "SELECT COUNT(*) FROM sbtest1 WHERE k > 5000 AND k < 6000", "k", aggregated, []wire.ColumnDefinition{count}},
		{"like", "SELECT COUNT(*) FROM sbtest1 WHERE c LIKE '%9963%'", "c", aggregated, []wire.ColumnDefinition{count}},
		{"group", "SELECT k, COUNT(*), SUM(k) FROM sbtest1 GROUP BY k", "k", 100, []wire.ColumnDefinition{number(wire.TypeLong), count, sum}},
		{"top", "SELECT c FROM sbtest1 ORDER BY c LIMIT 10", "c", aggregated, []wire.ColumnDefinition{wiretest.Column("c")}},
	} {
		b.Run(k.name, func(b *testing.B) {
			l := newLoop(b, func(forms map[string]binding.Forms) []wiretest.Message {
				return numbered(b, forms[k.of], k.of, k.kinds)
			})
			st := l.described(b, k.text, &description.Description{Columns: k.columns})
			b.ReportAllocs()
			for b.Loop() {
				l.run(b, st, []byte(k.text))
			}
		})
	}
}

// numbered are results of one column with so many different values.
func numbered(tb testing.TB, forms binding.Forms, name string, kinds int) []wiretest.Message {
	tb.Helper()
	messages := wiretest.Head(name)
	for i := range aggregated {
		canonical := binary.BigEndian.AppendUint64(nil, uint64(i*7919%kinds))
		if name == "c" {
			canonical = fmt.Appendf(nil, "%04d%s", i*7919%kinds, catalogtest.SbtestC[4:])
		}
		sealed, err := forms.AppendSealed(nil, canonical)
		if err != nil {
			tb.Fatal(err)
		}
		messages = append(messages, wiretest.Row(string(sealed)))
	}
	return append(messages, wiretest.End(wire.StatusAutocommit))
}

func BenchmarkText(b *testing.B) {
	for name, path := range hotPaths() {
		b.Run(name, func(b *testing.B) {
			l := newLoop(b, path.answer)
			st := l.statement(b, path.text, path.columns...)
			b.ReportAllocs()
			text := []byte(path.text)
			for b.Loop() {
				l.run(b, st, text)
			}
		})
	}
}
