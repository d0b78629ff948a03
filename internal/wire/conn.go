package wire

import (
	"errors"
	"fmt"
	"io"
	"time"
)

const (
	// BufferBytes is the size of a Conn's read buffer between packets. It holds
	// what a server flushes at a time (net_buffer_length is 16 KiB).
	BufferBytes = 16 << 10
	// outBytesMax is the size over which the write buffer is not kept.
	outBytesMax = 64 << 10
)

// Conn reads and writes packets over a transport. It is for one goroutine.
type Conn struct {
	transport io.ReadWriter
	limit     int // payload bytes of a packet

	base     []byte // BufferBytes, made on first use
	in       []byte // base, or a large buffer
	start    int    // in[start:end] has been read and not been used
	end      int
	last     []byte // the frame of the last packet, if it was one frame
	sequence uint8  // of the next frame, read or written
	// compressed says that frames may all be numbered 0: the compressed packets
	// around them are numbered, and libmariadb leaves it at that when a packet
	// takes several frames.
	compressed bool
	align      aligner // of what is written, if it is compressed
	series     *series // what is written is a part of, nil of none

	spent *time.Duration // on reading and writing; nil if nobody asks

	out    []byte
	opened int // where the packet of OpenPacket begins in out

	large int // from which length on admit is asked; see SetAdmit
	admit func(head []byte, bytes int) error
}

// NewConn returns a Conn whose packets are limited to limit payload bytes.
func NewConn(transport io.ReadWriter, limit int) *Conn {
	return &Conn{transport: transport, limit: min(limit, PacketBytesMax)}
}

// SetTransport replaces the transport, for TLS or compression that begins in
// the middle of a login. Bytes already read would be lost, so there must be
// none: TakeBuffered hands them over to a transport that begins with them.
func (c *Conn) SetTransport(t io.ReadWriter) error {
	if c.start != c.end {
		return fmt.Errorf("%w: bytes before the switch of transport", ErrMalformed)
	}
	c.transport = t
	_, c.compressed = t.(*Compressed)
	return nil
}

// TakeBuffered returns a copy of the bytes that have been read and not been
// used, and counts them as used.
func (c *Conn) TakeBuffered() []byte {
	b := append([]byte(nil), c.Buffered()...)
	c.start = c.end
	return b
}

// Transport is what the Conn reads and writes, to be wrapped by another.
func (c *Conn) Transport() io.ReadWriter { return c.transport }

// SetLimit changes the limit of a packet's payload bytes.
func (c *Conn) SetLimit(limit int) { c.limit = min(limit, PacketBytesMax) }

// Sequence is the sequence number of the next frame.
func (c *Conn) Sequence() uint8 { return c.sequence }

// SetSequence sets the sequence number of the next frame. A command starts at 0.
func (c *Conn) SetSequence(s uint8) { c.sequence = s }

// ReadPacket reads one packet and returns its payload, which is valid until the
// next read. The error is io.EOF only at a packet's boundary, and ErrInterrupted
// if a read failed behind one.
func (c *Conn) ReadPacket() ([]byte, error) {
	c.last = nil
	length, err := c.readHeader()
	if err != nil {
		return nil, err
	}
	if length > c.limit {
		return nil, &TooLargeError{Bytes: length, Limit: c.limit}
	}
	if c.large > 0 && length >= c.large {
		if err := c.admitLarge(length); err != nil {
			return nil, err
		}
	}
	if length == FrameBytesMax {
		return c.readFrames()
	}
	if err := c.need(HeaderBytes + length); err != nil {
		return nil, unexpected(err)
	}
	c.last = c.in[c.start : c.start+HeaderBytes+length]
	c.start += HeaderBytes + length
	return c.last[HeaderBytes:], nil
}

// LastFrame returns the last packet with its header, to be passed on as it is,
// or nil if the packet came in several frames. It is valid until the next read.
func (c *Conn) LastFrame() []byte { return c.last }

// readFrames joins the frames of a packet of FrameBytesMax or more.
func (c *Conn) readFrames() ([]byte, error) {
	var payload []byte
	for first := true; ; first = false {
		length := FrameBytesMax
		if first {
			c.start += HeaderBytes // the header has been checked
		} else {
			var err error
			if length, err = c.readHeader(); err != nil {
				return nil, unexpected(err)
			}
			c.start += HeaderBytes
		}
		if len(payload)+length > c.limit {
			return nil, &TooLargeError{Bytes: len(payload) + length, Limit: c.limit}
		}
		var err error
		if payload, err = c.readBody(payload, length); err != nil {
			return nil, unexpected(err)
		}
		if length < FrameBytesMax {
			return payload, nil
		}
	}
}

