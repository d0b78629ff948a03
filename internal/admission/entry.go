package admission

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"

	"tunic/internal/backend"
	"tunic/internal/config"
	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// loginBytesMax limits packets before the client is let in. Connection
// attributes may take 64 KiB, the rest is short.
const loginBytesMax = 128 << 10

// Door is what all clients of a process come in by. It does not change while sessions run.
type Door struct {
	Target   *backend.Target
	Service  *backend.Service // nil without a service account
	Metrics  *metrics.Metrics
	Log      *slog.Logger
	Refusals *slog.Logger // for lines that anybody who connects can cause; it is to leave out most of a flood
	// Proxies are the networks whose connections begin with a header of the PROXY protocol.
	Proxies     []netip.Prefix
	Compression bool
	// TLS gives the current certificate; nil if clients get no TLS.
	TLS func() *tls.Config
	// LoginKey opens passwords that clients without TLS encrypt for tunic.
	LoginKey *login.Key
}

// Rules say who is let in, and may change while sessions run.
type Rules struct {
	Limits config.Limits
	// Clients says which accounts reach protected tables.
	Clients config.Clients
	// Annotators are the accounts that may annotate columns; all may if there is none.
	Annotators []config.ClientAccount
	RequireTLS bool
	// Logins bounds logins under way; nil does not.
	Logins *login.Logins
}

// Account is who a client is, and what it may do as that.
type Account struct {
	User      string // that it has logged in as
	Outsider  bool   // it reaches plain tables only
	Annotates bool   // it may say in a COMMENT what a column is to be
}

// Entry is how one client comes in, and who it is from then on.
type Entry struct {
	Account
	Peer   net.Addr // where the client is
	Client *wire.Conn
	Caps   wire.Capability // agreed on with the client
	Server *backend.Conn
	Status wire.Status // that the server has let the client in with
	Log    *slog.Logger

	door        *Door
	rules       *Rules
	host        Host
	socket      net.Conn          // the client's, before TLS
	secure      bool              // nobody between the client and tunic can read along
	certificate *x509.Certificate // the client's, verified; nil if it has shown none
	place       *login.Place      // of a login under way
	anew        bool              // the client is in a session, and changes its account
}

// Host is what an Entry has of the session that the client is to get.
type Host struct {
	Ending *parting.Ending
	// Owned gets the connection to the server as soon as there is one, for who closes the session meanwhile.
	Owned *atomic.Pointer[backend.Conn]
	// Fail tells the client of an error, as the next packet.
	Fail func(*sqlerr.Error) error
	// Protects says that something may be protected.
	Protects bool
}

// New is the entry of a client whose connection was accepted.
func New(door *Door, rules *Rules, socket net.Conn, host Host) *Entry {
	return &Entry{
		Peer:   socket.RemoteAddr(),
		Client: wire.NewConn(socket, loginBytesMax),
		Log:    door.Log.With(failure.Client, socket.RemoteAddr().String()),
		door:   door, rules: rules, host: host, socket: socket,
		secure: socket.LocalAddr().Network() == "unix",
	}
}

// GoBy has the entry go by other rules.
func (e *Entry) GoBy(rules *Rules) { e.rules = rules }
