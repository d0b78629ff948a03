package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// duplex is a transport that reads from one side and writes to another.
type duplex struct {
	io.Reader
	io.Writer
}

// reading is a Conn that reads what r gives.
func reading(r io.Reader, limit int) *wire.Conn {
	return wire.NewConn(duplex{r, io.Discard}, limit)
}

// packets are payloads as one stream of frames, each packet starting a sequence.
func packets(payloads ...[]byte) []byte {
	var b []byte
	for _, p := range payloads {
		b, _ = wire.AppendPacket(b, p, 0)
	}
	return b
}

// expectPackets reads all packets and then the end of the stream.
func expectPackets(t rapid.TB, c *wire.Conn, want ...[]byte) {
	t.Helper()
	for i, w := range want {
		c.SetSequence(0)
		got, err := c.ReadPacket()
		if err != nil {
			t.Fatalf("packet %d: %v", i, err)
		}
		if !bytes.Equal(got, w) {
			t.Fatalf("packet %d: got %d bytes, want %d, or other ones", i, len(got), len(w))
		}
		if frames := len(w)/wire.FrameBytesMax + 1; int(c.Sequence()) != frames {
			t.Fatalf("packet %d: sequence is at %d, want %d", i, c.Sequence(), frames)
		}
		checkLastFrame(t, c, w)
	}
	if _, err := c.ReadPacket(); err != io.EOF { //nolint:errorlint // exactly io.EOF is promised
		t.Fatalf("at the end: %v, want io.EOF", err)
	}
}

// checkLastFrame wants the frame of a packet of one frame, and nothing otherwise.
func checkLastFrame(t rapid.TB, c *wire.Conn, payload []byte) {
	t.Helper()
	var want []byte
	if len(payload) < wire.FrameBytesMax {
		want, _ = wire.AppendPacket(nil, payload, 0)
	}
	if !bytes.Equal(c.LastFrame(), want) {
		t.Fatalf("last frame of a packet of %d bytes has %d bytes, want %d, or other ones", len(payload), len(c.LastFrame()), len(want))
	}
}

// TestReadPacket reads packets of sizes around every limit, over transports that
// give as much as they can, one byte, half, and the end together with the data.
func TestReadPacket(t *testing.T) {
	sizes := []int{
		0, 1, 5, 250, 0, 0, wire.BufferBytes - wire.HeaderBytes - 1, wire.BufferBytes - wire.HeaderBytes,
		wire.BufferBytes, wire.BufferBytes + 1, 3*wire.BufferBytes + 7, 1, 100_000, 0,
	}
	var payloads [][]byte
	for _, n := range sizes {
		payloads = append(payloads, filled(n))
	}
	for name, with := range map[string]func(io.Reader) io.Reader{
		"at once": func(r io.Reader) io.Reader { return r },
		"by byte": iotest.OneByteReader,
		"by half": iotest.HalfReader,
		"err":     iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			expectPackets(t, reading(with(bytes.NewReader(packets(payloads...))), wire.PacketBytesMax), payloads...)
		})
	}
}

func TestReadPacketAtFrameEdges(t *testing.T) {
	for _, size := range frameEdges {
		payload := filled(size)
		stream := packets(payload, []byte("next"))
		expectPackets(t, reading(bytes.NewReader(stream), wire.PacketBytesMax), payload, []byte("next"))
	}
}

// However packets are cut by the transport, they come out as they went in.
func TestReadPacketHoweverCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var payloads [][]byte
		for range rapid.IntRange(1, 6).Draw(t, "packets") {
			payloads = append(payloads, filled(rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, 40_000)).Draw(t, "size")))
		}
		stream := packets(payloads...)
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(1, 20_000)), 1, 8).Draw(t, "cuts")
		expectPackets(t, reading(&chunks{rest: stream, next: cuts(sizes...)}, wire.PacketBytesMax), payloads...)
	})
}

// chunks is a reader that gives what a cut says.
type chunks struct {
	rest []byte
	next cut
}

func (r *chunks) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rest[:r.next(len(r.rest))])
	r.rest = r.rest[n:]
	return n, nil
}

// The end of the stream is io.EOF between packets only.
func TestReadPacketCutShort(t *testing.T) {
	for _, stream := range [][]byte{packets([]byte("hello")), packets(nil), packets(filled(wire.BufferBytes * 2))} {
		for _, n := range []int{0, 1, 2, 3, 4, 5, len(stream) / 2, len(stream) - 1} {
			if n >= len(stream) {
				continue
			}
			want := io.ErrUnexpectedEOF
			if n == 0 {
				want = io.EOF
			}
			for _, r := range []io.Reader{bytes.NewReader(stream[:n]), iotest.OneByteReader(bytes.NewReader(stream[:n]))} {
				if _, err := reading(r, wire.PacketBytesMax).ReadPacket(); err != want { //nolint:errorlint // exactly these are promised
					t.Errorf("%d of %d bytes: %v, want %v", n, len(stream), err, want)
				}
			}
		}
	}
}

