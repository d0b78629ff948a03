package login

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
)

// TLSReason is why TLS did not come about, in words that an operator can act on; said is the error as the log
// may show it. A
// client that does not accept the certificate says so with an alert, but one with
// OpenSSL and TLS 1.3 sends it under keys that are not expected any more, and what
// cannot be read is bad.
func TLSReason(err error, said string) string {
	op, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return said
	}
	alert := op.Err.Error()
	switch {
	case op.Op == "remote error" && strings.Contains(alert, "certificate"):
		return "the client does not accept the certificate (" + said + ")"
	case op.Op == "local error" && strings.Contains(alert, "bad record MAC"):
		return "the client broke off, most likely because it does not accept the certificate (" + said + ")"
	}
	return said
}

// HasLeft reports whether the peer has closed or reset the connection.
func HasLeft(err error) bool {
	for _, left := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, left) {
			return true
		}
	}
	return false
}

// begunConn is a connection whose first bytes have been read already: a client
// may send the beginning of TLS together with its wish for it. What they are is
// for TLS to say.
type begunConn struct {
	net.Conn
	begun []byte
}

// Begun is a connection of which something has been read.
func Begun(c net.Conn, begun []byte) net.Conn { return &begunConn{Conn: c, begun: begun} }

// Read implements io.Reader.
func (c *begunConn) Read(p []byte) (int, error) {
	if len(c.begun) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.begun)
	c.begun = c.begun[n:]
	return n, nil
}
