package server

import (
	"crypto/tls"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pires/go-proxyproto"

	"tunic/internal/config"
	"tunic/internal/metrics"
	"tunic/internal/sandbox"
	"tunic/internal/session"
	"tunic/internal/waittest"
	"tunic/internal/wire/wiretest"
)

// header is one of the PROXY protocol, from a client to here.
func header(t *testing.T, version byte, client string) []byte {
	t.Helper()
	h := proxyproto.HeaderProxyFromAddrs(version, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(client)), &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 3307})
	if addr := netip.MustParseAddrPort(client).Addr(); addr.Is6() {
		h = proxyproto.HeaderProxyFromAddrs(version, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(client)), &net.TCPAddr{IP: net.ParseIP("2001:db8::1"), Port: 3307})
	}
	text, err := h.Format()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// proxied is a tunic that takes headers from the loopback address, and lets accounts in by where
// the client is.
func proxied(t *testing.T, change func(*config.Config)) (proxy *Server, addr string, lines *logged) {
	t.Helper()
	cfg := proxySettings(t, mariaDB(t).Addr)
	cfg.ProxyProtocol = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	change(cfg)
	return startLoggedProxy(t, cfg)
}

// behind connects with a header before the login.
func behind(t *testing.T, addr string, header []byte, c wiretest.Client) (*wiretest.Peer, error) {
	t.Helper()
	p, err := wiretest.Connect(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	_ = p.Net.SetDeadline(time.Now().Add(patience))
	if _, err := p.Net.Write(header); err != nil {
		t.Fatal(err)
	}
	return p, c.Login(p)
}

// TestProxyProtocol: the client is where the header says it is: in the log, and for the rules of
// accounts. A connection of the balancer's own is the balancer's.
func TestProxyProtocol(t *testing.T) {
	_, addr, lines := proxied(t, func(c *config.Config) {
		c.Clients.Accounts = []config.ClientAccount{{User: "app", Host: "203.0.113.*"}, {User: "app", Host: "2001:db8::5"}}
	})
	login := wiretest.Client{User: "app", Password: "app", Database: "test"}
	secured := login
	secured.TLS = &tls.Config{InsecureSkipVerify: true}
	local, err := (&proxyproto.Header{Version: 2, Command: proxyproto.LOCAL, TransportProtocol: proxyproto.UNSPEC}).Format()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		header  []byte
		client  wiretest.Client
		refused string // the address in the log; "" if it is let in
	}{
		{"version 1", header(t, 1, "203.0.113.7:1234"), login, ""},
		{"version 2", header(t, 2, "203.0.113.7:1234"), login, ""},
		{"version 1, IPv6", header(t, 1, "[2001:db8::5]:1234"), login, ""},
		{"version 2, IPv6", header(t, 2, "[2001:db8::5]:1234"), login, ""},
		{"version 2, then TLS", header(t, 2, "203.0.113.7:1234"), secured, ""},
		{"version 1, not listed", header(t, 1, "203.0.114.7:1235"), login, "203.0.114.7:1235"},
		{"version 2, not listed", header(t, 2, "[2001:db8::6]:1236"), login, "[2001:db8::6]:1236"},
		{"unknown", []byte("PROXY UNKNOWN\r\n"), login, "127.0.0.1:"},
		{"unknown, with addresses", []byte("PROXY UNKNOWN 203.0.113.7 192.0.2.1 1 2\r\n"), login, "127.0.0.1:"},
		{"of the balancer", local, login, "127.0.0.1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := strings.Count(lines.String(), "client="+c.refused)
			p, err := behind(t, addr, c.header, c.client)
			if c.refused == "" {
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(single(t, p, "SELECT USER()"), "app@") {
					t.Error("another user")
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), "TUNIC-6005") {
				t.Errorf("%v, want TUNIC-6005", err)
			}
			waittest.Until(t, "the log has the client", func() bool {
				quoted := strings.ReplaceAll(lines.String(), `"`, "")
				return strings.Count(quoted, "client="+c.refused) > before
			})
		})
	}
}

