package wire_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/wire"
)

// Each target gives a decoder bytes that end where their memory ends, so that
// reading past them panics. What a decoder takes must encode to a form that
// decodes to the same message and encodes to itself; where the protocol has one
// form only, it must be the very bytes.

// fuzzMessage is the body of the targets of messages; one says that the message
// has one form only.
func fuzzMessage[M any](t *testing.T, payload []byte, one bool, decode func([]byte) (M, error), encode func(M) []byte) {
	t.Helper()
	payload = payload[:len(payload):len(payload)]
	m, err := decode(payload)
	if err != nil {
		if !errors.Is(err, wire.ErrMalformed) {
			t.Fatalf("%v, which is no ErrMalformed", err)
		}
		return
	}
	form := encode(m)
	if one && !bytes.Equal(form, payload) {
		t.Fatalf("% x\nis encoded as\n% x", payload, form)
	}
	again, err := decode(form)
	if err != nil {
		t.Fatalf("%v, of % x", err, form)
	}
	same(t, m, again)
	if second := encode(again); !bytes.Equal(second, form) {
		t.Fatalf("% x\nis encoded as\n% x", form, second)
	}
}

// recorded gives every payload that a directive of the recorded messages has.
func recorded(f *testing.F, directive string, add func(payload []byte)) {
	f.Helper()
	paths, err := filepath.Glob("testdata/messages/*.txt")
	if err != nil || len(paths) == 0 {
		f.Fatal("no recorded messages", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), "\n"+directive+"\n") {
			line, _, _ := strings.Cut(part, "\n----")
			if !strings.HasPrefix(line, "#") {
				add(unhex(f, line))
			}
		}
	}
}

func FuzzHandshake(f *testing.F) {
	recorded(f, "handshake", func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, payload []byte) {
		fuzzMessage(t, payload, false, wire.DecodeHandshake, func(m wire.Handshake) []byte { return m.AppendTo(nil) })
	})
}

func FuzzLogin(f *testing.F) {
	recorded(f, "login", func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, payload []byte) {
		wire.IsTLSRequest(payload[:len(payload):len(payload)])
		fuzzMessage(t, payload, false, wire.DecodeLogin, func(m wire.Login) []byte { return m.AppendTo(nil) })
	})
}

func FuzzAuth(f *testing.F) {
	recorded(f, "auth", func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, payload []byte) {
		kind, data := wire.ClassifyAuth(payload[:len(payload):len(payload)])
		if kind == wire.AuthMore && !bytes.HasSuffix(payload, data) || kind != wire.AuthMore && data != nil {
			t.Fatalf("kind %d with data % x", kind, data)
		}
		fuzzMessage(t, payload, true, wire.DecodeAuthSwitch, func(m wire.AuthSwitch) []byte { return m.AppendTo(nil) })
	})
}

func FuzzChangeUser(f *testing.F) {
	f.Add([]byte("\x11joe\x00\x03abcshop\x00\x2d\x00mysql_native_password\x00\x05\x01a\x02bc"), uint64(changeUserCaps))
	f.Add([]byte("\x11joe\x00secret\x00shop\x00"), uint64(0))
	f.Fuzz(func(t *testing.T, payload []byte, flags uint64) {
		caps := wire.Capability(flags) & changeUserCaps
		fuzzMessage(t, payload, false,
			func(b []byte) (wire.ChangeUser, error) { return wire.DecodeChangeUser(b, caps) },
			func(m wire.ChangeUser) []byte { return m.AppendCommand(nil, caps) })
	})
}

func FuzzOK(f *testing.F) {
	f.Add([]byte(okMessage), uint64(0))
	f.Add([]byte("\x00\x01\x00\x02\x00\x00\x00\x28Rows matched: 1  Changed: 1  Warnings: 0"), uint64(wire.ClientSessionTrack))
	f.Add([]byte("\x00\x00\x00\x02\x40\x00\x00\x00\x07\x01\x05\x04shop"), uint64(wire.ClientSessionTrack))
	f.Fuzz(func(t *testing.T, payload []byte, flags uint64) {
		caps := wire.Capability(flags)
		fuzzMessage(t, payload, false,
			func(b []byte) (wire.OK, error) { return wire.DecodeOK(b, caps) },
			func(m wire.OK) []byte { return m.AppendOK(nil, caps) })
	})
}

func FuzzEOF(f *testing.F) {
	f.Add([]byte(eofMessage))
	f.Fuzz(func(t *testing.T, payload []byte) {
		fuzzMessage(t, payload, true, wire.DecodeEOF, func(m wire.EOF) []byte { return m.AppendTo(nil) })
	})
}

func FuzzErr(f *testing.F) {
	f.Add([]byte(errMessage))
	f.Add([]byte("\xff\x10\x04Too many connections"))
	f.Add([]byte(progress))
	f.Fuzz(func(t *testing.T, payload []byte) {
		fuzzMessage(t, payload, true, wire.DecodeErr, func(m wire.Err) []byte { return m.AppendTo(nil) })
	})
}

func FuzzColumn(f *testing.F) {
	f.Add([]byte(column), uint64(0))
	f.Add([]byte(column+"\x04null"), uint64(0))
	f.Fuzz(func(t *testing.T, payload []byte, flags uint64) {
		caps := wire.Capability(flags)
		fuzzMessage(t, payload, false,
			func(b []byte) (wire.ColumnDefinition, error) { return wire.DecodeColumn(b, caps) },
			func(m wire.ColumnDefinition) []byte { return m.AppendColumn(nil, caps) })
	})
}

