package admission

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/backend"
	"tunic/internal/config"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// noTLS stands for a certificate that nobody asks for.
func noTLS() *tls.Config { return nil }

// comer is the socket of a client that has sent something and then no more.
type comer struct {
	net.Conn
	at       *net.TCPAddr
	sent     io.Reader
	deadline time.Time
}

func (c *comer) LocalAddr() net.Addr              { return c.at }
func (c *comer) RemoteAddr() net.Addr             { return c.at }
func (c *comer) Read(p []byte) (int, error)       { return c.sent.Read(p) }
func (c *comer) SetDeadline(at time.Time) error   { c.deadline = at; return nil }
func (c *comer) SetReadDeadline(time.Time) error  { return nil }
func (c *comer) SetWriteDeadline(time.Time) error { return nil }

// entered is the entry of a client, with what it is told and what of it is logged.
type entered struct {
	*Entry
	told   []sqlerr.Code
	log    strings.Builder
	ending parting.Ending
	socket *comer
	door   Door
}

// enter is a client that has sent something.
func enter(t *testing.T, rules *Rules, sent string, change func(*Door)) *entered {
	t.Helper()
	target, err := backend.NewTarget(config.Backend{Address: "127.0.0.1:1", TLS: config.TLSDisabled, ConnectTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	x := &entered{socket: &comer{at: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 4000}, sent: strings.NewReader(sent)}}
	log := slog.New(slog.NewTextHandler(&x.log, nil))
	x.door = Door{Target: target, Metrics: metrics.New(metrics.Options{}), Log: log, Refusals: log, LoginKey: new(login.Key)}
	if change != nil {
		change(&x.door)
	}
	x.ending.Of(x.socket, new(atomic.Int64))
	x.Entry = New(&x.door, rules, x.socket, Host{
		Ending: &x.ending, Owned: new(atomic.Pointer[backend.Conn]),
		Fail: func(e *sqlerr.Error) error { x.told = append(x.told, e.Code); return nil },
	})
	return x
}

// only wants the client to have been told one error.
func (x *entered) only(t *testing.T, want *sqlerr.Error) {
	t.Helper()
	if len(x.told) != 1 || x.told[0] != want.Code {
		t.Errorf("the client was told %v, want %v", x.told, want.Code)
	}
}

// TestJudge: what an account may do is by its name and where it is, and changes with the rules; one that may do
// less by them than before is out.
func TestJudge(t *testing.T) {
	listed := []config.ClientAccount{{User: "clinic*", Host: "192.0.2.*"}}
	plain := config.Clients{Accounts: listed, Others: config.OthersPlain}
	for name, c := range map[string]struct {
		rules   Rules
		user    string
		want    Account
		refused bool
	}{
		"nobody is listed":        {Rules{}, "x", Account{User: "x", Annotates: true}, false},
		"listed":                  {Rules{Clients: config.Clients{Accounts: listed}}, "clinic1", Account{User: "clinic1", Annotates: true}, false},
		"not listed":              {Rules{Clients: config.Clients{Accounts: listed}}, "x", Account{User: "x", Outsider: true, Annotates: true}, true},
		"not listed, plain only":  {Rules{Clients: plain}, "x", Account{User: "x", Outsider: true, Annotates: true}, false},
		"annotators are others":   {Rules{Annotators: listed}, "x", Account{User: "x"}, false},
		"is among the annotators": {Rules{Annotators: listed}, "clinic2", Account{User: "clinic2", Annotates: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, refusal := enter(t, &c.rules, "", nil).Judge(c.user)
			if got != c.want || (refusal != nil) != c.refused {
				t.Errorf("%+v, %v; want %+v, refused %v", got, refusal, c.want, c.refused)
			}
		})
	}
	x := enter(t, &Rules{}, "", nil)
	x.Account, _ = x.Judge("x")
	x.GoBy(&Rules{Clients: plain, Annotators: listed})
	if changed := x.Rejudge(); changed == nil || changed.Code != sqlerr.AccountChanged().Code || x.Outsider || !x.Annotates {
		t.Errorf("an account that may do less: %v, %+v", changed, x.Account)
	}
	x.GoBy(&Rules{Annotators: listed})
	if changed := x.Rejudge(); changed != nil || x.Annotates {
		t.Errorf("an account that may not annotate any more: %v, %+v", changed, x.Account)
	}
	if said := x.log.String(); strings.Contains(said, "clinic") || !strings.Contains(said, "192.0.2.7") {
		t.Errorf("the log names an account, or not where the client is: %s", said)
	}
}

// TestOffer: a client is offered what the server can and tunic relays, and what tunic does itself.
func TestOffer(t *testing.T) {
	const server = wire.ClientProtocol41 | wire.ClientSSL | wire.ClientCompress | wire.MariaDBBulkOperations | wire.ClientMultiStatements
	const always = wire.ClientProtocol41 | wire.ClientMultiStatements | wire.ClientDeprecateEOF
	for name, c := range map[string]struct {
		change           func(*Door)
		protects, secure bool
		want             wire.Capability
	}{
		"relays alone":       {nil, false, false, always | wire.MariaDBBulkOperations},
		"protects":           {nil, true, false, always},
		"has TLS":            {func(d *Door) { d.TLS = noTLS }, true, false, always | wire.ClientSSL},
		"is secured already": {func(d *Door) { d.TLS = noTLS }, true, true, always},
		"compresses":         {func(d *Door) { d.Compression = true }, true, false, always | compressions},
	} {
		t.Run(name, func(t *testing.T) {
			x := enter(t, &Rules{}, "", c.change)
			x.Server = &backend.Conn{}
			x.Server.Handshake.Capabilities = server
			x.host.Protects, x.secure = c.protects, c.secure
			if got := x.offer(); got != c.want {
				t.Errorf("offers %v, want %v", got, c.want)
			}
		})
	}
}

// TestArrive: a connection of a balancer begins with a header that says where the client is, and what comes behind
// that is the client's. Others begin with nothing of that kind.
func TestArrive(t *testing.T) {
	proxied := func(d *Door) { d.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} }
	rules := &Rules{Limits: config.Default().Limits}
	x := enter(t, rules, "PROXY TCP4 198.51.100.1 192.0.2.1 5000 3306\r\n\x01\x00\x00\x00\x0e", proxied)
	if !x.Arrive() || x.Peer.String() != "198.51.100.1:5000" || !x.socket.deadline.IsZero() {
		t.Errorf("the client is at %v", x.Peer)
	}
	if packet, err := x.Client.ReadPacket(); err != nil || len(packet) != 1 || packet[0] != byte(wire.ComPing) {
		t.Errorf("behind the header: %q, %v", packet, err)
	}
	x.Log.Info("said")
	if said := x.log.String(); !strings.Contains(said, "client=198.51.100.1:5000") || !strings.Contains(said, "by=192.0.2.7:4000") {
		t.Errorf("the log has %s", said)
	}
	x = enter(t, rules, "SSH-2.0-Client and more, but no header\r\n", proxied)
	if x.Arrive() {
		t.Error("came in without a header")
	}
	x.only(t, sqlerr.NoProxyHeader())
	if n := x.door.Metrics.Connections.Refused(metrics.RefusedProxy).Value(); n != 1 {
		t.Errorf("%d are counted", n)
	}
	x = enter(t, rules, "", nil)
	if !x.Arrive() || x.Peer.String() != "192.0.2.7:4000" || len(x.told) > 0 {
		t.Errorf("a client without a balancer is at %v, and was told %v", x.Peer, x.told)
	}
}

