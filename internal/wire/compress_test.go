package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"tunic/internal/racetest"
	"tunic/internal/wire"
)

// algorithms are the ones that a connection can be compressed with.
var algorithms = []wire.Compression{wire.CompressionZlib, wire.CompressionZstd}

// compressed is what a peer sends of b, in one write.
func compressed(t rapid.TB, algorithm wire.Compression, b []byte) []byte {
	t.Helper()
	var stream bytes.Buffer
	c := wire.NewCompressed(&stream, algorithm, 3)
	if n, err := c.Write(b); n != len(b) || err != nil {
		t.Fatalf("wrote %d of %d bytes: %v", n, len(b), err)
	}
	return stream.Bytes()
}

// opening reads what a peer has compressed.
func opening(r io.Reader, algorithm wire.Compression) *wire.Compressed {
	return wire.NewCompressed(duplex{r, io.Discard}, algorithm, 3)
}

func TestCompressedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		algorithm := rapid.SampledFrom(algorithms).Draw(t, "algorithm")
		var stream, want []byte
		for range rapid.IntRange(1, 4).Draw(t, "writes") {
			b := drawBytes(t, "bytes")
			if rapid.Bool().Draw(t, "dense") {
				b = filled(len(b))
			}
			want = append(want, b...)
			stream = append(stream, compressed(t, algorithm, b)...)
		}
		sizes := rapid.SliceOfN(rapid.IntRange(1, 5000), 1, 5).Draw(t, "cuts")
		got, err := io.ReadAll(opening(&chunks{rest: stream, next: cuts(sizes...)}, algorithm))
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(want), err)
		}
	})
}

// Sizes around the largest packet and the smallest that is worth compressing,
// of bytes that can be compressed and of bytes that cannot.
func TestCompressedAtEdges(t *testing.T) {
	for _, algorithm := range algorithms {
		for _, size := range []int{0, 1, 49, 50, 51, wire.FrameBytesMax, wire.FrameBytesMax + 1} {
			for name, b := range map[string][]byte{"zeros": make([]byte, size), "noise": noise(size)} {
				stream := compressed(t, algorithm, b)
				if name == "zeros" && size > 1000 && len(stream) > size/100 {
					t.Errorf("%d zeros become %d bytes", size, len(stream))
				}
				if len(stream) > size+2*7 {
					t.Errorf("%s: %d bytes become %d", name, size, len(stream))
				}
				got, err := io.ReadAll(opening(bytes.NewReader(stream), algorithm))
				if err != nil || !bytes.Equal(got, b) {
					t.Errorf("%s: %d bytes of %d, %v", name, len(got), size, err)
				}
			}
		}
	}
}

// noise is bytes that no algorithm makes shorter.
func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b) // it cannot fail
	return b
}