func TestLongPacketCutShort(t *testing.T) {
	stream := packets(filled(wire.FrameBytesMax))
	for _, n := range []int{
		wire.HeaderBytes, 1 << 20, len(stream) - wire.HeaderBytes - 1, len(stream) - wire.HeaderBytes,
		len(stream) - wire.HeaderBytes + 1, len(stream) - 1,
	} {
		_, err := reading(bytes.NewReader(stream[:n]), wire.PacketBytesMax).ReadPacket()
		if err != io.ErrUnexpectedEOF { //nolint:errorlint // exactly this is promised
			t.Errorf("%d of %d bytes: %v", n, len(stream), err)
		}
	}
}

func TestReadPacketSequence(t *testing.T) {
	long, _ := wire.AppendPacket(nil, filled(wire.FrameBytesMax), 0)
	second := len(long) - 1 // the sequence number of the frame that continues
	for _, c := range []struct {
		name      string
		stream    []byte
		got, want uint8
	}{
		{"first frame", []byte{1, 0, 0, 1, 'x'}, 1, 0},
		{"one behind", []byte{1, 0, 0, 255, 'x'}, 255, 0},
		{"frame that continues", append(bytes.Clone(long[:second]), 7), 7, 1},
	} {
		_, err := reading(bytes.NewReader(c.stream), wire.PacketBytesMax).ReadPacket()
		var sequence *wire.SequenceError
		if !errors.As(err, &sequence) || sequence.Got != c.got || sequence.Want != c.want {
			t.Errorf("%s: %v, want got %d, want %d", c.name, err, c.got, c.want)
		}
	}
}

// Sequence numbers wrap around.
func TestSequenceWraps(t *testing.T) {
	var stream []byte
	sequence := uint8(250)
	for range 300 {
		stream, sequence = wire.AppendPacket(stream, []byte("x"), sequence)
	}
	c := reading(bytes.NewReader(stream), 10)
	c.SetSequence(250)
	for i := range 300 {
		if _, err := c.ReadPacket(); err != nil {
			t.Fatalf("packet %d: %v", i, err)
		}
	}
}

func TestReadPacketLimit(t *testing.T) {
	for _, c := range []struct{ size, limit, announced int }{
		{0, 0, -1},
		{1, 0, 1},
		{100, 100, -1},
		{101, 100, 101},
		{wire.FrameBytesMax, wire.FrameBytesMax, -1},
		{wire.FrameBytesMax, wire.FrameBytesMax - 1, wire.FrameBytesMax},
		{wire.FrameBytesMax + 5, wire.FrameBytesMax + 5, -1},
		{wire.FrameBytesMax + 5, wire.FrameBytesMax + 4, wire.FrameBytesMax + 5},
		{2 * wire.FrameBytesMax, wire.FrameBytesMax + 4, 2 * wire.FrameBytesMax},
	} {
		_, err := reading(bytes.NewReader(packets(filled(c.size))), c.limit).ReadPacket()
		var large *wire.TooLargeError
		switch {
		case c.announced < 0 && err != nil:
			t.Errorf("%d bytes, limit %d: %v", c.size, c.limit, err)
		case c.announced >= 0 && (!errors.As(err, &large) || large.Bytes != c.announced || large.Limit != c.limit):
			t.Errorf("%d bytes, limit %d: %v, want one that tells of %d bytes", c.size, c.limit, err, c.announced)
		}
	}
}

// A header that promises much must not be believed: room follows what arrives.
func TestReadPacketBelievesNoHeader(t *testing.T) {
	for _, header := range [][]byte{{0xfe, 0xff, 0xff, 0}, {0xff, 0xff, 0xff, 0}} {
		stream := append(header, make([]byte, 1000)...)
		allocated := bytesAllocated(func() {
			if _, err := reading(bytes.NewReader(stream), wire.PacketBytesMax).ReadPacket(); err == nil {
				t.Error("read a packet that is not there")
			}
		})
		if allocated > 4*wire.BufferBytes {
			t.Errorf("% x and 1000 bytes cost %d bytes", header, allocated)
		}
	}
}