// readBody appends the next length bytes to payload. It grows as bytes arrive,
// not as a header promises.
func (c *Conn) readBody(payload []byte, length int) ([]byte, error) {
	for length > 0 {
		if c.start == c.end {
			if err := c.Fill(); err != nil {
				return nil, err
			}
		}
		n := min(length, c.end-c.start)
		payload = append(payload, c.in[c.start:c.start+n]...)
		c.start += n
		length -= n
	}
	return payload, nil
}

// readHeader waits for a frame header and checks it; it does not step over it.
func (c *Conn) readHeader() (length int, err error) {
	if err := c.need(HeaderBytes); err != nil {
		return 0, err
	}
	header := c.in[c.start : c.start+HeaderBytes]
	if header[3] != c.sequence && !(c.compressed && header[3] == 0) {
		return 0, &SequenceError{Got: header[3], Want: c.sequence}
	}
	c.sequence++
	return frameLength(header), nil
}

// need reads until n unused bytes are there.
func (c *Conn) need(n int) error {
	for c.end-c.start < n {
		before := c.end - c.start
		if err := c.fill(n); err != nil {
			if before > 0 {
				return unexpected(err)
			}
			return err
		}
	}
	return nil
}

// unexpected is the error of a read inside a packet: no end there is a good one,
// and no later read could go on behind it.
func unexpected(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, ErrInterrupted):
		return err
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	default:
		return fmt.Errorf("%w: %w", ErrInterrupted, err)
	}
}

// Buffered returns the bytes that have been read and not been used.
func (c *Conn) Buffered() []byte { return c.in[c.start:c.end] }

// Advance marks the first n buffered bytes as used.
func (c *Conn) Advance(n int) { c.start += n }

// Fill reads more bytes behind the buffered ones, once.
func (c *Conn) Fill() error { return c.fill(c.end - c.start + 1) }

// WideBytes is what FillWide has room for.
const WideBytes = 128 << 10

// FillWide is Fill for a reader of many packets that keeps none of them, as a result that
// is added up: once a read has filled the buffer there is more to be had at once, and the
// next one gets WideBytes of room. Narrow gives it back.
func (c *Conn) FillWide() error {
	filled := c.end == len(c.in)
	if c.start > 0 {
		c.end = copy(c.in, c.in[c.start:c.end]) // part of a packet, or nothing
		c.start = 0
	}
	if c.end == 0 && len(c.in) > WideBytes { // one packet was that long
		c.shrink()
	}
	if filled && len(c.in) < WideBytes && c.base != nil {
		c.grow(WideBytes)
	}
	if c.end == len(c.in) {
		c.makeRoom()
	}
	return c.took(c.read(c.in[c.end:]))
}

// Narrow gives back a large buffer, if nothing is in it.
func (c *Conn) Narrow() {
	if c.start == c.end {
		c.start, c.end = 0, 0
		c.shrink()
	}
}

// fill reads once. There is room for at least one byte more than is buffered;
// the buffer grows when it is full, so room follows what has arrived.
func (c *Conn) fill(want int) error {
	if c.start == c.end {
		c.start, c.end = 0, 0
		c.shrink()
	}
	if c.start+want > len(c.in) {
		c.makeRoom()
	}
	return c.took(c.read(c.in[c.end:]))
}

// Time has the time that is spent reading and writing added to a duration, until it is
// called with nil.
func (c *Conn) Time(spent *time.Duration) { c.spent = spent }

// read reads from the transport.
func (c *Conn) read(b []byte) (int, error) {
	if c.spent == nil {
		return c.transport.Read(b)
	}
	begin := time.Now()
	n, err := c.transport.Read(b)
	*c.spent += time.Since(begin)
	return n, err
}

