package difftest

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"time"

	"tunic/internal/wire"
)

// replyLimit is how long a client waits for one answer. No step takes longer than
// a few seconds on an idle machine.
const replyLimit = time.Minute

// defaultCollation is utf8mb4_general_ci, which both families know by this number.
const defaultCollation = 45

// Client is a connection that hides nothing: no retries, no state of its own
// beyond what the protocol demands, every packet kept in a Reply.
type Client struct {
	conn     net.Conn
	wire     *wire.Conn
	packer   *packed // nil without compression
	caps     wire.Capability
	greeting wire.Handshake
	password string
	secure   bool // over TLS
}

// Offer returns the greeting of a server.
func Offer(ctx context.Context, addr string) (wire.Handshake, error) {
	c, err := connect(ctx, addr)
	if err != nil {
		return wire.Handshake{}, err
	}
	defer c.Close()
	return c.greeting, nil
}

// connect dials and reads the greeting.
func connect(ctx context.Context, addr string) (*Client, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, wire: wire.NewConn(conn, wire.PacketBytesMax)}
	if err := c.greet(); err != nil {
		c.Close()
		return nil, fmt.Errorf("greeting of %s: %w", addr, err)
	}
	return c, nil
}

func (c *Client) greet() error {
	if err := c.conn.SetDeadline(time.Now().Add(replyLimit)); err != nil {
		return err
	}
	payload, err := c.read()
	if err != nil {
		return err
	}
	if len(payload) > 0 && payload[0] == headerErr {
		m, err := wire.DecodeErr(payload)
		if err != nil {
			return err
		}
		return fmt.Errorf("error %d: %s", m.Number, m.Message)
	}
	c.greeting, err = wire.DecodeHandshake(payload)
	return err
}

// Close drops the connection without a word.
func (c *Client) Close() { c.conn.Close() } //nolint:errcheck // nothing depends on it

// read returns a packet of its own.
func (c *Client) read() ([]byte, error) {
	if c.packer != nil {
		return c.readUnpacked()
	}
	payload, err := c.wire.ReadPacket()
	return bytes.Clone(payload), err
}

// readUnpacked reads a packet out of compressed ones. Those have sequence numbers
// that count, and the servers number what is in them as they please.
func (c *Client) readUnpacked() ([]byte, error) {
	const headerBytes = 4
	payload := []byte{}
	for {
		var header [headerBytes]byte
		if _, err := io.ReadFull(c.packer, header[:]); err != nil {
			return nil, err
		}
		part := make([]byte, length24(header[:]))
		if _, err := io.ReadFull(c.packer, part); err != nil {
			return nil, err
		}
		c.wire.SetSequence(header[3] + 1)
		if payload = append(payload, part...); len(part) < wire.FrameBytesMax {
			return payload, nil
		}
	}
}

// roundTrip sends a command and reads its answer. Whatever ends the connection is
// part of the reply.
func (c *Client) roundTrip(label string, payload []byte, read func(*answer) error) Reply {
	reply := Reply{Label: label}
	err := c.send(payload)
	if err == nil && read != nil {
		err = read(&answer{client: c, reply: &reply})
	}
	if err != nil {
		reply.Broken = brokenBy(err)
		reply.dropEmpty()
		c.Close()
	}
	return reply
}

// send writes a command. Sequence numbers start anew.
func (c *Client) send(payload []byte) error {
	if err := c.conn.SetDeadline(time.Now().Add(replyLimit)); err != nil {
		return err
	}
	if c.packer != nil {
		c.packer.sequence = 0
	}
	c.wire.SetSequence(0)
	c.wire.WritePacket(payload)
	return c.wire.Flush()
}

// secureConnection continues over TLS. Certificates are not what is compared, so
// any will do.
func (c *Client) secureConnection(greeting wire.Greeting) error {
	if err := c.wire.Send(greeting); err != nil {
		return err
	}
	conn := tls.Client(c.conn, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}) //nolint:gosec // see above
	if err := conn.Handshake(); err != nil {
		return err
	}
	c.conn, c.secure = conn, true
	return c.wire.SetTransport(conn)
}

// compress continues with the compressed protocol if it was agreed on.
func (c *Client) compress() error {
	algorithm := wire.NegotiatedCompression(c.caps)
	if algorithm == wire.CompressionNone {
		return nil
	}
	c.packer = &packed{transport: io.ReadWriter(c.conn), zstd: algorithm == wire.CompressionZstd}
	return c.wire.SetTransport(c.packer)
}
