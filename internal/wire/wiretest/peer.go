package wiretest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"tunic/internal/wire"
)

// PacketBytesMax is the largest packet a Peer reads: more than the largest that
// tests send.
const PacketBytesMax = 64 << 20

// Peer is one end of a connection.
type Peer struct {
	Net       net.Conn
	Wire      *wire.Conn
	Handshake wire.Handshake  // the server's greeting, sent or received
	Caps      wire.Capability // what both ends agreed on at the login
	Last      []byte          // payload of the last packet read; valid until the next

	AskedCursor bool // the last command asked for a cursor in place of rows
}

// NewPeer returns a Peer over a connection that it then owns.
func NewPeer(conn net.Conn) *Peer {
	return &Peer{Net: conn, Wire: wire.NewConn(conn, PacketBytesMax)}
}

// Step is one thing that a Peer does. Its error says what went otherwise.
type Step func(p *Peer) error

// Play does the steps in order and stops at the first that fails.
func (p *Peer) Play(steps ...Step) error {
	for i, step := range steps {
		if err := step(p); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// Read reads a packet into Last.
func (p *Peer) Read() error {
	var err error
	p.Last, err = p.Wire.ReadPacket()
	return err
}

// Command sends a command: a packet that starts a new sequence.
func (p *Peer) Command(payload []byte) error {
	m, err := wire.DecodeExecute(payload)
	p.AskedCursor = err == nil && m.AsksCursor()
	p.Wire.SetSequence(0)
	return p.Wire.Send(wire.Bytes(payload))
}

// Close closes the connection.
func (p *Peer) Close() error { return p.Net.Close() }

// Gone reports whether err says that the other end has closed or reset the
// connection, or that this end has.
func Gone(err error) bool {
	for _, gone := range []error{
		io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE,
	} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// Frames returns the messages as packets whose first frame has the given
// sequence number.
func Frames(sequence uint8, messages ...wire.Message) []byte {
	var b []byte
	for _, m := range messages {
		b, sequence = wire.AppendPacket(b, m.AppendTo(nil), sequence)
	}
	return b
}
