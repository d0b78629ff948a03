package dialogue

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

const caps = wiretest.ClientCaps & wiretest.ServerCaps

// peer is a server that says what it is told to say, and keeps what it has got.
type peer struct {
	says, got bytes.Buffer
}

func (p *peer) Read(b []byte) (int, error)  { return p.says.Read(b) }
func (p *peer) Write(b []byte) (int, error) { return p.got.Write(b) }

// answer has it say these messages, as the answer to one command.
func (p *peer) answer(messages ...wiretest.Message) {
	var all []wire.Message
	for _, m := range messages {
		if said := m(caps); said != nil {
			all = append(all, said)
		}
	}
	p.says.Write(wiretest.Frames(1, all...))
}

// commands are what it has got, without the headers of the frames.
func (p *peer) commands() (all []string) {
	for rest := p.got.Bytes(); len(rest) > 0; {
		n := int(rest[0]) | int(rest[1])<<8 | int(rest[2])<<16
		all = append(all, string(rest[wire.HeaderBytes:wire.HeaderBytes+n]))
		rest = rest[wire.HeaderBytes+n:]
	}
	return all
}

// client is a session that waits: it counts how often it has written.
type client struct {
	writes int
	killed bool
}

func (c *client) Write() error { c.writes++; return nil }
func (c *client) Killed() bool { return c.killed }

func talk() (*Dialogue, *peer, *client) {
	p, c := &peer{}, &client{}
	x := &Dialogue{
		Client: wire.NewConn(scripted{&bytes.Buffer{}}, wire.PacketBytesMax), Response: &wire.Response{}, Waiter: c, Types: new([]wire.Type),
		Server: &backend.Conn{Conn: wire.NewConn(p, wire.PacketBytesMax), Capabilities: caps},
	}
	return x, p, c
}

func query(text string) string { return "\x03" + text }

func refusal(number uint16) wiretest.Message {
	return wiretest.Plain(wire.Err{Number: number, State: "HY000", Message: []byte("no")})
}

// TestPassAll: an answer is passed on packet by packet, with where in it each is; more than the answer breaks it.
func TestPassAll(t *testing.T) {
	for name, more := range map[string]bool{"one answer": false, "and more": true} {
		x, p, c := talk()
		p.answer(append(wiretest.Head("a"), wiretest.Row("1"), wiretest.Row("2"), wiretest.End(wire.StatusAutocommit))...)
		if more {
			p.answer(wiretest.OK(wire.OK{}))
		}
		if err := x.Request([]byte(query("SELECT a"))); err != nil {
			t.Fatal(err)
		}
		var stages []Stage
		err := x.PassAll(func(before Stage, _ []byte) error {
			stages = append(stages, before)
			return nil
		})
		if _, broken := errors.AsType[*BrokenError](err); broken != more || !more && (err != nil || c.writes == 0) {
			t.Errorf("%s: %v, %d writes", name, err, c.writes)
		}
		rows := 0
		for _, s := range stages {
			if s == StageRows {
				rows++
			}
		}
		if stages[0] != StageOther || stages[1] != StageColumns || rows != 3 {
			t.Errorf("%s: %v", name, stages)
		}
	}
}

// TestSendPacket: what the server would not take is not sent, and neither is what could not be made.
func TestSendPacket(t *testing.T) {
	x, p, _ := talk()
	failed := errors.New("no value")
	for name, c := range map[string]struct {
		most int
		err  error
		want error
	}{
		"too long": {4, nil, ErrPacket}, "not made": {100, failed, failed},
	} {
		out := append(x.Server.OpenPacket(), query("SELECT 1")...)
		if err := x.SendPacket(out, c.most, c.err); !errors.Is(err, c.want) || p.got.Len() > 0 {
			t.Errorf("%s: %v, %d bytes were sent", name, err, p.got.Len())
		}
	}
	x.Server.SetSequence(0)
	out := append(x.Server.OpenPacket(), query("SELECT 1")...)
	if err := x.SendPacket(out, 100, nil); err != nil || !slices.Equal(p.commands(), []string{query("SELECT 1")}) {
		t.Errorf("%v, %q", err, p.commands())
	}
}

