package login

import (
	"bytes"
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"net/netip"
	"testing"

	"tunic/internal/config"
)

// TestAmong: an account is one of a list by its name, by where its client is and by its certificate.
func TestAmong(t *testing.T) {
	list := []config.ClientAccount{{User: "app_*", Host: "10.0.*"}, {User: "root", Host: "localhost"}, {User: "ops", Host: "*", Certificate: "ops.example"}}
	at := func(s string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s)) }
	ops := &x509.Certificate{Subject: pkix.Name{CommonName: "ops.example"}}
	for _, c := range []struct {
		user        string
		peer        net.Addr
		certificate *x509.Certificate
		want        bool
	}{
		{"app_1", at("10.0.3.4:5"), nil, true},
		{"app_1", at("[::ffff:10.0.3.4]:5"), nil, true},
		{"app_1", at("10.1.3.4:5"), nil, false},
		{"app", at("10.0.3.4:5"), nil, false},
		{"root", &net.UnixAddr{Net: "unix"}, nil, true},
		{"root", at("127.0.0.1:5"), nil, false},
		{"ops", at("10.1.3.4:5"), ops, true},
		{"ops", at("10.1.3.4:5"), &x509.Certificate{DNSNames: []string{"ops.example"}}, true},
		{"ops", at("10.1.3.4:5"), &x509.Certificate{DNSNames: []string{"other.example"}}, false},
		{"ops", at("10.1.3.4:5"), nil, false},
	} {
		if got := Among(list, c.user, c.peer, c.certificate); got != c.want {
			t.Errorf("%s at %s: %t", c.user, c.peer, got)
		}
		if !Among(nil, c.user, c.peer, c.certificate) {
			t.Errorf("%s at %s is not let in where there is no list", c.user, c.peer)
		}
	}
}

// TestReadHeader: a header says where the client is, and what is behind it is the client's.
func TestReadHeader(t *testing.T) {
	for _, c := range []struct{ sent, client, begun string }{
		{"PROXY TCP4 192.0.2.7 192.0.2.1 4711 3306\r\nabc", "192.0.2.7:4711", "abc"},
		{"PROXY TCP4 192.0.2.7 192.0.2.1 4711 3306\r\n", "192.0.2.7:4711", ""},
		{"PROXY UNKNOWN\r\n", "", ""},
		{"\r\n\r\n\x00\r\nQUIT\n\x20\x00\x00\x00", "", ""},
		{"\x0a\x00\x00\x01", "error", ""},
		{"\r\n\r\n\x00\r\nQUIT\n\x21\x12\x00\x0c\xc0\x00\x02\x07\xc0\x00\x02\x01\x12\x67\x0c\xea", "error", ""}, // of datagrams
	} {
		balancer, tunic := net.Pipe()
		go func() { _, _ = balancer.Write([]byte(c.sent)); _ = balancer.Close() }()
		client, begun, err := ReadHeader(tunic)
		switch {
		case err != nil:
			if c.client != "error" {
				t.Errorf("%q: %v", c.sent, err)
			}
		case client == nil && c.client != "", client != nil && client.String() != c.client, !bytes.Equal(begun, []byte(c.begun)):
			t.Errorf("%q: %v, %q", c.sent, client, begun)
		}
		_ = tunic.Close()
	}
	if !InNetworks([]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.7:5"))) || InNetworks(nil, &net.UnixAddr{}) {
		t.Error("an address is not in its network, or in none")
	}
}

// FuzzReadHeader: whatever comes in the place of a header, nothing of what is behind it is lost or made up.
func FuzzReadHeader(f *testing.F) {
	f.Add([]byte("PROXY TCP4 192.0.2.7 192.0.2.1 4711 3306\r\nabc"))
	f.Add([]byte("\r\n\r\n\x00\r\nQUIT\n\x20\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		balancer, tunic := net.Pipe()
		defer tunic.Close()
		go func() { _, _ = balancer.Write(sent); _ = balancer.Close() }()
		if _, begun, err := ReadHeader(tunic); err == nil && !bytes.HasSuffix(sent, begun) && !bytes.Contains(sent, begun) {
			t.Errorf("%q is not what was sent behind it", begun)
		}
	})
}