// TestNoProxyHeader: a connection of a named network that does not send a header that can be read is
// refused, and so is a header from any other.
func TestNoProxyHeader(t *testing.T) {
	proxy, addr, lines := proxied(t, func(c *config.Config) { c.Limits.HandshakeTimeout = 300 * time.Millisecond })
	udp, err := (&proxyproto.Header{
		Version: 2, Command: proxyproto.PROXY, TransportProtocol: proxyproto.UDPv4,
		SourceAddr: &net.UDPAddr{IP: net.IPv4(1, 2, 3, 4), Port: 5}, DestinationAddr: &net.UDPAddr{IP: net.IPv4(1, 2, 3, 4), Port: 5},
	}).Format()
	if err != nil {
		t.Fatal(err)
	}
	cut := header(t, 2, "203.0.113.7:1234")
	all := map[string]string{
		"nothing": "", "not a header": "GET / HTTP/1.1\r\n\r\n", "a login": "\x01\x00\x00\x01\x00", "version 1, no addresses": "PROXY TCP4\r\n",
		"version 1, no address": "PROXY TCP4 one two 3 4\r\n", "version 1, without an end": "PROXY TCP4 " + strings.Repeat("1", 200),
		"version 1, in a part": "PROXY TCP4 1.2.3.4 1.2", "version 2, cut short": string(cut[:20]), "version 2 of a datagram": string(udp),
	}
	for name, sent := range all {
		t.Run(name, func(t *testing.T) {
			p, err := wiretest.Connect(t.Context(), addr)
			if err != nil {
				t.Fatal(err)
			}
			_ = p.Net.SetDeadline(time.Now().Add(patience))
			_, _ = p.Net.Write([]byte(sent))
			if err := p.Play(wiretest.ExpectErr(1043), wiretest.ExpectGone); err != nil {
				t.Error(err)
			}
		})
	}
	if n := proxy.metrics.Connections.Refused(metrics.RefusedProxy).Value(); n != uint64(len(all)) {
		t.Errorf("%d are counted, want %d", n, len(all))
	}
	if !strings.Contains(lines.String(), "code=TUNIC-3008") {
		t.Errorf("the log says\n%s", lines)
	}

	cfg := proxySettings(t, mariaDB(t).Addr)
	cfg.ProxyProtocol = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	_, addr = startProxy(t, cfg)
	p, err := wiretest.Connect(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Net.SetDeadline(time.Now().Add(patience))
	if _, err := p.Net.Write(header(t, 1, "203.0.113.7:1234")); err != nil {
		t.Fatal(err)
	}
	if err := wiretest.ReadGreeting(p); err != nil {
		t.Fatal(err)
	}
	if number, _ := lastWord(t, p); number != 1156 {
		t.Errorf("a header of a network that is not named: error %d, want 1156", number)
	}
	run(t, app(t, addr), "SELECT 1")
}

// TestProxiedLogins: denied logins are slowed by where the client is, and not by the balancer.
func TestProxiedLogins(t *testing.T) {
	proxy, addr, _ := proxied(t, func(*config.Config) {})
	wrong := wiretest.Client{User: "app", Password: "wrong"}
	for range 12 {
		if _, err := behind(t, addr, header(t, 2, "203.0.113.7:1234"), wrong); err == nil {
			t.Fatal("let in")
		}
	}
	slowed := proxy.metrics.LoginsSlowed.Value()
	if slowed == 0 {
		t.Error("no denied login was slowed")
	}
	if _, err := behind(t, addr, header(t, 2, "203.0.113.8:1234"), wrong); err == nil {
		t.Fatal("let in")
	}
	if n := proxy.metrics.LoginsSlowed.Value(); n != slowed {
		t.Error("one of another address was slowed")
	}
}

// TestProxiedDrain: a balancer that has connected and said nothing holds up no end.
func TestProxiedDrain(t *testing.T) {
	cfg := proxySettings(t, mariaDB(t).Addr)
	cfg.ProxyProtocol = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	cfg.Limits.Drain, cfg.Limits.HandshakeTimeout = 50*time.Millisecond, time.Hour
	s := serveConfigured(t, cfg)
	p, err := wiretest.Connect(t.Context(), s.addr)
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Net.SetDeadline(time.Now().Add(patience))
	waittest.Until(t, "it is there", func() bool { return phases(s.Server)[session.PhaseLogin] == 1 })
	s.stop()
	if err := p.Play(wiretest.ExpectErr(1053), wiretest.ExpectGone); err != nil {
		t.Error(err)
	}
	s.ended(t)
}

// TestProxiedByHAProxy: the header that HAProxy sends, and its health checks.
func TestProxiedByHAProxy(t *testing.T) {
	for _, sends := range []string{"send-proxy", "send-proxy-v2"} {
		t.Run(sends, func(t *testing.T) {
			_, addr, _ := proxied(t, func(c *config.Config) {
				c.Clients.Accounts = []config.ClientAccount{{User: "app", Host: "127.0.0.9"}}
			})
			balancer, err := sandbox.StartHAProxy(t.Context(), sandbox.HAProxyOptions{Backend: addr, Server: sends + " check inter 50ms"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = balancer.Stop() })
			from := func(ip string) error {
				dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
				conn, err := dialer.DialContext(t.Context(), "tcp", balancer.Addr)
				if err != nil {
					t.Fatal(err)
				}
				_ = conn.SetDeadline(time.Now().Add(patience))
				p := wiretest.NewPeer(conn)
				t.Cleanup(func() { _ = p.Close() })
				return wiretest.Client{User: "app", Password: "app"}.Login(p)
			}
			if err := from("127.0.0.9"); err != nil {
				t.Error(err)
			}
			if err := from("127.0.0.8"); err == nil || !strings.Contains(err.Error(), "TUNIC-6005") {
				t.Errorf("from another address: %v", err)
			}
		})
	}
}
