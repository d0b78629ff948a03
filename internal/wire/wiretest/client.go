package wiretest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"tunic/internal/wire"
)

// ClientCaps is what a Client asks for unless it says otherwise.
const ClientCaps = wire.ClientMySQL | wire.ClientLongFlag | wire.ClientLocalFiles | wire.ClientProtocol41 |
	wire.ClientTransactions | wire.ClientSecureConnection | wire.ClientMultiStatements | wire.ClientMultiResults |
	wire.ClientPSMultiResults | wire.ClientPluginAuth | wire.ClientPluginAuthLenenc | wire.ClientDeprecateEOF

// Client says how to log in to a server.
type Client struct {
	User, Password, Database string
	Caps                     wire.Capability // asked for, beside what the other fields need; 0 is ClientCaps
	TLS                      *tls.Config     // nil: no TLS
}

// ServerError is an error that a server has sent.
type ServerError struct {
	Number  uint16
	State   string
	Message string
}

// Error implements error.
func (e *ServerError) Error() string {
	return fmt.Sprintf("error %d (%s): %s", e.Number, e.State, e.Message)
}

// serverError returns the error in payload.
func serverError(payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		return err
	}
	return &ServerError{m.Number, m.State, string(m.Message)}
}

// Connect connects to "host:port" or "unix:path" without a word.
func Connect(ctx context.Context, addr string) (*Peer, error) {
	network := "tcp"
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return NewPeer(conn), nil
}

// Dial connects and logs in.
func (c Client) Dial(ctx context.Context, addr string) (*Peer, error) {
	p, err := Connect(ctx, addr)
	if err != nil {
		return nil, err
	}
	if err := c.Login(p); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Login is the step of a client that logs in.
func (c Client) Login(p *Peer) error {
	if err := p.Play(ReadGreeting, c.answer); err != nil {
		return err
	}
	if err := c.authenticate(p, p.Handshake.Challenge); err != nil {
		return err
	}
	return p.compress()
}

// compress goes on in the compressed protocol, if the peers have agreed on it.
func (p *Peer) compress() error {
	algorithm := wire.NegotiatedCompression(p.Caps)
	if algorithm == wire.CompressionNone {
		return nil
	}
	return p.Wire.SetTransport(wire.NewCompressed(p.Net, algorithm, zstdLevel))
}

// zstdLevel is what clients of MySQL ask for by default.
const zstdLevel = 3

// ReadGreeting reads the server's greeting.
func ReadGreeting(p *Peer) error {
	if err := p.Read(); err != nil {
		return fmt.Errorf("waiting for the greeting: %w", err)
	}
	if len(p.Last) > 0 && p.Last[0] == 0xff {
		return serverError(p.Last)
	}
	m, err := wire.DecodeHandshake(append([]byte(nil), p.Last...))
	p.Handshake = m
	return err
}

// answer sends the login, over TLS if the client wants it.
func (c Client) answer(p *Peer) error {
	p.Caps = c.wanted() & p.Handshake.Capabilities
	greeting := wire.Greeting{Capabilities: p.Caps, PacketLimit: PacketBytesMax, Charset: Charset}
	if c.TLS != nil {
		if err := c.startTLS(p, greeting); err != nil {
			return err
		}
	}
	m := wire.Login{
		Greeting: greeting, User: []byte(c.User), Database: []byte(c.Database), Plugin: p.Handshake.Plugin,
		ZstdLevel: zstdLevel,
	}
	var err error
	if m.Answer, err = prove(string(m.Plugin), c.Password, p.Handshake.Challenge); err != nil {
		m.Plugin = []byte(NativePassword) // the server will ask for what it wants
	}
	return p.Wire.Send(m)
}

// wanted is the capabilities that the client asks for.
func (c Client) wanted() wire.Capability {
	caps := c.Caps
	if caps == 0 {
		caps = ClientCaps
	}
	if c.Database != "" {
		caps |= wire.ClientConnectWithDB
	}
	if c.TLS != nil {
		caps |= wire.ClientSSL
	}
	return caps
}

func (c Client) startTLS(p *Peer, greeting wire.Greeting) error {
	if !p.Caps.Has(wire.ClientSSL) {
		return errors.New("the server has no TLS")
	}
	if err := p.Wire.Send(greeting); err != nil {
		return err
	}
	conn := tls.Client(p.Net, c.TLS)
	p.Net = conn
	return p.Wire.SetTransport(conn)
}

// authenticate follows the server until the login is done.
func (c Client) authenticate(p *Peer, challenge []byte) error {
	for {
		if err := p.Read(); err != nil {
			return fmt.Errorf("waiting for the end of the login: %w", err)
		}
		switch kind, data := wire.ClassifyAuth(p.Last); kind {
		case wire.AuthOK:
			return nil
		case wire.AuthErr:
			return serverError(p.Last)
		case wire.AuthRetry:
			var err error
			if challenge, err = c.retry(p); err != nil {
				return err
			}
		case wire.AuthMore:
			if err := c.more(p, data, challenge); err != nil {
				return err
			}
		default:
			return fmt.Errorf("a login packet that is not scripted: %#x", p.Last[:1])
		}
	}
}

// retry answers a request to log in with another plugin.
func (c Client) retry(p *Peer) (challenge []byte, err error) {
	m, err := wire.DecodeAuthSwitch(append([]byte(nil), p.Last...))
	if err != nil {
		return nil, err
	}
	answer, err := prove(string(m.Plugin), c.Password, m.Challenge)
	if err != nil {
		return nil, err
	}
	return m.Challenge, p.Wire.Send(wire.Bytes(answer))
}

// more goes on with caching_sha2_password after the server's signal.
func (c Client) more(p *Peer, data, challenge []byte) error {
	switch {
	case len(data) == 1 && data[0] == sha2Fast:
		return nil
	case len(data) == 1 && data[0] == sha2Full && p.private():
		return p.Wire.Send(wire.Bytes(c.Password + "\x00"))
	case len(data) == 1 && data[0] == sha2Full:
		return p.Wire.Send(wire.Bytes{sha2RequestKey})
	}
	sealed, err := sealPassword(c.Password, challenge, data)
	if err != nil {
		return err
	}
	return p.Wire.Send(wire.Bytes(sealed))
}

// private reports whether nobody can listen on the connection.
func (p *Peer) private() bool {
	_, encrypted := p.Net.(*tls.Conn)
	return encrypted || p.Net.RemoteAddr().Network() == "unix"
}