// A Conn over the compressed protocol is a Conn.
func TestConnOverCompressed(t *testing.T) {
	for _, algorithm := range algorithms {
		var stream bytes.Buffer
		c := wire.NewConn(wire.NewCompressed(&stream, algorithm, 3), wire.PacketBytesMax)
		payloads := [][]byte{[]byte("small"), filled(100_000), nil, filled(wire.FrameBytesMax + 1)}
		for _, p := range payloads {
			c.SetSequence(0)
			c.WritePacket(p)
			if err := c.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		expectPackets(t, reading(opening(iotest.HalfReader(&stream), algorithm), wire.PacketBytesMax), payloads...)
	}
}

// Each side answers under the number that follows the last it has read, and
// counts on from there.
func TestCompressedSequence(t *testing.T) {
	var out bytes.Buffer
	in := compressed(t, wire.CompressionZlib, []byte("hello"))
	in[3] = 254
	c := wire.NewCompressed(duplex{bytes.NewReader(in), &out}, wire.CompressionZlib, 0)
	if _, err := io.ReadAll(c); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	var got []byte
	for b := out.Bytes(); len(b) > 0; b = b[8:] {
		got = append(got, b[3])
	}
	if !bytes.Equal(got, []byte{255, 0, 1}) {
		t.Errorf("answered under %v", got)
	}
}

// pack is a compressed packet as its header tells it.
func pack(payload []byte, plainLength int) []byte {
	n := len(payload)
	return append([]byte{byte(n), byte(n >> 8), byte(n >> 16), 0, byte(plainLength), byte(plainLength >> 8), byte(plainLength >> 16)}, payload...)
}

func zlibOf(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, _ = w.Write(b) // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

func zstdOf(t testing.TB, b []byte, sizeless bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if !sizeless {
		return w.EncodeAll(b, nil)
	}
	if _, err := w.Write(b); err != nil { // a stream does not know its size in advance
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCompressedRefuses has packets that lie about themselves.
func TestCompressedRefuses(t *testing.T) {
	text := bytes.Repeat([]byte("hello "), 100)
	broken := zlibOf(text)
	broken[len(broken)-1]++
	for _, c := range []struct {
		name      string
		algorithm wire.Compression
		stream    []byte
	}{
		{"longer than told", wire.CompressionZlib, pack(zlibOf(text), len(text)-1)},
		{"shorter than told", wire.CompressionZlib, pack(zlibOf(text), len(text)+1)},
		{"not compressed at all", wire.CompressionZlib, pack(text, len(text))},
		{"cut short", wire.CompressionZlib, pack(zlibOf(text)[:20], len(text))},
		{"wrong checksum", wire.CompressionZlib, pack(broken, len(text))},
		{"empty", wire.CompressionZlib, pack(nil, 1)},
		{"bomb", wire.CompressionZlib, pack(zlibOf(make([]byte, 64<<20)), 100)},
		{"zstd longer than told", wire.CompressionZstd, pack(zstdOf(t, text, false), len(text)-1)},
		{"zstd shorter than told", wire.CompressionZstd, pack(zstdOf(t, text, false), len(text)+1)},
		{"zstd not compressed at all", wire.CompressionZstd, pack(text, len(text))},
		{"zstd cut short", wire.CompressionZstd, pack(zstdOf(t, text, false)[:20], len(text))},
		{"zstd empty", wire.CompressionZstd, pack(nil, 1)},
		{"zstd bomb", wire.CompressionZstd, pack(zstdOf(t, make([]byte, 64<<20), false), 100)},
		{"zstd bomb that hides its size", wire.CompressionZstd, pack(zstdOf(t, make([]byte, 64<<20), true), 100)},
		{"zstd bomb behind a small frame", wire.CompressionZstd, pack(append(zstdOf(t, text, false), zstdOf(t, make([]byte, 64<<20), false)...), len(text))},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := io.ReadAll(opening(bytes.NewReader(c.stream), c.algorithm))
			if !errors.Is(err, wire.ErrMalformed) || len(got) > 0 {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}

// A bomb costs what its packet is allowed to hold, not what it would unpack to.
func TestCompressedBombIsBounded(t *testing.T) {
	const bomb = 64 << 20
	for _, c := range []struct {
		algorithm wire.Compression
		stream    []byte
	}{
		{wire.CompressionZlib, pack(zlibOf(make([]byte, bomb)), 100)},
		{wire.CompressionZstd, pack(zstdOf(t, make([]byte, bomb), false), 100)},
		{wire.CompressionZstd, pack(zstdOf(t, make([]byte, bomb), true), 100)},
	} {
		allocated := bytesAllocated(func() {
			if _, err := io.ReadAll(opening(bytes.NewReader(c.stream), c.algorithm)); err == nil {
				t.Error("the bomb went off")
			}
		})
		if allocated > 1<<20 {
			t.Errorf("algorithm %d: %d bytes allocated", c.algorithm, allocated)
		}
	}
}

// counting counts what is read of it.
type counting struct {
	io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// A packet is opened as far as it is read: what is behind that costs no memory,
// and is not even taken off the connection.
func TestCompressedIsOpenedOnDemand(t *testing.T) {
	for _, c := range []struct {
		name      string
		stream    []byte
		algorithm wire.Compression
		bytesMax  uint64
	}{
		{"zlib", compressed(t, wire.CompressionZlib, make([]byte, wire.FrameBytesMax)), wire.CompressionZlib, 256 << 10},
		{"zstd", compressed(t, wire.CompressionZstd, make([]byte, wire.FrameBytesMax)), wire.CompressionZstd, 4 << 20},
		{"zlib of noise", compressed(t, wire.CompressionZlib, noise(wire.FrameBytesMax)), wire.CompressionZlib, 256 << 10},
	} {
		source := new(counting)
		allocated := bytesAllocated(func() {
			*source = counting{Reader: bytes.NewReader(c.stream)}
			if _, err := io.ReadFull(opening(source, c.algorithm), make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
		})
		if allocated > c.bytesMax {
			t.Errorf("%s: %d bytes allocated to read 1000", c.name, allocated)
		}
		if source.n > 2*wire.BufferBytes {
			t.Errorf("%s: %d bytes taken to read 1000", c.name, source.n)
		}
	}
}

// What breaks off inside a large packet is told from what lies about itself.
func TestCompressedLargeBroken(t *testing.T) {
	for _, algorithm := range algorithms {
		stream := compressed(t, algorithm, append(noise(100_000), make([]byte, 1<<20)...))
		for _, n := range []int{7, 8, 1000, 50_000, len(stream) - 1} {
			got, err := io.ReadAll(opening(bytes.NewReader(stream[:n]), algorithm))
			if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, wire.ErrMalformed) {
				t.Errorf("algorithm %d, %d of %d bytes: %d read, %v", algorithm, n, len(stream), len(got), err)
			}
			got, err = io.ReadAll(opening(io.MultiReader(bytes.NewReader(stream[:n]), iotest.ErrReader(os.ErrDeadlineExceeded)), algorithm))
			if !errors.Is(err, wire.ErrInterrupted) || !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("algorithm %d, %d of %d bytes in time: %d read, %v", algorithm, n, len(stream), len(got), err)
			}
		}
		for more := -1; more <= 1; more += 2 {
			lying := bytes.Clone(stream)
			lying[4] += byte(more)
			got, err := io.ReadAll(opening(bytes.NewReader(lying), algorithm))
			if told := frameLengthOf(lying[4:]); !errors.Is(err, wire.ErrMalformed) || len(got) >= told {
				t.Errorf("algorithm %d, %d more than told: %d of %d read, %v", algorithm, -more, len(got), told, err)
			}
		}
	}
}

// TestCompressedBrokenStaysBroken: behind a packet that broke nothing is read, not
// even when the connection has more, and what opened it serves the next one.
func TestCompressedBrokenStaysBroken(t *testing.T) {
	large := append(noise(100_000), make([]byte, 1<<20)...)
	for _, algorithm := range algorithms {
		stream := compressed(t, algorithm, large)
		lying := bytes.Clone(stream)
		lying[4]++
		for name, source := range map[string]io.Reader{
			"in time":        io.MultiReader(bytes.NewReader(stream[:5000]), iotest.TimeoutReader(bytes.NewReader(stream[5000:]))),
			"in truth":       io.MultiReader(bytes.NewReader(lying), bytes.NewReader(stream)),
			"from the start": bytes.NewReader(append(pack(noise(100), len(large)), stream...)),
		} {
			c := opening(io.MultiReader(source, bytes.NewReader(stream)), algorithm)
			_, broke := io.ReadAll(c)
			n, again := c.Read(make([]byte, 100))
			if broke == nil || n != 0 || again != broke { //nolint:errorlint // the very same
				t.Errorf("algorithm %d, broken %s: %v, then %d bytes, %v", algorithm, name, broke, n, again)
			}
			if got, err := io.ReadAll(opening(bytes.NewReader(stream), algorithm)); err != nil || !bytes.Equal(got, large) {
				t.Errorf("algorithm %d, after one broken %s: %d bytes of %d, %v", algorithm, name, len(got), len(large), err)
			}
		}
	}
}

// TestCompressedBrokenIsGivenBack: what opens streams is used again though the
// connections end within them.
func TestCompressedBrokenIsGivenBack(t *testing.T) {
	if racetest.On {
		t.Skip("skipped: under the race detector pools forget")
	}
	for _, algorithm := range algorithms {
		stream := compressed(t, algorithm, append(noise(100_000), make([]byte, 1<<20)...))
		allocated := bytesAllocated(func() {
			if _, err := io.Copy(io.Discard, opening(bytes.NewReader(stream[:50_000]), algorithm)); err == nil {
				t.Fatal("half a packet was read")
			}
		})
		if allocated > 2*wire.BufferBytes { // one is of the connection
			t.Errorf("algorithm %d: %d bytes allocated for each", algorithm, allocated)
		}
	}
}

// TestZstdWindow: a packet may refer back as far as decoders should allow, and as
// far as it is long if the client has asked for a level that does so.
func TestZstdWindow(t *testing.T) {
	want := append(noise(100_000), make([]byte, 1<<20)...)
	for _, c := range []struct {
		window int
		level  uint8
		opens  bool
	}{{8 << 20, 3, true}, {16 << 20, 3, false}, {16 << 20, 19, false}, {16 << 20, 20, true}, {32 << 20, 22, false}} {
		var packed bytes.Buffer
		w, err := zstd.NewWriter(&packed, zstd.WithWindowSize(c.window))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(want); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		stream := bytes.NewReader(pack(packed.Bytes(), len(want)))
		got, err := io.ReadAll(wire.NewCompressed(duplex{stream, io.Discard}, wire.CompressionZstd, c.level))
		switch {
		case c.opens && (err != nil || !bytes.Equal(got, want)):
			t.Errorf("%d MiB at level %d: %d bytes of %d, %v", c.window>>20, c.level, len(got), len(want), err)
		case !c.opens && (!errors.Is(err, wire.ErrMalformed) || len(got) > 0):
			t.Errorf("%d MiB at level %d: %d bytes, %v, want ErrMalformed", c.window>>20, c.level, len(got), err)
		}
	}
}

// TestZstdWholePacket: the largest packet opens at every level, whose window is
// short of it.
func TestZstdWholePacket(t *testing.T) {
	w, err := zstd.NewWriter(nil, zstd.WithWindowSize(2<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	stream := pack(w.EncodeAll(make([]byte, wire.FrameBytesMax), nil), wire.FrameBytesMax)
	if n, err := io.Copy(io.Discard, opening(bytes.NewReader(stream), wire.CompressionZstd)); n != wire.FrameBytesMax || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func frameLengthOf(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// The end of the stream is io.EOF between packets only.
func TestCompressedCutShort(t *testing.T) {
	stream := compressed(t, wire.CompressionZlib, make([]byte, 1000))
	for n := range stream {
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if _, err := opening(bytes.NewReader(stream[:n]), wire.CompressionZlib).Read(make([]byte, 10)); err != want { //nolint:errorlint // exactly these are promised
			t.Errorf("%d of %d bytes: %v, want %v", n, len(stream), err, want)
		}
	}
}

func TestCompressedWriteErrorComesThrough(t *testing.T) {
	broken := errors.New("broken")
	for _, algorithm := range algorithms {
		c := wire.NewCompressed(&writes{err: broken}, algorithm, 0)
		if n, err := c.Write(make([]byte, 100)); n != 0 || !errors.Is(err, broken) {
			t.Errorf("algorithm %d: %d bytes, %v", algorithm, n, err)
		}
	}
}

func TestNegotiatedCompression(t *testing.T) {
	for caps, want := range map[wire.Capability]wire.Compression{
		0:                          wire.CompressionNone,
		wire.ClientCompress:        wire.CompressionZlib,
		wire.ClientZstdCompression: wire.CompressionZstd,
		wire.ClientCompress | wire.ClientZstdCompression: wire.CompressionZlib,
	} {
		if got := wire.NegotiatedCompression(caps); got != want {
			t.Errorf("%s: %d", caps, got)
		}
	}
}

// Every level that a client may ask for works.
func TestZstdLevels(t *testing.T) {
	want := filled(10_000)
	for level := range 24 {
		var stream bytes.Buffer
		c := wire.NewCompressed(&stream, wire.CompressionZstd, uint8(level))
		if _, err := c.Write(want); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(opening(&stream, wire.CompressionZstd)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("level %d: %d bytes, %v", level, len(got), err)
		}
	}
}

// FuzzCompressed reads a compressed stream at once and in pieces: the same bytes
// and the same kind of end. What was read is written and read back.
func FuzzCompressed(f *testing.F) {
	for _, algorithm := range algorithms {
		f.Add(compressed(f, algorithm, []byte("short")), byte(algorithm), []byte{1})
		f.Add(compressed(f, algorithm, bytes.Repeat([]byte("hello "), 20)), byte(algorithm), []byte{7, 3})
	}
	f.Add(zstdOf(f, []byte("hello"), true), byte(wire.CompressionZstd), []byte{1})
	f.Fuzz(func(t *testing.T, stream []byte, algorithm byte, sizes []byte) {
		algorithm %= 3
		got, err := io.ReadAll(opening(bytes.NewReader(stream), wire.Compression(algorithm)))
		pieces, pieceErr := io.ReadAll(opening(&chunks{rest: stream, next: sizesOf(sizes)}, wire.Compression(algorithm)))
		if !bytes.Equal(got, pieces) || fmt.Sprint(err) != fmt.Sprint(pieceErr) {
			t.Fatalf("at once %d bytes, %v; in pieces %d bytes, %v", len(got), err, len(pieces), pieceErr)
		}
		if err != nil && !errors.Is(err, wire.ErrMalformed) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}
		back, err := io.ReadAll(opening(bytes.NewReader(compressed(t, wire.Compression(algorithm), got)), wire.Compression(algorithm)))
		if err != nil || !bytes.Equal(back, got) {
			t.Fatalf("%d of %d bytes come back, %v", len(back), len(got), err)
		}
	})
}