// TestClientFails: what a client is told with which the login does not come about, and as what it is counted.
func TestClientFails(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		cut  bool
		told *sqlerr.Error // nil if it has gone
		as   metrics.ConnectionRefusal
	}{
		"left":           {io.EOF, false, nil, metrics.RefusedHandshake},
		"silent":         {os.ErrDeadlineExceeded, false, sqlerr.HandshakeTimeout(time.Second), metrics.RefusedHandshakeTimeout},
		"no sense":       {fmt.Errorf("read: %w", wire.ErrMalformed), false, sqlerr.Malformed(""), metrics.RefusedHandshake},
		"tunic shuts":    {io.EOF, true, sqlerr.ShuttingDown(), metrics.RefusedDrain},
		"refused before": {&login.RefusedError{Why: sqlerr.TLSRequired()}, false, sqlerr.TLSRequired(), 0},
	} {
		t.Run(name, func(t *testing.T) {
			x := enter(t, &Rules{}, "", nil)
			if c.cut {
				x.ending.CutOff()
			}
			x.loginFailed(c.err)
			if c.told != nil {
				x.only(t, c.told)
			} else if len(x.told) > 0 {
				t.Errorf("a client that has gone was told %v", x.told)
			}
			if _, refused := errors.AsType[*login.RefusedError](c.err); refused {
				if n := x.door.Metrics.Login(metrics.LoginRefused).Value(); n != 1 {
					t.Errorf("%d logins are counted as refused", n)
				}
				return
			}
			if n := x.door.Metrics.Connections.Refused(c.as).Value(); n != 1 {
				t.Errorf("%d are counted", n)
			}
		})
	}
}

// TestServerFails: what a client is told of a server that tunic does not get through to, and as what it is counted.
func TestServerFails(t *testing.T) {
	for _, c := range []struct {
		err  error
		told *sqlerr.Error
		as   metrics.BackendError
	}{
		{io.EOF, sqlerr.ServerUnreachable("tcp"), metrics.BackendDial},
		{context.DeadlineExceeded, sqlerr.ServerUnreachable("tcp"), metrics.BackendTimeout},
		{fmt.Errorf("dial: %w", backend.ErrNoTLS), sqlerr.ServerTLS(), metrics.BackendTLS},
		{backend.ErrGreeting, sqlerr.ServerMalformed("greeting"), metrics.BackendGreeting},
	} {
		x := enter(t, &Rules{}, "", nil)
		x.serverFailed(c.err)
		x.only(t, c.told)
		if n := x.door.Metrics.Backend.Error(c.as).Value(); n != 1 {
			t.Errorf("%v: %d are counted", c.err, n)
		}
	}
}

// TestServerBreaks: of a server that goes while a client changes its account, the client is told as in any other
// command; one that comes in is told that it cannot.
func TestServerBreaks(t *testing.T) {
	x := enter(t, &Rules{}, "", nil)
	if ends := x.loginBroke(sqlerr.ServerLost()); ends != Broken {
		t.Errorf("ends as %v", ends)
	}
	x.only(t, sqlerr.ServerLost())
	x = enter(t, &Rules{}, "", nil)
	x.anew = true
	if ends := x.loginBroke(sqlerr.ServerLost()); ends != Left || len(x.told) > 0 {
		t.Errorf("ends as %v, and the client was told %v", ends, x.told)
	}
	if ends := x.loginBroke(sqlerr.ServerMalformed("answer")); ends != Broken {
		t.Errorf("ends as %v", ends)
	}
	x.only(t, sqlerr.ServerMalformed("answer"))
}
