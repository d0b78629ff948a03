package login

import (
	"crypto/tls"
	"errors"
	"net"
	"testing"
)

// TestTLSReason: what the log says of TLS that did not come about.
func TestTLSReason(t *testing.T) {
	remote := func(text string) error { return &net.OpError{Op: "remote error", Err: errors.New(text)} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{
			remote("tls: unknown certificate authority"),
			"the client does not accept the certificate (remote error: tls: unknown certificate authority)",
		},
		{
			&net.OpError{Op: "local error", Err: errors.New("tls: bad record MAC")},
			"the client broke off, most likely because it does not accept the certificate (local error: tls: bad record MAC)",
		},
		{remote("tls: handshake failure"), "remote error: tls: handshake failure"},
		{
			tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"},
			"tls: first record does not look like a TLS handshake",
		},
	} {
		if got := TLSReason(c.err, c.err.Error()); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