func FuzzResultHeader(f *testing.F) {
	f.Add([]byte(oneColumn), uint64(0))
	f.Add([]byte("\xfc\x00\x10\x01"), uint64(wire.MariaDBCacheMetadata))
	f.Fuzz(func(t *testing.T, payload []byte, flags uint64) {
		caps := wire.Capability(flags)
		fuzzMessage(t, payload, false,
			func(b []byte) (wire.ResultHeader, error) { return wire.DecodeResultHeader(b, caps) },
			func(m wire.ResultHeader) []byte { return m.AppendHeader(nil, caps) })
	})
}

func FuzzPrepareOK(f *testing.F) {
	f.Add([]byte("\x00\x07\x00\x00\x00\x01\x00\x02\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		fuzzMessage(t, payload, false, wire.DecodePrepareOK, func(m wire.PrepareOK) []byte { return m.AppendTo(nil) })
	})
}

func FuzzQuery(f *testing.F) {
	f.Add([]byte("\x03SELECT 1"), uint64(0))
	f.Add([]byte("\x03\x00\x01SELECT 1"), uint64(wire.ClientQueryAttributes))
	f.Add([]byte("\x03\x02\x01\x00\x01\xfd\x00\x01a\x08\x80\x01b\x03xyz\x01\x02\x03\x04\x05\x06\x07\x08SELECT 1"), uint64(wire.ClientQueryAttributes))
	f.Fuzz(func(t *testing.T, payload []byte, flags uint64) {
		caps := wire.Capability(flags)
		fuzzMessage(t, payload, true,
			func(b []byte) (wire.Query, error) { return wire.DecodeQuery(b, caps) },
			func(m wire.Query) []byte { return m.AppendQuery(nil, caps) })
	})
}

func FuzzFieldList(f *testing.F) {
	f.Add([]byte("\x04t\x00a%"))
	f.Add([]byte("\x04t"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		fuzzMessage(t, payload, false, wire.DecodeFieldList, func(m wire.FieldList) []byte { return m.AppendTo(nil) })
	})
}

func FuzzExecute(f *testing.F) {
	f.Add([]byte("\x17\x01\x00\x00\x00\x00\x01\x00\x00\x00"))
	f.Add([]byte("\x1c\x01\x00\x00\x00\x0a\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		fuzzMessage(t, payload, true, wire.DecodeExecute, func(m wire.Execute) []byte { return m.AppendTo(nil) })
	})
}

func FuzzTextRow(f *testing.F) {
	f.Add([]byte("\x05alice\xfb\x0230"), uint16(3))
	f.Fuzz(func(t *testing.T, payload []byte, columns uint16) {
		fuzzMessage(t, payload, false,
			func(b []byte) ([]wire.Cell, error) { return wire.DecodeTextRow(nil, b, int(columns)) },
			func(cells []wire.Cell) []byte { return appendTextRow(nil, cells) })
		fuzzMessage(t, payload, false,
			func(b []byte) ([]*string, error) { return wire.DecodeTexts(b, int(columns)) },
			func(row []*string) []byte {
				cells := make([]wire.Cell, len(row))
				for i, text := range row {
					if cells[i].Null = text == nil; text != nil {
						cells[i].Bytes = []byte(*text)
					}
				}
				return appendTextRow(nil, cells)
			})
	})
}

func FuzzBinaryRow(f *testing.F) {
	f.Add([]byte("\x00\x08\x01\x00\x00\x00\x05alice"), []byte{byte(wire.TypeLong), byte(wire.TypeShort), byte(wire.TypeVarString)})
	for _, b := range binaryForms {
		f.Add([]byte("\x00\x00"+b.prefix+b.value), []byte{byte(b.kind)})
	}
	f.Fuzz(func(t *testing.T, payload, typeBytes []byte) {
		types := make([]wire.Type, len(typeBytes))
		for i, b := range typeBytes {
			types[i] = wire.Type(b)
		}
		fuzzMessage(t, payload, false,
			func(b []byte) ([]wire.Cell, error) { return wire.DecodeBinaryRow(nil, b, types) },
			func(cells []wire.Cell) []byte { return appendBinaryRow(types, cells) })
	})
}

// appendBinaryRow is the binary protocol's form of cells. Lengths take one byte
// or, as the length-encoded ones, more.
func appendBinaryRow(types []wire.Type, cells []wire.Cell) []byte {
	forms := make([]string, len(cells))
	for i, c := range cells {
		switch types[i] {
		case wire.TypeTiny, wire.TypeShort, wire.TypeYear, wire.TypeLong, wire.TypeInt24, wire.TypeFloat,
			wire.TypeLongLong, wire.TypeDouble, wire.TypeNull:
			forms[i] = string(c.Bytes)
		case wire.TypeDate, wire.TypeDatetime, wire.TypeTimestamp, wire.TypeTime:
			forms[i] = string(append([]byte{byte(len(c.Bytes))}, c.Bytes...))
		default:
			forms[i] = string(wire.AppendLenencBytes(nil, c.Bytes))
		}
		if c.Null {
			forms[i] = "NULL"
		}
	}
	return binaryRow(forms)
}

func FuzzSessionState(f *testing.F) {
	f.Add([]byte("\x00\x0f\x0aautocommit\x03OFF\x01\x05\x04shop\x02\x02\x011\x05\x09\x08T_______"))
	f.Add([]byte("\x03\x04\x00\x02ab\x63\x03abc"))
	f.Fuzz(func(t *testing.T, state []byte) {
		fuzzMessage(t, state, false, changes, func(all []wire.Change) []byte {
			var b []byte
			for _, c := range all {
				b = appendChange(b, c)
			}
			return b
		})
	})
}
