package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Compression is the algorithm of a connection.
type Compression uint8

// Algorithms of the compressed protocol.
const (
	CompressionNone Compression = iota
	CompressionZlib
	CompressionZstd
)

// NegotiatedCompression is the algorithm that both peers' capabilities lead to.
// With both agreed on, zlib is taken, as MySQL's server and clients do.
func NegotiatedCompression(caps Capability) Compression {
	switch {
	case caps.Has(ClientCompress):
		return CompressionZlib
	case caps.Has(ClientZstdCompression):
		return CompressionZstd
	default:
		return CompressionNone
	}
}

const (
	compressedHeaderBytes = 7
	// compressBytesMin is the size below which a payload is sent as it is
	// (MIN_COMPRESS_LENGTH of MySQL's servers and clients).
	compressBytesMin = 50
)

// Compressed is a transport that speaks the compressed protocol over another.
// A compressed packet carries a run of bytes of frames, cut anywhere.
//
//	field                 type
//	payload length        3
//	sequence number       1
//	uncompressed length   3, or 0 if the payload is not compressed
//	payload
//
// A packet is opened as far as it is read: 16 KiB of zlib can hold 16 MiB, and a
// client that sends many of them and takes no answers would have them all held
// for it. Only one that is small when it is open is opened at once.
type Compressed struct {
	in       *bufio.Reader
	out      io.Writer
	codec    codec
	sequence uint8

	packed packedReader // what is left of the packet's payload
	stream io.Reader    // opens packed; nil if the packet is small or not compressed
	left   int          // bytes that the packet has still to give
	err    error        // what a packet broke with: there is no way on from within it
	small  []byte       // these bytes, if the packet is small
	sealed []byte       // a small packet's payload
	opened []byte       // what small is a part of
	write  []byte
}

// smallBytesMax is the size of an open packet up to which it is opened at once.
const smallBytesMax = 64 << 10

// sealedBytesMore is far more than what an algorithm adds to a small packet that
// it cannot make shorter.
const sealedBytesMore = 4 << 10

// packedReader reads the payload of one packet and no further.
type packedReader struct {
	in   *bufio.Reader
	left int
	err  error // of in
}

// Read implements io.Reader.
func (r *packedReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.in.Read(p[:min(len(p), r.left)])
	r.left -= n
	if err != nil {
		r.err = unexpected(err)
	}
	return n, r.err
}

// NewCompressed returns the transport. level is zstd's, as the client asked
// for it in its login; zlib uses its default.
func NewCompressed(transport io.ReadWriter, algorithm Compression, level uint8) *Compressed {
	c := &Compressed{in: bufio.NewReaderSize(transport, BufferBytes), out: transport, codec: zlibCodec{}}
	c.packed.in = c.in
	if algorithm == CompressionZstd {
		c.codec = zstdCodec{encoder: zstdEncoder(level), ultra: level >= zstdUltraLevel}
	}
	return c
}

// Read implements io.Reader.
func (c *Compressed) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for c.left == 0 && c.err == nil {
		if err := c.begin(); err != nil {
			return 0, err
		}
	}
	if c.err != nil {
		return 0, c.err
	}
	var n int
	var err error
	switch p = p[:min(len(p), c.left)]; {
	case c.stream != nil:
		n, err = c.readStream(p)
	case len(c.small) > 0:
		n = copy(p, c.small)
		c.small = c.small[n:]
	default:
		n, err = c.packed.Read(p)
	}
	c.left -= n
	return n, err
}

// begin reads the header of a compressed packet, and the packet if it is small.
func (c *Compressed) begin() error {
	var header [compressedHeaderBytes]byte
	if _, err := io.ReadFull(c.in, header[:1]); err != nil {
		return err
	}
	if _, err := io.ReadFull(c.in, header[1:]); err != nil {
		return unexpected(err)
	}
	c.sequence = header[3] + 1
	plain := frameLength(header[4:])
	c.packed.left, c.packed.err = frameLength(header[:]), nil
	switch {
	case plain == 0:
		c.left = c.packed.left
		return nil
	case plain <= smallBytesMax:
		return c.openSmall(plain)
	default:
		var err error
		if c.stream, err = c.codec.stream(&c.packed); err != nil {
			return c.broken(err)
		}
		c.left = plain
		return nil
	}
}