// TestFollow: several commands are sent in one write, and answered one after the other.
func TestFollow(t *testing.T) {
	x, p, c := talk()
	p.answer(wiretest.OK(wire.OK{AffectedRows: 3}))
	p.answer(append(wiretest.Head("a"), wiretest.Row("1"), wiretest.End(wire.StatusAutocommit))...)
	p.answer(refusal(1213))
	for _, text := range [...]string{"UPDATE", "SELECT", "COMMIT"} {
		x.PushText(text)
	}
	if p.got.Len() > 0 {
		t.Error("it was sent before the others were there")
	}
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := []string{query("UPDATE"), query("SELECT"), query("COMMIT")}; !slices.Equal(p.commands(), want) {
		t.Errorf("%q", p.commands())
	}
	if r, err := x.Await(); err != nil || r.Failed != nil || r.OK.AffectedRows != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	rows := 0
	err := x.Follow(func(int, []byte) error { rows++; return nil }, func(int, Reply) error { return nil })
	if err != nil || rows != 1 || len(*x.Types) != 1 {
		t.Errorf("%d rows, %d types, %v", rows, len(*x.Types), err)
	}
	if r, err := x.Await(); err != nil || r.Failed == nil || r.Failed.Number != 1213 {
		t.Errorf("%+v, %v", r, err)
	}
	c.killed = true
	x.PushText("UPDATE")
	if err, ok := errors.AsType[*sqlerr.Error](x.Flush()); !ok || err.Number != ErrKilled || len(p.commands()) != 3 || len(x.sent) > 0 {
		t.Errorf("after KILL QUERY: %v, %q", err, p.commands())
	}
}

// TestSureText: what has to be done is sent again where KILL QUERY has met it, and only then.
func TestSureText(t *testing.T) {
	for name, c := range map[string]struct {
		answers []uint16 // numbers of errors, 0 for OK
		want    uint16
	}{
		"done": {[]uint16{0}, 0}, "killed once": {[]uint16{ErrKilled, 0}, 0}, "another error": {[]uint16{1305}, 1305},
		"killed every time": {slices.Repeat([]uint16{ErrKilled}, TriesOfSure), ErrKilled},
	} {
		x, p, _ := talk()
		for _, number := range c.answers {
			if number == 0 {
				p.answer(wiretest.OK(wire.OK{Status: wire.StatusAutocommit}))
			} else {
				p.answer(refusal(number))
			}
		}
		failed, err := x.SureText(TextRelease)
		if err != nil || (failed == nil) != (c.want == 0) || failed != nil && failed.Number != c.want || len(p.commands()) != len(c.answers) {
			t.Errorf("%s: %v, %v, %q", name, failed, err, p.commands())
		}
		if x.Server.HasUntold() != slices.Contains(c.answers, uint16(ErrKilled)) {
			t.Errorf("%s: whether the client has to be told is not known", name)
		}
	}
}

// TestSendSeveral: a text of several is sent with what allows it around it, or one by one to a node of Galera.
func TestSendSeveral(t *testing.T) {
	done := wiretest.OK(wire.OK{Status: wire.StatusAutocommit})
	more := wiretest.OK(wire.OK{Status: wire.StatusAutocommit | wire.StatusMoreResults})
	option := func(p *peer) { p.answer(wiretest.Plain(wire.Bytes{0xfe, 0, 0, 2, 0})) }
	if caps.Has(wire.ClientDeprecateEOF) {
		option = func(p *peer) { p.answer(wiretest.Plain(wire.Bytes{0xfe, 0, 0, 2, 0, 0, 0})) }
	}
	const text = "SAVEPOINT a;UPDATE b"
	for name, c := range map[string]struct {
		apart, allowed bool
		want           []string
	}{
		"allowed":     {false, true, []string{query(text), string(severalOn)}},
		"not allowed": {false, false, []string{string(severalOn), query(text), string(severalOff)}},
		"apart":       {true, true, []string{query("SAVEPOINT a"), query("UPDATE b")}},
	} {
		x, p, _ := talk()
		x.Apart = c.apart
		switch {
		case c.apart:
			p.answer(done)
			p.answer(done)
		case !c.allowed:
			option(p)
			p.answer(more, done)
			option(p)
		default:
			p.answer(more, done)
			option(p)
		}
		var results []int
		read := func() (failed, err error) {
			return nil, x.Follow(nil, func(n int, r Reply) error {
				if r.Failed != nil {
					t.Errorf("%s: %s", name, r.Failed.Message)
				}
				results = append(results, n)
				return nil
			})
		}
		s := &Several{Text: []byte(text), Cuts: []int{len("SAVEPOINT a"), len(text)}, Allowed: c.allowed, Words: ErrorOf}
		if failed, err := x.SendSeveral(s, read); failed != nil || err != nil {
			t.Errorf("%s: %v, %v", name, failed, err)
		}
		if !slices.Equal(p.commands(), c.want) || !slices.Equal(results, []int{0, 1}) {
			t.Errorf("%s: %q, results %v", name, p.commands(), results)
		}
	}
}

