package wire_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// writes is a transport that keeps each write apart.
type writes struct {
	io.Reader
	calls [][]byte
	err   error
}

func (w *writes) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	w.calls = append(w.calls, bytes.Clone(p))
	return len(p), nil
}

func (w *writes) all() []byte { return bytes.Join(w.calls, nil) }

func TestWriteMessageAtFrameEdges(t *testing.T) {
	for _, size := range frameEdges {
		w := &writes{}
		c := wire.NewConn(w, 10)
		payload := filled(size)
		c.WriteMessage(wire.Bytes("first"))
		c.WriteMessage(wire.Bytes(payload))
		c.WritePacket(payload)
		c.WriteMessage(wire.Bytes("last"))
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		var want []byte
		sequence := uint8(0)
		for _, p := range [][]byte{[]byte("first"), payload, payload, []byte("last")} {
			want, sequence = wire.AppendPacket(want, p, sequence)
		}
		if !bytes.Equal(w.all(), want) || c.Sequence() != sequence {
			t.Errorf("%d bytes: %d bytes written, sequence %d; want %d, %d", size, len(w.all()), c.Sequence(), len(want), sequence)
		}
	}
}

// One flush is one write: a packet for each message would cost a system call each.
func TestFlushIsOneWrite(t *testing.T) {
	w := &writes{}
	c := wire.NewConn(w, 10)
	if err := c.Flush(); err != nil || len(w.calls) != 0 {
		t.Errorf("flush of nothing: %d writes, %v", len(w.calls), err)
	}
	if err := c.WriteRaw(nil); err != nil || len(w.calls) != 0 {
		t.Errorf("nothing written raw: %d writes, %v", len(w.calls), err)
	}
	for range 100 {
		c.WriteMessage(wire.EOF{})
	}
	c.AppendRaw([]byte("raw"))
	if c.Pending() != 100*9+3 {
		t.Errorf("%d bytes pending", c.Pending())
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	if len(w.calls) != 1 || len(w.calls[0]) != 100*9+3 || c.Pending() != 0 {
		t.Errorf("%d writes, %d bytes pending", len(w.calls), c.Pending())
	}
}

// What is written raw comes behind what is pending, in the same write.
func TestWriteRawKeepsOrder(t *testing.T) {
	w := &writes{}
	c := wire.NewConn(w, 10)
	if err := c.WriteRaw([]byte("one")); err != nil {
		t.Fatal(err)
	}
	c.AppendRaw([]byte("two"))
	if err := c.WriteRaw([]byte("three")); err != nil {
		t.Fatal(err)
	}
	if len(w.calls) != 2 || string(w.calls[0]) != "one" || string(w.calls[1]) != "twothree" {
		t.Errorf("writes %q", w.calls)
	}
	if c.Sequence() != 0 {
		t.Errorf("raw frames moved the sequence to %d", c.Sequence())
	}
}

func TestWriteErrorComesThrough(t *testing.T) {
	broken := errors.New("broken")
	for name, write := range map[string]func(*wire.Conn) error{
		"send": func(c *wire.Conn) error { return c.Send(wire.EOF{}) },
		"raw":  func(c *wire.Conn) error { return c.WriteRaw([]byte("x")) },
	} {
		c := wire.NewConn(&writes{err: broken}, 10)
		if err := write(c); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A frame that is passed on under this side's own count keeps all but its
// sequence number.
func TestWriteFrame(t *testing.T) {
	w := &writes{}
	c := wire.NewConn(w, 10)
	c.SetSequence(7)
	for range 2 {
		c.WriteFrame([]byte{2, 0, 0, 99, 'h', 'i'})
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := string(w.all()); got != "\x02\x00\x00\x07hi\x02\x00\x00\x08hi" || c.Sequence() != 9 {
		t.Errorf("%q, sequence %d", got, c.Sequence())
	}
}

// A transport that takes bytes in parts gets all of them, in order, or the error
// tells of it. Here: a pipe whose reader takes a few bytes at a time.
func TestWriteToSlowReader(t *testing.T) {
	r, w := io.Pipe()
	payload := filled(50_000)
	sent := make(chan error, 1)
	go func() {
		c := wire.NewConn(duplex{nil, w}, 10)
		c.WritePacket(payload)
		sent <- errors.Join(c.Flush(), w.Close())
	}()
	expectPackets(t, reading(&smallReads{r}, wire.PacketBytesMax), payload)
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
}

// smallReads reads at most seven bytes at a time.
type smallReads struct{ io.Reader }

func (r *smallReads) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 7)]) }

// What one Conn writes, another reads, for any mix of the ways to write.
func TestWriteAndRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var stream bytes.Buffer
		c := wire.NewConn(&stream, wire.PacketBytesMax)
		var payloads [][]byte
		for range rapid.IntRange(1, 8).Draw(t, "packets") {
			payload := filled(rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, 80_000)).Draw(t, "size"))
			payloads = append(payloads, payload)
			switch rapid.IntRange(0, 2).Draw(t, "way") {
			case 0:
				c.WritePacket(payload)
			case 1:
				c.WriteMessage(wire.Bytes(payload))
			default:
				frames, next := wire.AppendPacket(nil, payload, c.Sequence())
				if err := c.WriteRaw(frames); err != nil {
					t.Fatal(err)
				}
				c.SetSequence(next)
			}
		}
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		back := reading(&stream, wire.PacketBytesMax)
		for i, want := range payloads {
			if got, err := back.ReadPacket(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("packet %d: %d bytes, %v", i, len(got), err)
			}
		}
	})
}