// openSmall opens a packet at once.
func (c *Compressed) openSmall(length int) error {
	if c.packed.left > smallBytesMax+sealedBytesMore {
		return malformed("compressed packet", "payload length")
	}
	c.sealed = slices.Grow(c.sealed[:0], c.packed.left)[:c.packed.left]
	if _, err := io.ReadFull(&c.packed, c.sealed); err != nil {
		return unexpected(err)
	}
	var err error
	if c.opened, err = c.codec.open(c.opened[:0], c.sealed, length); err != nil {
		return c.broken(err)
	}
	if len(c.opened) != length {
		return c.broken(errLength)
	}
	c.small, c.left = c.opened, length
	return nil
}

// readStream opens some of what is left; the last of it only if the packet ends
// there, as its header says.
func (c *Compressed) readStream(p []byte) (int, error) {
	n, err := c.stream.Read(p)
	switch {
	case n == c.left && (err == nil || err == io.EOF):
		if err := c.finish(); err != nil {
			return 0, err
		}
		return n, nil
	case err == io.EOF:
		return 0, c.broken(errLength)
	case err != nil:
		return 0, c.broken(err)
	default:
		return n, nil
	}
}

// errLength says that a packet holds less or more than its header tells.
var errLength = errors.New("uncompressed length")

// finish checks that a stream is at its end, and steps over what the packet may
// hold behind it.
func (c *Compressed) finish() error {
	var more [1]byte
	switch n, err := io.ReadFull(c.stream, more[:]); {
	case n > 0:
		return c.broken(errLength)
	case err != io.EOF:
		return c.broken(err)
	}
	c.endStream()
	_, err := io.Copy(io.Discard, &c.packed)
	return err
}

// endStream gives back what opens a stream.
func (c *Compressed) endStream() {
	if c.stream != nil {
		c.codec.done(c.stream)
		c.stream = nil
	}
}

// broken tells a connection that broke from a packet that lies about itself.
func (c *Compressed) broken(err error) error {
	c.endStream()
	if c.err = c.packed.err; c.err == nil {
		c.err = fmt.Errorf("%w: compressed packet: %w", ErrMalformed, err)
	}
	return c.err
}

// Write implements io.Writer: one call writes whole compressed packets.
func (c *Compressed) Write(p []byte) (int, error) {
	c.write = c.write[:0]
	for rest := p; len(rest) > 0; {
		part := rest[:min(len(rest), FrameBytesMax)]
		rest = rest[len(part):]
		if err := c.appendPacket(part); err != nil {
			return 0, err
		}
	}
	_, err := c.out.Write(c.write)
	if cap(c.write) > outBytesMax {
		c.write = nil
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *Compressed) appendPacket(part []byte) error {
	at := len(c.write)
	c.write = append(c.write, make([]byte, compressedHeaderBytes)...)
	plainLength := 0
	if len(part) >= compressBytesMin {
		var err error
		if c.write, err = c.codec.seal(c.write, part); err != nil {
			return err
		}
		plainLength = len(part)
	}
	if length := len(c.write) - at - compressedHeaderBytes; plainLength == 0 || length >= len(part) {
		c.write = append(c.write[:at+compressedHeaderBytes], part...)
		plainLength = 0
	}
	putHeader(c.write[at:], len(c.write)-at-compressedHeaderBytes, c.sequence)
	c.write[at+4], c.write[at+5], c.write[at+6] = byte(plainLength), byte(plainLength>>8), byte(plainLength>>16)
	c.sequence++
	return nil
}

// codec compresses whole payloads and opens them as they are read.
type codec interface {
	seal(dst, plain []byte) ([]byte, error)
	// open appends what packed holds. It stops with more than limit bytes, or with
	// an error, if packed holds more.
	open(dst, packed []byte, limit int) ([]byte, error)
	// stream opens what packed holds as it is read. It is given back with done, at
	// its end or before.
	stream(packed io.Reader) (io.Reader, error)
	done(stream io.Reader)
}

// A zlib writer takes over a megabyte, and what opens a stream some 40 KiB, so
// the ones at work are shared by all connections.
var (
	zlibWriters = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}
	zlibReaders sync.Pool // of io.Reader
)

type zlibCodec struct{}