// An idle Conn holds its own buffer and no more, whatever has passed through it.
func TestLargeBuffersGoBack(t *testing.T) {
	small, large := []byte("small"), filled(1<<20)
	c := reading(bytes.NewReader(packets(small, large, small)), wire.PacketBytesMax)
	if c.BufferSize() != 0 {
		t.Errorf("before the first read: %d bytes", c.BufferSize())
	}
	expect := func(payload []byte) {
		c.SetSequence(0)
		if got, err := c.ReadPacket(); err != nil || !bytes.Equal(got, payload) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	expect(small)
	if c.BufferSize() != wire.BufferBytes {
		t.Errorf("after a small packet: %d bytes", c.BufferSize())
	}
	expect(large)
	if c.BufferSize() < len(large) {
		t.Errorf("a packet of %d bytes is in a buffer of %d", len(large), c.BufferSize())
	}
	expect(small)
	if _, err := c.ReadPacket(); err != io.EOF { //nolint:errorlint // exactly io.EOF is promised
		t.Fatal(err)
	}
	if c.BufferSize() != wire.BufferBytes {
		t.Errorf("idle after a large packet: %d bytes", c.BufferSize())
	}
}

// Two Conns never hold the same large buffer.
func TestLargeBuffersAreNotShared(t *testing.T) {
	one, two := filled(200_000), bytes.Repeat([]byte("x"), 200_000)
	a := reading(bytes.NewReader(packets(one, one, nil)), wire.PacketBytesMax)
	b := reading(bytes.NewReader(packets(two, two, nil)), wire.PacketBytesMax)
	for range 2 {
		a.SetSequence(0)
		b.SetSequence(0)
		first, err := a.ReadPacket()
		if err != nil {
			t.Fatal(err)
		}
		second, err := b.ReadPacket()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, one) || !bytes.Equal(second, two) {
			t.Fatal("a packet has changed under its reader")
		}
	}
}

// Buffered, Advance, Fill and FillWide give the stream in order, through every growth
// and move of the buffer.
func TestFillAndAdvance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream := filled(rapid.IntRange(1, 100_000).Draw(t, "size"))
		sizes := rapid.SliceOfN(rapid.IntRange(1, 20_000), 1, 5).Draw(t, "cuts")
		c := reading(&chunks{rest: stream, next: cuts(sizes...)}, 10)
		used := 0
		for {
			if !bytes.HasPrefix(stream[used:], c.Buffered()) {
				t.Fatalf("after %d bytes the buffer holds something else", used)
			}
			n := rapid.IntRange(0, len(c.Buffered())).Draw(t, "advance")
			c.Advance(n)
			used += n
			before := len(c.Buffered())
			fill := c.Fill
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0, 1:
				fill = c.FillWide
			case 2:
				c.Narrow()
			}
			err := fill()
			if err == io.EOF { //nolint:errorlint // exactly io.EOF is promised
				break
			}
			if err != nil || len(c.Buffered()) <= before {
				t.Fatalf("%d bytes buffered after %d: %v", len(c.Buffered()), before, err)
			}
		}
		if used+len(c.Buffered()) != len(stream) {
			t.Fatalf("saw %d of %d bytes", used+len(c.Buffered()), len(stream))
		}
	})
}

// sized is a transport without an end that notes how much each read asks for.
type sized struct{ asked []int }

func (s *sized) Read(p []byte) (int, error) {
	s.asked = append(s.asked, len(p))
	return len(p), nil
}

// TestFillWide: a read behind one that was filled has WideBytes of room, whatever is left
// of the buffer, and Narrow goes back.
func TestFillWide(t *testing.T) {
	var s sized
	c := reading(&s, 10)
	const left = 7
	for range 3 {
		if err := c.FillWide(); err != nil {
			t.Fatal(err)
		}
		c.Advance(len(c.Buffered()) - left)
	}
	c.Advance(left)
	c.Narrow()
	if err := c.FillWide(); err != nil {
		t.Fatal(err)
	}
	want := []int{wire.BufferBytes, wire.WideBytes - left, wire.WideBytes - left, wire.BufferBytes}
	if !slices.Equal(s.asked, want) {
		t.Errorf("reads of %v bytes, want %v", s.asked, want)
	}
}

// TestNarrowKeepsWhatIsBuffered: bytes that have been read are never given back.
func TestNarrowKeepsWhatIsBuffered(t *testing.T) {
	stream := filled(wire.WideBytes)
	c := reading(bytes.NewReader(stream), 10)
	for range 2 {
		if err := c.FillWide(); err != nil {
			t.Fatal(err)
		}
	}
	c.Narrow()
	if !bytes.Equal(c.Buffered(), stream) {
		t.Errorf("%d of %d bytes are buffered, or others", len(c.Buffered()), len(stream))
	}
}

