package dialogue

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestCutShort: a text of several statements of which the server has not run all, and
// says nothing of it, is one that was ended; and so is none that it has run.
func TestCutShort(t *testing.T) {
	const caps = wiretest.ClientCaps & wiretest.ServerCaps
	more := wire.OK{Status: wire.StatusMoreResults | wire.StatusAutocommit}
	last := wire.OK{Status: wire.StatusAutocommit}
	end := wiretest.Frames(1, wire.Bytes{endsSeveral, 0, 0, 2, 0, 0, 0})
	if !caps.Has(wire.ClientDeprecateEOF) {
		end = wiretest.Frames(1, wire.Bytes{endsSeveral, 0, 0, 2, 0})
	}
	answer := func(all ...wire.OK) []byte {
		var messages []wire.Message
		for _, ok := range all {
			messages = append(messages, wiretest.OK(ok)(caps))
		}
		return append(wiretest.Frames(1, messages...), end...)
	}
	for name, c := range map[string]struct {
		answer  []byte
		results []uint16 // numbers of their errors
	}{
		"all of three":     {answer(more, more, last), []uint16{0, 0, 0}},
		"one of several":   {answer(more), []uint16{0, ErrKilled}},
		"two of several":   {answer(more, more), []uint16{0, 0, ErrKilled}},
		"a single one":     {answer(last), []uint16{0}},
		"as often as 256":  {answer(append(bytes256(more), last)...), append(make([]uint16, 256), 0)},
		"256 and no other": {answer(bytes256(more)...), append(make([]uint16, 256), ErrKilled)},
	} {
		server := &backend.Conn{Conn: wire.NewConn(scripted{bytes.NewBuffer(c.answer)}, wire.PacketBytesMax), Capabilities: caps}
		w := &Dialogue{
			Server: server, Client: wire.NewConn(scripted{&bytes.Buffer{}}, wire.PacketBytesMax), Response: &wire.Response{},
			sent: []sent{{wire.ComQuery, 1}, {wire.ComSetOption, 1}},
		}
		var results []uint16
		err := w.Follow(nil, func(_ int, r Reply) error {
			number := uint16(0)
			if r.Failed != nil {
				number = r.Failed.Number
			}
			results = append(results, number)
			return nil
		})
		if err != nil || fmt.Sprint(results) != fmt.Sprint(c.results) {
			t.Errorf("%s: %v, %v", name, results, err)
			continue
		}
		if r, err := w.Await(); err != nil || r.Failed != nil {
			t.Errorf("%s: behind it %v, %v", name, r.Failed, err)
		}
	}
}

func bytes256(ok wire.OK) []wire.OK {
	all := make([]wire.OK, 256)
	for i := range all {
		all[i] = ok
	}
	return all
}

// scripted is a peer that has said all that it says.
type scripted struct{ io.ReadWriter }
