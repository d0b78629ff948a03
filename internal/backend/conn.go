package backend

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"tunic/internal/socket"
	"tunic/internal/wire"
)

// Conn is one connection to the server, from its greeting on. It is for one
// goroutine; Close may be called from any.
type Conn struct {
	*wire.Conn
	Handshake wire.Handshake
	// Capabilities are what this connection has agreed on, set by Greet.
	Capabilities wire.Capability

	target  *Target
	socket  net.Conn
	secured bool
	untold  *untold // see KeepUntold
	process Process
}

// GreetingError is an error packet that the server sent instead of a greeting,
// such as "Too many connections".
type GreetingError struct{ Err wire.Err }

// Error implements error.
func (e *GreetingError) Error() string {
	return fmt.Sprintf("the server refuses the connection with error %d", e.Err.Number)
}

// loginBytesMax limits the server's packets until it has let the client in.
const loginBytesMax = 128 << 10

// Admitted lifts the limit on the server's packets for the commands to come.
func (c *Conn) Admitted() { c.SetLimit(wire.PacketBytesMax) }

// ErrGreeting marks a peer that does not greet as a MySQL server does.
var ErrGreeting = errors.New("not a MySQL greeting")

// Dial connects and reads the server's greeting, within the target's timeout.
func (t *Target) Dial(ctx context.Context) (*Conn, error) {
	socket, err := t.dial(ctx)
	if err != nil {
		return nil, err
	}
	c := &Conn{Conn: wire.NewConn(socket, loginBytesMax), target: t, socket: socket, secured: t.network == "unix"}
	if err := c.readGreeting(); err != nil {
		_ = socket.Close()
		return nil, err
	}
	return c, nil
}

func (c *Conn) readGreeting() error {
	if err := c.socket.SetReadDeadline(time.Now().Add(c.target.timeout)); err != nil {
		return err
	}
	payload, err := c.ReadPacket()
	if left(err) {
		return fmt.Errorf("the database server has closed the connection before its greeting: %w", err)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrGreeting, err)
	}
	if kind, _ := wire.ClassifyAuth(payload); kind == wire.AuthErr {
		m, err := wire.DecodeErr(payload)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrGreeting, err)
		}
		m.Message = append([]byte(nil), m.Message...)
		return &GreetingError{Err: m}
	}
	c.Handshake, err = wire.DecodeHandshake(append([]byte(nil), payload...))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrGreeting, err)
	}
	return c.socket.SetReadDeadline(time.Time{})
}

// left reports whether an error is that a peer has closed the connection, as a server does that is killed.
func left(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// Greet sends the login, over TLS if the target's mode and the server agree on
// it, and records the capabilities of the connection. Flags that belong to the
// transport (TLS, compression) are tunic's to set, not the client's.
func (c *Conn) Greet(ctx context.Context, login wire.Login) error {
	encrypt, err := c.target.wantsTLS(c.Handshake.Capabilities.Has(wire.ClientSSL))
	if err != nil {
		return err
	}
	login.Capabilities &^= wire.ClientSSL | wire.ClientCompress | wire.ClientZstdCompression | wire.ClientVerifyServerCert
	login.Capabilities &= c.Handshake.Capabilities | clientOnly
	if encrypt {
		login.Capabilities |= wire.ClientSSL
		if err := c.startTLS(ctx, login.Greeting); err != nil {
			return err
		}
	}
	c.Capabilities = login.Capabilities
	return c.Send(login)
}

// clientOnly are flags that a client may set whether or not the server has them.
const clientOnly = wire.ClientIgnoreSigpipe | wire.ClientRememberOptions

// ErrTLS marks a TLS handshake with the server that failed.
var ErrTLS = errors.New("TLS with the database server failed")

func (c *Conn) startTLS(ctx context.Context, greeting wire.Greeting) error {
	if err := c.Send(greeting); err != nil {
		return err
	}
	client := tls.Client(c.socket, c.target.tls)
	if err := client.HandshakeContext(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrTLS, err)
	}
	c.secured = true
	return c.SetTransport(client)
}

// Secured reports whether nobody between tunic and the server can read along:
// TLS, or a Unix socket. Servers hold a password in clear to be safe there.
func (c *Conn) Secured() bool { return c.secured }

// OverSocket reports whether the connection is a Unix socket.
func (c *Conn) OverSocket() bool { return c.target.network == "unix" }

// LocalPort is the port here that the server sees the connection come from, unless addresses are translated in between; 0 over
// a Unix socket.
func (c *Conn) LocalPort() int {
	if local, ok := c.socket.LocalAddr().(*net.TCPAddr); ok {
		return local.Port
	}
	return 0
}

// SetDeadline bounds reads and writes; the zero time lifts the bound.
func (c *Conn) SetDeadline(t time.Time) error { return c.socket.SetDeadline(t) }

// HungUp reports whether the server has closed its side. It may be called from any
// goroutine.
func (c *Conn) HungUp() bool { return socket.HungUp(c.socket) }

// Rest is what is left of a connection that was closed on this side.
type Rest struct{ of *socket.Rest }

// CloseAndKeep ends the connection at once, and keeps what tells when the other side has closed it too, which a server does when
// it has done with the last command. It may be called from any goroutine.
func (c *Conn) CloseAndKeep() *Rest {
	rest, err := socket.Keep(c.socket)
	_ = c.Close()
	if err != nil {
		return &Rest{}
	}
	rest.Finish()
	return &Rest{rest}
}

// Over reports whether the connection is closed: by the server, which may have done with the last command, by what is in between, or
// here, since nobody reads a long answer. It is false where that cannot be known.
func (r *Rest) Over() bool { return r.of != nil && r.of.Over() }

// Close lets go of what is kept. It is called once.
func (r *Rest) Close() {
	if r.of != nil {
		r.of.Close()
	}
}

// Close ends the connection at once.
func (c *Conn) Close() error { return c.socket.Close() }

// WillBeSecured is what Secured will report once Greet has succeeded.
func (c *Conn) WillBeSecured() bool {
	encrypt, err := c.target.wantsTLS(c.Handshake.Capabilities.Has(wire.ClientSSL))
	return c.secured || encrypt && err == nil
}

// WillBeEncrypted is WillBeSecured for TLS alone: some plugins hold nothing
// else safe.
func (c *Conn) WillBeEncrypted() bool {
	encrypt, err := c.target.wantsTLS(c.Handshake.Capabilities.Has(wire.ClientSSL))
	return encrypt && err == nil
}

// CheckTLS does the TLS handshake that a session would do, without a login. The
// connection is of no further use.
func (c *Conn) CheckTLS(ctx context.Context) error {
	encrypt, err := c.target.wantsTLS(c.Handshake.Capabilities.Has(wire.ClientSSL))
	if err != nil || !encrypt {
		return err
	}
	return c.startTLS(ctx, wire.Greeting{
		Capabilities: wire.ClientMySQL | wire.ClientProtocol41 | wire.ClientSecureConnection | wire.ClientPluginAuth | wire.ClientSSL,
		PacketLimit:  wire.PacketBytesMax,
		Charset:      c.Handshake.Charset,
	})
}
