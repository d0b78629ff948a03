package wire_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"tunic/internal/wire"
)

// pointSelect is the answer to sysbench's point select: one row of 120 bytes.
func pointSelect() []byte {
	return frames(oneColumn, column, "\x78"+string(filled(120)), okEnd)
}

// hundredRows is an answer of 100 rows and 12 KiB, as of sysbench's ranges.
func hundredRows() []byte {
	messages := []string{oneColumn, column}
	for range 100 {
		messages = append(messages, "\x78"+string(filled(120)))
	}
	return frames(append(messages, okEnd)...)
}

// largeRow is an answer whose one row takes a MiB.
func largeRow() []byte {
	return frames(oneColumn, column, "\xfd\x00\x00\x10"+string(make([]byte, 1<<20)), okEnd)
}

func BenchmarkResponseScan(b *testing.B) {
	for _, c := range []struct {
		name   string
		answer []byte
	}{{"point-select", pointSelect()}, {"100-rows", hundredRows()}, {"OK", frames(okMessage)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.answer)))
			var r wire.Response
			for b.Loop() {
				scan(b, &r, c.answer)
			}
		})
	}
}

// scan follows a whole answer to COM_QUERY.
func scan(tb testing.TB, r *wire.Response, answer []byte) {
	r.Begin(wire.ComQuery, deprecated, 1)
	if n, err := r.Scan(answer); n != len(answer) || err != nil || !r.Done() {
		tb.Fatalf("%d of %d bytes, %v", n, len(answer), err)
	}
}

// repeat is a reader that gives the same bytes for ever.
type repeat struct {
	b  []byte
	at int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.b[r.at:])
	r.at = (r.at + n) % len(r.b)
	return n, nil
}

func BenchmarkReadPacket(b *testing.B) {
	for _, size := range []int{20, 4000, 1 << 20} {
		b.Run(fmt.Sprintf("%d-bytes", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(size))
			c := reading(&repeat{b: packets(make([]byte, size))}, wire.PacketBytesMax)
			for b.Loop() {
				readOne(b, c)
			}
		})
	}
}

func readOne(tb testing.TB, c *wire.Conn) {
	c.SetSequence(0)
	if _, err := c.ReadPacket(); err != nil {
		tb.Fatal(err)
	}
}

// attributed is a query with two attributes.
const attributed = "\x03\x02\x01\x00\x01\xfd\x00\x01a\x08\x80\x01b\x03xyz\x01\x02\x03\x04\x05\x06\x07\x08SELECT c FROM sbtest1 WHERE id=?"

func BenchmarkDecodeQuery(b *testing.B) {
	for _, c := range []struct {
		name    string
		payload string
		caps    wire.Capability
	}{
		{"plain", "\x03SELECT c FROM sbtest1 WHERE id=4711", 0},
		{"no-attributes", "\x03\x00\x01SELECT c FROM sbtest1 WHERE id=4711", wire.ClientQueryAttributes},
		{"two-attributes", attributed, wire.ClientQueryAttributes},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			payload := []byte(c.payload)
			for b.Loop() {
				if _, err := wire.DecodeQuery(payload, c.caps); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRows(b *testing.B) {
	text := appendTextRow(nil, []wire.Cell{{Bytes: []byte("4711")}, {Bytes: filled(120)}, {Null: true}})
	types := []wire.Type{wire.TypeLong, wire.TypeVarString, wire.TypeLong}
	binary := binaryRow([]string{"\x01\x02\x03\x04", "\x78" + string(filled(120)), "NULL"})
	var cells []wire.Cell
	var err error
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if cells, err = wire.DecodeTextRow(cells, text, 3); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("binary", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if cells, err = wire.DecodeBinaryRow(cells, binary, types); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCompressed(b *testing.B) {
	for _, algorithm := range algorithms {
		b.Run(fmt.Sprintf("algorithm-%d", algorithm), func(b *testing.B) {
			b.ReportAllocs()
			var stream bytes.Buffer
			c := wire.NewCompressed(&stream, algorithm, 3)
			answer := hundredRows()
			b.SetBytes(int64(len(answer)))
			out := make([]byte, len(answer))
			for b.Loop() {
				if _, err := c.Write(answer); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(c, out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestHotPathAllocatesNothing holds what every query passes through to its
// promise.
func TestHotPathAllocatesNothing(t *testing.T) {
	var response wire.Response
	point, rows := pointSelect(), hundredRows()
	small := reading(&repeat{b: packets([]byte("\x03SELECT 1"))}, wire.PacketBytesMax)
	out := wire.NewConn(duplex{nil, io.Discard}, wire.PacketBytesMax)
	tracked := wire.OK{Status: wire.StatusSessionState, SessionState: []byte("\x01\x05\x04shop")}.AppendOK(nil, wire.ClientSessionTrack)
	trackedAnswer := frames(string(tracked))
	payload, row := []byte(attributed), []byte("\x044711\xfb")
	frame := packets([]byte("\x0e"))
	cells := make([]wire.Cell, 0, 2)
	for name, do := range map[string]func(){
		"point select":  func() { scan(t, &response, point) },
		"100 rows":      func() { scan(t, &response, rows) },
		"read a packet": func() { readOne(t, small) },
		"session state": func() {
			response.Begin(wire.ComQuery, wire.ClientSessionTrack, 1)
			if _, err := response.Scan(trackedAnswer); err != nil || !response.Done() {
				t.Fatal(err)
			}
		},
		"decode a query": func() {
			if _, err := wire.DecodeQuery(payload, wire.ClientQueryAttributes); err != nil {
				t.Fatal(err)
			}
		},
		"decode an execute": func() {
			if _, err := wire.DecodeExecute(payload); err != nil {
				t.Fatal(err)
			}
		},
		"decode a row": func() {
			if _, err := wire.DecodeTextRow(cells, row, 2); err != nil {
				t.Fatal(err)
			}
		},
		"write": func() {
			out.WritePacket(payload)
			out.WriteFrame(frame)
			if out.WriteRaw(frame) != nil {
				t.Fatal("a write failed")
			}
		},
	} {
		do() // buffers are made on first use
		if n := testing.AllocsPerRun(100, do); n > 0 {
			t.Errorf("%s: %.1f allocations", name, n)
		}
	}
}

// A packet that outgrows the buffer costs no new buffers each time, 4 MiB of them
// for this one: they are given back and found again. The garbage collector, and
// the race detector on purpose, may take some meanwhile.
func TestLargePacketsReuseBuffers(t *testing.T) {
	const size = 1 << 20
	c := reading(&repeat{b: packets(make([]byte, size))}, wire.PacketBytesMax)
	if allocated := bytesAllocated(func() { readOne(t, c) }); allocated > 3*size {
		t.Errorf("a packet of %d bytes costs %d bytes of new buffers", size, allocated)
	}
}

// A row that outgrows the buffer passes through it in pieces.
func TestLargeRowsNeedNoLargeBuffer(t *testing.T) {
	answer := largeRow()
	c := reading(bytes.NewReader(answer), wire.PacketBytesMax)
	var r wire.Response
	r.Begin(wire.ComQuery, deprecated, 1)
	for !r.Done() {
		n, err := r.Scan(c.Buffered())
		if err != nil {
			t.Fatal(err)
		}
		c.Advance(n)
		if r.Done() {
			break
		}
		if err := c.Fill(); err != nil {
			t.Fatal(err)
		}
		if c.BufferSize() > wire.BufferBytes {
			t.Fatalf("the buffer has grown to %d bytes", c.BufferSize())
		}
	}
}