// stuck is a transport that gives nothing and no error.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestReadWithoutProgress(t *testing.T) {
	if _, err := reading(stuck{}, 10).ReadPacket(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("%v, want io.ErrNoProgress", err)
	}
}

// A read that fails says so, and whether a later one could go on behind it: not
// in the middle of a packet.
func TestReadErrorComesThrough(t *testing.T) {
	broken := errors.New("broken")
	long := packets(filled(wire.FrameBytesMax))
	for _, stream := range [][]byte{
		nil, packets([]byte("hello"))[:3], packets([]byte("hello"))[:6], long[:len(long)/2], long[:len(long)-2],
	} {
		r := io.MultiReader(bytes.NewReader(stream), iotest.ErrReader(broken))
		_, err := reading(r, wire.PacketBytesMax).ReadPacket()
		if !errors.Is(err, broken) || errors.Is(err, wire.ErrInterrupted) != (len(stream) > 0) {
			t.Errorf("after %d bytes: %v", len(stream), err)
		}
	}
}

func TestSetTransport(t *testing.T) {
	c := reading(bytes.NewReader(packets([]byte("plain"))), 10)
	if _, err := c.ReadPacket(); err != nil {
		t.Fatal(err)
	}
	next := duplex{bytes.NewReader(packets([]byte("secret"))), io.Discard}
	if err := c.SetTransport(next); err != nil {
		t.Fatal(err)
	}
	if c.Transport() != next {
		t.Error("Transport is not what was set")
	}
	c.SetSequence(0)
	if got, err := c.ReadPacket(); err != nil || string(got) != "secret" {
		t.Errorf("%q, %v", got, err)
	}
}

// Bytes that came in clear behind the request for TLS must not be taken for
// bytes that came over TLS.
func TestSetTransportRefusesBytesBefore(t *testing.T) {
	c := reading(bytes.NewReader(packets([]byte("plain"), []byte("injected"))), 10)
	if _, err := c.ReadPacket(); err != nil {
		t.Fatal(err)
	}
	if err := c.SetTransport(duplex{}); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("%v, want an error", err)
	}
}

func TestTakeBuffered(t *testing.T) {
	c := reading(bytes.NewReader(append(packets([]byte("plain")), "hello of TLS"...)), 10)
	if _, err := c.ReadPacket(); err != nil {
		t.Fatal(err)
	}
	taken := c.TakeBuffered()
	if string(taken) != "hello of TLS" || len(c.Buffered()) != 0 {
		t.Errorf("took %q, left %q", taken, c.Buffered())
	}
	begin := io.MultiReader(bytes.NewReader(taken), bytes.NewReader(packets([]byte("next"))))
	if err := c.SetTransport(duplex{begin, io.Discard}); err != nil {
		t.Fatal(err)
	}
	if err := c.Fill(); err != nil || !bytes.HasPrefix(c.Buffered(), taken) {
		t.Errorf("%q, %v", c.Buffered(), err)
	}
	if again := c.TakeBuffered(); &again[0] == &taken[0] {
		t.Error("what was taken is the buffer itself")
	}
}

func ExampleConn() {
	var stream bytes.Buffer
	c := wire.NewConn(&stream, 1<<20)
	if err := c.Send(wire.Bytes("\x0e")); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("% x\n", stream.Bytes())
	c.SetSequence(0)
	payload, err := c.ReadPacket()
	fmt.Println(wire.Command(payload[0]), err)
	// Output:
	// 01 00 00 00 0e
	// COM_PING <nil>
}

// TestCompressedFramesNumberedZero: within the compressed protocol libmariadb
// numbers every frame of a long packet 0. Elsewhere that is out of order.
func TestCompressedFramesNumberedZero(t *testing.T) {
	payload := make([]byte, wire.FrameBytesMax+5)
	frames, _ := wire.AppendPacket(nil, payload, 0)
	frames[wire.HeaderBytes+wire.FrameBytesMax+3] = 0
	var packed bytes.Buffer
	if _, err := wire.NewCompressed(&packed, wire.CompressionZlib, 0).Write(frames); err != nil {
		t.Fatal(err)
	}
	c := wire.NewConn(nil, wire.PacketBytesMax)
	if err := c.SetTransport(wire.NewCompressed(&packed, wire.CompressionZlib, 0)); err != nil {
		t.Fatal(err)
	}
	if got, err := c.ReadPacket(); err != nil || len(got) != len(payload) {
		t.Errorf("compressed: %d bytes, %v", len(got), err)
	}
	plain := wire.NewConn(bytes.NewBuffer(frames), wire.PacketBytesMax)
	if _, err := plain.ReadPacket(); !errors.Is(err, wire.ErrSequence) {
		t.Errorf("not compressed: %v, want ErrSequence", err)
	}
}
