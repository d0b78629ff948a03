package wire

import (
	"bufio"
	"bytes"
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
type Compressed struct {
	in       *bufio.Reader
	out      io.Writer
	codec    codec
	sequence uint8

	packed []byte // the last packet's payload
	plain  []byte // bytes read and not yet handed out
	opened []byte // what plain is a part of
	write  []byte
}

// NewCompressed returns the transport. level is zstd's, as the client asked
// for it in its login; zlib uses its default.
func NewCompressed(transport io.ReadWriter, algorithm Compression, level uint8) *Compressed {
	c := &Compressed{in: bufio.NewReaderSize(transport, BufferBytes), out: transport, codec: zlibCodec{}}
	if algorithm == CompressionZstd {
		c.codec = zstdCodec{encoder: zstdEncoder(level)}
	}
	return c
}

// Read implements io.Reader.
func (c *Compressed) Read(p []byte) (int, error) {
	for len(c.plain) == 0 {
		if err := c.readPacket(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.plain)
	c.plain = c.plain[n:]
	if len(c.plain) == 0 {
		c.trim()
	}
	return n, nil
}

// readPacket reads one compressed packet into plain.
func (c *Compressed) readPacket() error {
	var header [compressedHeaderBytes]byte
	if _, err := io.ReadFull(c.in, header[:1]); err != nil {
		return err
	}
	if _, err := io.ReadFull(c.in, header[1:]); err != nil {
		return unexpected(err)
	}
	length, plainLength := frameLength(header[:]), frameLength(header[4:])
	c.sequence = header[3] + 1
	var err error
	if c.packed, err = readGrowing(c.in, c.packed[:0], length); err != nil {
		return unexpected(err)
	}
	if plainLength == 0 {
		c.plain = c.packed
		return nil
	}
	if c.opened, err = c.codec.open(c.opened[:0], c.packed, plainLength); err != nil {
		return fmt.Errorf("%w: compressed packet: %w", ErrMalformed, err)
	}
	if len(c.opened) != plainLength {
		return malformed("compressed packet", "uncompressed length")
	}
	c.plain = c.opened
	return nil
}

// readGrowing appends length bytes to b in steps, so that room follows what has
// arrived and not what a header promises.
func readGrowing(r io.Reader, b []byte, length int) ([]byte, error) {
	const step = 1 << 20
	for length > 0 {
		n := min(length, step)
		at := len(b)
		b = append(b, make([]byte, n)...)
		if _, err := io.ReadFull(r, b[at:]); err != nil {
			return b, err
		}
		length -= n
	}
	return b, nil
}

// trim lets large buffers go when nothing is left in them.
func (c *Compressed) trim() {
	if cap(c.packed) > outBytesMax {
		c.packed = nil
	}
	if cap(c.opened) > outBytesMax {
		c.opened = nil
	}
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

// codec compresses one payload at a time.
type codec interface {
	seal(dst, plain []byte) ([]byte, error)
	// open appends what packed holds. It stops with more than limit bytes, or with
	// an error, if packed holds more.
	open(dst, packed []byte, limit int) ([]byte, error)
}

// A zlib writer takes over a megabyte, so the ones at work are shared by all
// connections.
var (
	zlibWriters = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}
	zlibReaders sync.Pool
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

func (zlibCodec) open(dst, packed []byte, limit int) ([]byte, error) {
	source := bytes.NewReader(packed)
	r, _ := zlibReaders.Get().(io.ReadCloser)
	if r == nil {
		var err error
		if r, err = zlib.NewReader(source); err != nil {
			return nil, err
		}
	} else if err := r.(zlib.Resetter).Reset(source, nil); err != nil { //nolint:forcetypeassert // zlib's own reader
		return nil, err
	}
	defer zlibReaders.Put(r)
	buffer := bytes.NewBuffer(dst)
	_, err := buffer.ReadFrom(io.LimitReader(r, int64(limit)+1))
	return buffer.Bytes(), err
}

type zstdCodec struct{ encoder *zstd.Encoder }

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
