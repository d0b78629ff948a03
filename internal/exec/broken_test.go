package exec

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/dialogue"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestBrokenAnswers: what is no answer to what was sent ends the session; nothing
// that was not understood reaches the client.
func TestBrokenAnswers(t *testing.T) {
	const text = "SELECT c FROM sbtest1 WHERE id = 4711"
	end := wiretest.End(wire.StatusAutocommit)
	sealed := func(forms map[string]binding.Forms) string {
		form, err := forms["c"].AppendSealed(nil, []byte(catalogtest.SbtestC))
		if err != nil {
			t.Fatal(err)
		}
		return string(form)
	}
	for name, answer := range map[string]func(map[string]binding.Forms) []wiretest.Message{
		"a column too many": func(map[string]binding.Forms) []wiretest.Message { return append(wiretest.Head("c", "CANARY"), end) },
		"a cell too many": func(forms map[string]binding.Forms) []wiretest.Message {
			return append(wiretest.Head("c"), wiretest.Row(sealed(forms), "CANARY"), end)
		},
		"a cell cut short": func(map[string]binding.Forms) []wiretest.Message {
			return append(wiretest.Head("c"), wiretest.Plain(wire.Bytes("\x30CANARY")), end)
		},
		"a request for a file": func(map[string]binding.Forms) []wiretest.Message {
			return []wiretest.Message{wiretest.Plain(wire.Bytes("\xfbCANARY"))}
		},
		"more than the answer": func(forms map[string]binding.Forms) []wiretest.Message {
			return append(wiretest.Head("c"), wiretest.Row(sealed(forms)), end, wiretest.Row("CANARY"))
		},
		"no definition": func(map[string]binding.Forms) []wiretest.Message {
			return []wiretest.Message{wiretest.Plain(wire.Bytes{1}), wiretest.Plain(wire.Bytes("CANARY"))}
		},
		"an error cut short": func(map[string]binding.Forms) []wiretest.Message {
			return []wiretest.Message{wiretest.Plain(wire.Bytes{0xff})}
		},
	} {
		l := newLoop(t, answer)
		st := l.statement(t, text, "c")
		var got bytes.Buffer
		client := wire.NewConn(readWriter{&got}, wire.PacketBytesMax)
		l.session.talksTo(client)
		client.SetSequence(1)
		err := l.session.Text(st, wire.Query{Text: []byte(text)}, l.fp.Literals())
		if _, ok := errors.AsType[*dialogue.BrokenError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
		if bytes.Contains(got.Bytes(), []byte("CANARY")) {
			t.Errorf("%s: the client got %q", name, got.Bytes())
		}
	}
}

type readWriter struct{ io.ReadWriter }

// TestProgress: a report of progress passes, and the answer behind it.
func TestProgress(t *testing.T) {
	l := newLoop(t, func(map[string]binding.Forms) []wiretest.Message {
		return []wiretest.Message{
			wiretest.Plain(wire.Bytes("\xff\xff\xff\x01\x01\x02\x00\x00\x00\x05stage")),
			wiretest.OK(wire.OK{AffectedRows: 3, Info: []byte("Rows matched: 3  Changed: 3  Warnings: 0")}),
		}
	})
	const text = "DELETE FROM sbtest1 WHERE k = 1"
	st := l.statement(t, text)
	l.session.link.Server.Capabilities |= wire.MariaDBProgress
	var got bytes.Buffer
	client := wire.NewConn(readWriter{&got}, wire.PacketBytesMax)
	l.session.talksTo(client)
	client.SetSequence(1)
	if err := l.session.Text(st, wire.Query{Text: []byte(text)}, l.fp.Literals()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(got.Bytes(), []byte("stage")) || !bytes.Contains(got.Bytes(), []byte("Rows matched: 3")) {
		t.Errorf("the client got %q", got.Bytes())
	}
}

// TestRefusedBeforeSending: a value that cannot be converted, and a statement that
// would be too long, leave the server and the client untouched.
func TestRefusedBeforeSending(t *testing.T) {
	l := newLoop(t, func(map[string]binding.Forms) []wiretest.Message { return []wiretest.Message{wiretest.OK(wire.OK{})} })
	var got bytes.Buffer
	client := wire.NewConn(readWriter{&got}, wire.PacketBytesMax)
	l.session.talksTo(client)
	for text, want := range map[string]uint16{
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 'x', 'c', 'pad')":                                               1366,
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 99999999999, 'c', 'pad')":                                       1264,
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 1e999, 'c', 'pad')":                                             1367,
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, -'1', 'c', 'pad')":                                              1235,
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, DATE'2020-02-30', 'c', 'pad')":                                  1235,
		"INSERT INTO sbtest1 (id, k, c) VALUES (1, 1, 'c')":                                                             1364,
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 1, '" + catalogtest.SbtestC + catalogtest.SbtestC + "', 'pad')": 1406,
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, NULL, 'c', 'pad')":                                              1048,
		"SELECT c FROM sbtest1 WHERE k = 'x'":                                                                           1235,
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 1, 'this is the one that is too long', 'pad')":                  0,
	} {
		st := l.statement(t, text, "c")
		l.session.env.PacketBytes = 64 << 20
		if want == 0 {
			want, l.session.env.PacketBytes = 1153, 100
		}
		err := l.session.Text(st, wire.Query{Text: []byte(text)}, l.fp.Literals())
		if e, ok := errors.AsType[*sqlerr.Error](err); !ok || e.Number != want {
			t.Errorf("%s: %v, want %d", text, err, want)
		}
		if n := l.session.link.Server.Pending() + client.Pending() + got.Len(); n > 0 {
			t.Errorf("%s: %d bytes were written", text, n)
		}
	}
}