// TestAwaitPrepared: what is prepared may be sent in one write with another command; that is answered behind it.
func TestAwaitPrepared(t *testing.T) {
	for number, id := range map[uint16]uint32{0: 7, 1461: 0} {
		x, p, c := talk()
		if number == 0 {
			p.answer(wiretest.Plain(wire.PrepareOK{ID: id}))
		} else {
			p.answer(refusal(number))
		}
		p.answer(wiretest.OK(wire.OK{AffectedRows: 3}))
		x.Push([]byte{byte(wire.ComStmtPrepare), '?'})
		x.PushText("SELECT a")
		if err := x.Flush(); err != nil || c.writes > 0 {
			t.Fatal(err, c.writes)
		}
		made, err := x.AwaitPrepared()
		if err != nil || (made.Refusal != nil) != (number != 0) || x.Response.Prepared.ID != id {
			t.Errorf("%d: %+v, %v", number, made, err)
		}
		if r, err := x.Await(); err != nil || r.OK.AffectedRows != 3 {
			t.Errorf("%d: %+v, %v", number, r, err)
		}
	}
}

// TestPrepareRemote: what the server describes is read, and a refusal is no error of the connection.
func TestPrepareRemote(t *testing.T) {
	x, p, _ := talk()
	p.answer(refusal(1064))
	made, err := x.PrepareRemote([]byte{byte(wire.ComStmtPrepare), 'x'})
	if err != nil || made.Refusal == nil || made.Refusal.Number != 1064 {
		t.Errorf("%+v, %v", made, err)
	}
	column := func(caps wire.Capability) wire.Message { return wiretest.Head("a")[1](caps) }
	x, p, _ = talk()
	messages := []wiretest.Message{wiretest.Plain(wire.PrepareOK{ID: 7, Params: 1, Columns: 1}), column}
	if !caps.Has(wire.ClientDeprecateEOF) {
		messages = append(messages, wiretest.Plain(wire.EOF{}))
	}
	messages = append(messages, column)
	if !caps.Has(wire.ClientDeprecateEOF) {
		messages = append(messages, wiretest.Plain(wire.EOF{}))
	}
	p.answer(messages...)
	made, err = x.PrepareRemote([]byte{byte(wire.ComStmtPrepare), '?'})
	if err != nil || len(made.Params) != 1 || len(made.Columns) != 1 || x.Response.Prepared.ID != 7 || x.Stood {
		t.Errorf("%+v, %v", made, err)
	}
	x.CloseStatement(7)
	if got := p.commands(); len(got) != 2 || got[1] != string([]byte{byte(wire.ComStmtClose), 7, 0, 0, 0}) {
		t.Errorf("%q", got)
	}
}

// TestTold: what the server has said of the client's transaction in an answer that the client did not get is told
// before anything else is sent.
func TestTold(t *testing.T) {
	x, p, _ := talk()
	x.Response.Status, x.Response.Current = wire.StatusInTransaction, true
	x.Untold(&wire.Err{Number: 1213, State: "40001", Message: []byte("Deadlock")})
	p.answer(wiretest.OK(wire.OK{Status: wire.StatusAutocommit})) // there is no transaction any more
	err := x.Request([]byte(query("SELECT 1")))
	if e, ok := errors.AsType[*sqlerr.Error](err); !ok || e.Number != 1213 || slices.Contains(p.commands(), query("SELECT 1")) || x.Response.Current {
		t.Errorf("%v, %q", err, p.commands())
	}
	p.answer(wiretest.OK(wire.OK{}))
	if err := x.Request([]byte(query("SELECT 1"))); err != nil || !slices.Contains(p.commands(), query("SELECT 1")) {
		t.Errorf("%v, %q", err, p.commands())
	}
}