// took counts what a read has read.
func (c *Conn) took(n int, err error) error {
	c.end += n
	if n > 0 {
		return nil
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

// makeRoom moves what is buffered to the front, or into a larger buffer.
func (c *Conn) makeRoom() {
	if c.base == nil {
		c.base = make([]byte, BufferBytes)
		c.in = c.base
	}
	unused := c.in[c.start:c.end]
	if len(unused) < len(c.in) {
		c.end = copy(c.in, unused)
		c.start = 0
		return
	}
	c.grow(len(c.in) + len(c.in)/4) // to the next class
}

// grow moves what is buffered into a larger buffer.
func (c *Conn) grow(bytes int) {
	grown := takeLarge(bytes)
	c.end = copy(grown, c.in[c.start:c.end])
	c.start = 0
	if len(c.in) > len(c.base) {
		giveLarge(c.in)
	}
	c.in = grown
}

// shrink goes back to the base buffer. Only for an empty buffer.
func (c *Conn) shrink() {
	if len(c.in) > len(c.base) {
		giveLarge(c.in)
		c.in = c.base
	}
}

// WritePacket puts a packet into the write buffer.
func (c *Conn) WritePacket(payload []byte) {
	c.out, c.sequence = AppendPacket(c.out, payload, c.sequence)
}

// Message is anything that can append itself as the payload of a packet.
type Message interface {
	AppendTo(b []byte) []byte
}

// WriteMessage puts a message into the write buffer. Small messages cost no
// copy beyond it.
func (c *Conn) WriteMessage(m Message) {
	at := c.beginPacket()
	c.out = m.AppendTo(c.out)
	c.endPacket(at)
}

// WriteEOF is WriteMessage of an EOF. Every answer with rows has two for clients that know
// no other end of rows; as a Message each would be allocated.
func (c *Conn) WriteEOF(m EOF) {
	at := c.beginPacket()
	c.out = m.AppendTo(c.out)
	c.endPacket(at)
}

// beginPacket puts room for a header into the write buffer. The payload is to be
// appended to c.out, and endPacket called with what this returns.
func (c *Conn) beginPacket() (at int) {
	c.out = append(c.out, 0, 0, 0, 0)
	return len(c.out) - HeaderBytes
}

// endPacket makes a packet of what has been appended since beginPacket.
func (c *Conn) endPacket(at int) {
	if length := len(c.out) - at - HeaderBytes; length < FrameBytesMax {
		putHeader(c.out[at:], length, c.sequence)
		c.sequence++
		return
	}
	payload := append([]byte(nil), c.out[at+HeaderBytes:]...)
	c.out = c.out[:at]
	c.WritePacket(payload)
}

// WriteRaw writes frames as they are, after what the write buffer holds.
func (c *Conn) WriteRaw(frames []byte) error {
	if len(c.out) > 0 {
		c.out = append(c.out, frames...)
		return c.Flush()
	}
	return c.write(frames)
}

// write writes frames, or a part of one.
func (c *Conn) write(frames []byte) (err error) {
	if c.series != nil {
		if frames, err = c.series.pass(frames); err != nil {
			return err
		}
	}
	if c.compressed {
		frames = c.align.cut(frames)
	}
	if len(frames) == 0 {
		return nil
	}
	if c.spent != nil {
		begin := time.Now()
		defer func() { *c.spent += time.Since(begin) }()
	}
	_, err = c.transport.Write(frames)
	return err
}

// AppendRaw puts frames into the write buffer as they are.
func (c *Conn) AppendRaw(frames []byte) { c.out = append(c.out, frames...) }

// Flush writes the write buffer in one call.
func (c *Conn) Flush() error {
	if len(c.out) == 0 {
		return nil
	}
	err := c.write(c.out)
	c.Drop()
	return err
}

// Drop empties the write buffer without writing it.
func (c *Conn) Drop() {
	if cap(c.out) > outBytesMax {
		giveLarge(c.out)
		c.out = nil
	} else {
		c.out = c.out[:0]
	}
}

// WriteFrame puts one frame into the write buffer under this Conn's own
// sequence number.
func (c *Conn) WriteFrame(frame []byte) {
	at := len(c.out)
	c.out = append(c.out, frame...)
	c.out[at+3] = c.sequence
	c.sequence++
}

// Pending is the number of bytes in the write buffer.
func (c *Conn) Pending() int { return len(c.out) }

// Send writes a message at once.
func (c *Conn) Send(m Message) error {
	c.WriteMessage(m)
	return c.Flush()
}
