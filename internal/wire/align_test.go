package wire_test

import (
	"bytes"
	"io"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// packetsOf opens each compressed packet of a stream by itself.
func packetsOf(t rapid.TB, stream []byte, algorithm wire.Compression) [][]byte {
	t.Helper()
	var all [][]byte
	for len(stream) > 0 {
		whole := 7 + frameLengthOf(stream)
		b, err := io.ReadAll(opening(bytes.NewReader(stream[:whole]), algorithm))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
		stream = stream[whole:]
	}
	return all
}

// relayed is what is written of a stream of frames that comes in pieces.
func relayed(t rapid.TB, frames []byte, sizes ...int) []byte {
	t.Helper()
	var stream bytes.Buffer
	c := wire.NewConn(nil, wire.PacketBytesMax)
	if err := c.SetTransport(wire.NewCompressed(duplex{nil, &stream}, wire.CompressionZlib, 0)); err != nil {
		t.Fatal(err)
	}
	next := cuts(sizes...)
	for len(frames) > 0 {
		n := next(len(frames))
		if err := c.WriteRaw(frames[:n]); err != nil {
			t.Fatal(err)
		}
		frames = frames[n:]
	}
	return stream.Bytes()
}

// TestCompressedPacketsEndWithFrames: however a server's answer comes in, each
// compressed packet holds whole frames, all of them, and as soon as they are
// there.
func TestCompressedPacketsEndWithFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var frames []byte
		for range rapid.IntRange(1, 20).Draw(t, "frames") {
			size := rapid.OneOf(rapid.IntRange(0, 200), rapid.IntRange(0, 40_000)).Draw(t, "size")
			frames, _ = wire.AppendPacket(frames, filled(size), 0)
		}
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 10), rapid.IntRange(1, 20_000)), 1, 8).Draw(t, "cuts")
		var got []byte
		for _, part := range packetsOf(t, relayed(t, frames, sizes...), wire.CompressionZlib) {
			got = append(got, part...)
			for len(part) > 0 {
				whole := wire.HeaderBytes + frameLengthOf(part[:3])
				if whole > len(part) {
					t.Fatalf("a compressed packet ends %d bytes into a frame of %d", len(part), whole)
				}
				part = part[whole:]
			}
		}
		if !bytes.Equal(got, frames) {
			t.Fatalf("%d of %d bytes were written", len(got), len(frames))
		}
	})
}

// TestLongFramesAreNotHeld: a frame that is too long to be held passes as it
// comes, its header in one piece.
func TestLongFramesAreNotHeld(t *testing.T) {
	var frames []byte
	var starts []int
	for _, size := range []int{2 << 20, 100, 3 << 20} {
		starts = append(starts, len(frames))
		frames, _ = wire.AppendPacket(frames, filled(size), 0)
	}
	for _, size := range []int{16 << 10, 1 << 20} {
		parts := packetsOf(t, relayed(t, frames, 3, size), wire.CompressionZlib)
		at := 0
		for _, part := range parts {
			for _, start := range starts {
				if at > start && at < start+wire.HeaderBytes {
					t.Errorf("in pieces of %d: a packet begins %d bytes into a frame's header", size, at-start)
				}
			}
			at += len(part)
		}
		if got := bytes.Join(parts, nil); !bytes.Equal(got, frames) {
			t.Errorf("in pieces of %d: %d of %d bytes were written", size, len(got), len(frames))
		}
		if len(parts) < 5 {
			t.Errorf("in pieces of %d: %d packets: the frames were held", size, len(parts))
		}
	}
}

// TestHeldMemoryIsLetGo: what was held for one long row is not kept.
func TestHeldMemoryIsLetGo(t *testing.T) {
	frames, _ := wire.AppendPacket(nil, filled(1<<19), 0)
	var stream bytes.Buffer
	c := wire.NewConn(nil, wire.PacketBytesMax)
	if err := c.SetTransport(wire.NewCompressed(duplex{nil, &stream}, wire.CompressionZlib, 0)); err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]byte{frames[:1000], frames[1000:]} {
		if err := c.WriteRaw(part); err != nil {
			t.Fatal(err)
		}
	}
	if held := c.HeldBytes(); held > 64<<10 {
		t.Errorf("%d bytes of room are kept", held)
	}
}
