package backend

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"tunic/internal/config"
	"tunic/internal/socket"
)

// Target is the server that all sessions connect to. It is safe for use by many
// goroutines.
type Target struct {
	network, address string
	mode             config.TLSMode
	tls              *tls.Config // nil when TLS is disabled
	timeout          time.Duration
}

// NewTarget checks the settings and reads the CA file. It does not connect.
func NewTarget(c config.Backend) (*Target, error) {
	network, address := config.Network(c.Address)
	t := &Target{network: network, address: address, mode: c.TLS, timeout: c.ConnectTimeout}
	if t.mode == config.TLSDisabled {
		return t, nil
	}
	var err error
	t.tls, err = tlsConfig(c, t.serverName())
	return t, err
}

// Network is "tcp" or "unix".
func (t *Target) Network() string { return t.network }

// Address is HOST:PORT, or the path of a Unix socket.
func (t *Target) Address() string { return t.address }

// serverName is the name that verify-full checks.
func (t *Target) serverName() string {
	if t.network == "unix" {
		return "localhost"
	}
	host, _, err := net.SplitHostPort(t.address)
	if err != nil {
		return t.address
	}
	return host
}

// tlsConfig builds what the mode asks for. The modes are those of MySQL's
// --ssl-mode: preferred and required encrypt but trust any certificate.
func tlsConfig(c config.Backend, serverName string) (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: serverName}
	if c.CA != "" {
		pem, err := os.ReadFile(c.CA)
		if err != nil {
			return nil, err
		}
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New("no PEM certificate in the CA file")
		}
	}
	switch c.TLS {
	case config.TLSVerifyFull:
	case config.TLSVerifyCA:
		cfg.InsecureSkipVerify = true
		cfg.VerifyConnection = verifyChain(cfg.RootCAs)
	case config.TLSPreferred, config.TLSRequired, config.TLSDisabled:
		cfg.InsecureSkipVerify = true
	}
	return cfg, nil
}

// verifyChain checks the certificate against roots without looking at its name.
func verifyChain(roots *x509.CertPool) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		options := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool()}
		for _, cert := range state.PeerCertificates[1:] {
			options.Intermediates.AddCert(cert)
		}
		_, err := state.PeerCertificates[0].Verify(options)
		return err
	}
}

// wantsTLS decides for a server that offers TLS or does not.
func (t *Target) wantsTLS(offered bool) (bool, error) {
	switch {
	case t.mode == config.TLSDisabled:
		return false, nil
	case t.mode == config.TLSPreferred && (t.network == "unix" || !offered):
		return false, nil
	case !offered:
		return false, ErrNoTLS
	default:
		return true, nil
	}
}

// ErrNoTLS says that the mode demands TLS and the server does not offer it.
var ErrNoTLS = errors.New("the server offers no TLS")

// dial opens the socket.
func (t *Target) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: t.timeout, KeepAlive: 60 * time.Second}
	conn, err := dialer.DialContext(ctx, t.network, t.address)
	if err != nil {
		return nil, fmt.Errorf("dial the database server: %w", err)
	}
	return socket.New(conn), nil
}
