package wire_test

import (
	"bytes"
	"errors"
	"testing"

	"tunic/internal/wire"
)

// answerFrames are the frames of a result, or of an OK if it has no columns, numbered
// from 1 on.
func answerFrames(t *testing.T, caps wire.Capability, columns int, status wire.Status) []byte {
	t.Helper()
	var b bytes.Buffer
	c := wire.NewConn(&b, 1<<20)
	c.SetSequence(1)
	if columns == 0 {
		c.WritePacket(wire.OK{AffectedRows: 1 << 20, LastInsertID: 300, Status: status}.AppendOK(nil, caps))
	} else {
		c.WritePacket(wire.ResultHeader{Columns: columns, MetadataFollows: true}.AppendHeader(nil, caps))
		for range columns {
			c.WritePacket(wire.ColumnDefinition{Name: []byte("a"), Type: wire.TypeLong}.AppendColumn(nil, caps))
		}
		c.WriteMessage(wire.EOF{Status: status})
		c.WritePacket([]byte("\x011"))
		c.WriteMessage(wire.EOF{Status: status})
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSeries: a client that follows one answer follows the answers of a series, however
// these are cut into writes, up to the last one.
func TestSeries(t *testing.T) {
	const caps = wire.ClientProtocol41 | wire.ClientTransactions
	answers := [][]byte{
		answerFrames(t, caps, 1, wire.StatusAutocommit), answerFrames(t, caps, 0, wire.StatusInTransaction), answerFrames(t, caps, 2, 0),
	}
	for cut := 1; cut < 40; cut++ {
		var out bytes.Buffer
		c := wire.NewConn(&out, 1<<20)
		c.SetSequence(1)
		c.BeginSeries(caps)
		for i, answer := range answers {
			c.NextAnswer(i < len(answers)-1)
			if c.Sequence() != 1 {
				t.Fatalf("an answer begins with frame %d", c.Sequence())
			}
			for rest := answer; len(rest) > 0; rest = rest[min(cut, len(rest)):] {
				if err := c.WriteRaw(rest[:min(cut, len(rest))]); err != nil {
					t.Fatal(err)
				}
			}
			if c.AnswerFailed() {
				t.Fatal("an answer without an error has failed")
			}
		}
		c.EndSeries()
		var r wire.Response
		r.Begin(wire.ComQuery, caps, 1)
		for b := out.Bytes(); len(b) > 0; {
			n, err := r.Step(b)
			if err != nil || n == 0 {
				t.Fatalf("cut %d: %d, %v", cut, n, err)
			}
			b = b[n:]
		}
		if !r.Done() || r.Succeeded != len(answers) || r.Status != 0 || c.Sequence() != r.Sequence() {
			t.Errorf("cut %d: %+v", cut, r)
		}
	}
}

// TestSeriesEndsWithError: an error ends the series, whatever was to follow, and a frame
// that does not belong to an answer is not written.
func TestSeriesEndsWithError(t *testing.T) {
	const caps = wire.ClientProtocol41
	var out bytes.Buffer
	c := wire.NewConn(&out, 1<<20)
	c.SetSequence(1)
	c.BeginSeries(caps)
	c.NextAnswer(true)
	if err := c.Send(wire.Err{Number: 1146, State: "42S02", Message: []byte("no")}); err != nil {
		t.Fatal(err)
	}
	if !c.AnswerFailed() {
		t.Error("an error has not failed")
	}
	written := out.Len()
	if err := c.Send(wire.EOF{}); !errors.Is(err, wire.ErrMalformed) || out.Len() != written {
		t.Errorf("a frame behind an error: %v", err)
	}
}