func (zlibCodec) seal(dst, plain []byte) ([]byte, error) {
	w := zlibWriters.Get().(*zlib.Writer) //nolint:forcetypeassert // the pool holds nothing else
	defer zlibWriters.Put(w)
	buffer := bytes.NewBuffer(dst)
	w.Reset(buffer)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

func (c zlibCodec) open(dst, packed []byte, limit int) ([]byte, error) {
	r, err := c.stream(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	defer c.done(r)
	buffer := bytes.NewBuffer(dst)
	_, err = buffer.ReadFrom(io.LimitReader(r, int64(limit)+1))
	return buffer.Bytes(), err
}

func (zlibCodec) stream(packed io.Reader) (io.Reader, error) {
	r, ok := zlibReaders.Get().(io.Reader)
	if !ok {
		return zlib.NewReader(packed)
	}
	if err := r.(zlib.Resetter).Reset(packed, nil); err != nil { //nolint:forcetypeassert // zlib's own reader
		zlibReaders.Put(r)
		return nil, err
	}
	return r, nil
}

func (zlibCodec) done(stream io.Reader) { zlibReaders.Put(stream) }

type zstdCodec struct {
	encoder *zstd.Encoder
	ultra   bool // the client compresses at zstdUltraLevel or above
}

func (c zstdCodec) seal(dst, plain []byte) ([]byte, error) {
	return c.encoder.EncodeAll(plain, dst), nil
}

// open unpacks into room made for what the packet says it holds; the decoder
// does not go beyond it.
func (zstdCodec) open(dst, packed []byte, limit int) ([]byte, error) {
	room := slices.Grow(dst, limit)
	plain, err := zstdDecoder().DecodeAll(packed, room[:len(dst):len(dst)+limit])
	return room[:min(len(plain), len(dst)+limit)], err
}

// zstdDecoder is shared: DecodeAll may run in many goroutines at once. It stops
// at the end of the room it is given.
var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderConcurrency(0))
	if err != nil {
		panic("zstd: the decoder's options do not fit together: " + err.Error())
	}
	return d
})

// How far back a packet may refer, for which room is reserved before any of it is
// read. zstdWindowBytesMax is what every decoder should allow and no encoder
// should go beyond (RFC 8878, 3.1.1.1.2). At its default level MySQL's client asks
// for 2 MiB; from zstdUltraLevel on it refers as far back as the packet is long.
const (
	zstdWindowBytesMax = 8 << 20
	zstdUltraLevel     = 20
	zstdUltraBytesMax  = FrameBytesMax + 1
)

// zstdReaders open streams in the goroutine that reads. They keep the room that
// they have reserved, so those of ultra levels are not among them.
var zstdReaders sync.Pool

func newZstdReader(packed io.Reader, windowBytesMax uint64) (*zstd.Decoder, error) {
	return zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(windowBytesMax), zstd.WithDecoderMaxMemory(windowBytesMax))
}

func (c zstdCodec) stream(packed io.Reader) (io.Reader, error) {
	if c.ultra {
		return newZstdReader(packed, zstdUltraBytesMax)
	}
	d, ok := zstdReaders.Get().(*zstd.Decoder)
	if !ok {
		return newZstdReader(packed, zstdWindowBytesMax)
	}
	if err := d.Reset(packed); err != nil {
		return nil, err
	}
	return d, nil
}

func (c zstdCodec) done(stream io.Reader) {
	d := stream.(*zstd.Decoder) //nolint:forcetypeassert // what stream has made
	if c.ultra {
		d.Close()
		return
	}
	if d.Reset(nil) == nil { // it lets the connection go
		zstdReaders.Put(d)
	}
}

var zstdEncoders sync.Map // zstd.EncoderLevel -> *zstd.Encoder

// zstdEncoder returns the shared encoder of a level (1 to 22, MySQL's default
// is 3).
func zstdEncoder(level uint8) *zstd.Encoder {
	speed := zstd.EncoderLevelFromZstd(int(level))
	if e, ok := zstdEncoders.Load(speed); ok {
		return e.(*zstd.Encoder) //nolint:forcetypeassert // the map holds nothing else
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(speed), zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(1<<20))
	if err != nil {
		panic("zstd: the encoder's options do not fit together: " + err.Error())
	}
	kept, _ := zstdEncoders.LoadOrStore(speed, e)
	return kept.(*zstd.Encoder) //nolint:forcetypeassert // the map holds nothing else
}
