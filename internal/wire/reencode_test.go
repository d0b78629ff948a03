package wire_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestRecordedMessages decodes every message of the recorded answers with a
// reader that is not Response, and encodes it again: tunic's forms are those of
// real servers, byte for byte.
func TestRecordedMessages(t *testing.T) {
	messages := 0
	datadriven.Walk(t, "testdata/answers", func(t *testing.T, path string) {
		var caps wire.Capability
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "capabilities" {
				caps = capabilitiesNamed(t, d.Input)
				return d.Expected
			}
			var name string
			d.ScanArgs(t, "command", &name)
			caps := caps
			if d.HasArg("cursor") {
				caps |= asksCursor
			}
			messages += recordedMessages(t, commandNamed(t, name), caps, unhex(t, d.Input))
			return d.Expected
		})
	})
	if messages < 1000 {
		t.Errorf("only %d messages were looked at", messages)
	}
}

// recordedMessages returns how many messages it has held against their bytes.
func recordedMessages(t *testing.T, command wire.Command, caps wire.Capability, answer []byte) int {
	stream := bytes.NewReader(answer)
	p := &wiretest.Peer{AskedCursor: caps.Has(asksCursor), Caps: caps &^ asksCursor, Wire: wire.NewConn(duplex{stream, io.Discard}, len(answer))}
	p.Wire.SetSequence(1)
	sets, err := p.ReadAnswer(command, []byte("a file of one frame"))
	var last []byte // an error in place of a result
	if err != nil {
		last = p.Last
	}
	n := len(last)
	for _, s := range sets {
		n += len(s.Definitions) + len(s.Rows)
		for _, definition := range s.Definitions {
			same(t, definition, encodedColumn(t, definition, caps))
		}
		checkRows(t, command, caps, s)
	}
	if got := follow(command, caps, answer, whole); got.Failed != (err != nil) || got.Succeeded != len(sets) {
		t.Errorf("%s: %d results and %v, which Response sees as %s", command, len(sets), err, got)
	}
	if stream.Len() > 0 {
		t.Errorf("%d bytes are left", stream.Len())
	}
	checkMessages(t, command, caps, answer)
	return n
}

func encodedColumn(t *testing.T, definition []byte, caps wire.Capability) []byte {
	t.Helper()
	m, err := wire.DecodeColumn(definition, caps)
	if err != nil {
		t.Fatal(err)
	}
	return m.AppendColumn(nil, caps)
}

// checkRows decodes the rows of a result as its columns tell.
func checkRows(t *testing.T, command wire.Command, caps wire.Capability, s wiretest.Set) {
	t.Helper()
	if len(s.Definitions) == 0 || command == wire.ComStmtPrepare {
		return
	}
	var types []wire.Type
	for _, definition := range s.Definitions {
		m, err := wire.DecodeColumn(definition, caps)
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, m.Type)
	}
	for _, row := range s.Rows {
		if command == wire.ComStmtExecute {
			if _, err := wire.DecodeBinaryRow(nil, row, types); err != nil {
				t.Errorf("row % x of %v: %v", row, types, err)
			}
			continue
		}
		cells, err := wire.DecodeTextRow(nil, row, len(types))
		if err != nil {
			t.Error(err)
		}
		same(t, row, appendTextRow(nil, cells))
	}
}

// checkMessages encodes again what stands alone in a frame by its first byte:
// OKs, EOFs and errors.
func checkMessages(t *testing.T, command wire.Command, caps wire.Capability, answer []byte) {
	t.Helper()
	c := wire.NewConn(duplex{bytes.NewReader(answer), io.Discard}, len(answer))
	first := command != wire.ComStmtFetch // whose answer starts with a row
	for at := 0; at < len(answer); first = false {
		c.SetSequence(answer[at+3])
		payload, err := c.ReadPacket()
		if err != nil {
			t.Fatal(err)
		}
		at += wire.HeaderBytes + len(payload)
		switch head := payload[0]; {
		case head == 0xff:
			m, err := wire.DecodeErr(payload)
			same(t, nil, err)
			same(t, payload, m.AppendTo(nil))
		case head == 0xfe && len(payload) == 5:
			m, err := wire.DecodeEOF(payload)
			same(t, nil, err)
			same(t, payload, m.AppendTo(nil))
		case first && head == 0 && command == wire.ComStmtPrepare:
			m, err := wire.DecodePrepareOK(payload)
			same(t, nil, err)
			same(t, payload, m.AppendTo(nil))
		case first && head == 0 || head == 0xfe:
			m, err := wire.DecodeOK(payload, caps)
			same(t, nil, err)
			same(t, payload, m.AppendOK(nil, caps))
		}
	}
}
