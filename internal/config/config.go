package config

import (
	"net"
	"net/netip"
	"strings"
	"time"
)

// Config is everything an operator may decide, checked and complete: a zero
// field means zero, never "use the default".
type Config struct {
	// Listen is where clients connect: HOST:PORT or unix:PATH (see [Network]).
	Listen string
	// ProxyProtocol are the networks whose connections begin with a header of the PROXY
	// protocol, which says where the client is; none if there are no such.
	ProxyProtocol []netip.Prefix
	// TakeoverSocket is the path at which the next process asks for the listening sockets,
	// "" when there is none.
	TakeoverSocket string

	Backend   Backend
	Service   Service
	Key       Key
	Project   Project
	Policy    Policy
	Clients   Clients
	Admin     Admin
	TLS       ClientTLS
	Limits    Limits
	Local     Local
	PlanCache PlanCache
	RowCache  RowCache
	Log       Log
	// Compression offers zlib and zstd to clients that ask for them.
	Compression bool
}

// Backend is the database server tunic stands before.
type Backend struct {
	// Address is HOST:PORT or unix:PATH (see [Network]).
	Address string
	TLS     TLSMode
	// CA is a PEM file of the authorities that may sign the server's
	// certificate, "" for those of the system.
	CA string
	// ConnectTimeout bounds dialling and the server's greeting.
	ConnectTimeout time.Duration
}

// Service is the one server account that tunic itself logs in with. Clients
// use their own.
type Service struct {
	User string
	// UserFrom and PasswordFrom are where the two were written, for errors: a
	// flag, a variable, or a key and the file.
	UserFrom, PasswordFrom string
	// PasswordFile is where Password was read from, "" when it came from the
	// environment.
	PasswordFile string
	Password     Secret
}

// Key is the key file and what opens it. Load reads neither: the room keys does,
// and knows what they should hold.
type Key struct {
	// File is the key file, "" when there is none.
	File string
	// From and PassphraseFrom are where the names of the files were written, for errors.
	From, PassphraseFrom string
	// PassphraseFile holds the passphrase of File, "" when Passphrase does or
	// there is none.
	PassphraseFile string
	// Passphrase came from the environment.
	Passphrase Secret
}

// Project says which ledger the database has to have.
type Project struct {
	// ID is what tunic init has printed; zero if any ledger will do.
	ID [16]byte
	// StateFile keeps the newest version of the ledger that was seen, "" if nothing does.
	StateFile string
}

// Policy says which columns are protected and when they get layers.
type Policy struct {
	Default PolicyDefault
	Layers  PolicyLayers
	// LayersAfter is how much time a layer must have cost by not being there before it is
	// advised or added.
	LayersAfter time.Duration
	// Ceiling is what a protected column may have for layers if nobody says more of
	// it.
	Ceiling PolicyCeiling
	// Keys is what is done about layers that keys and annotations of clients bring.
	Keys PolicyKeys
	// Families is how columns of a new table are sealed that nobody speaks of.
	Families PolicyFamilies
	// Rules are asked in their order.
	Rules []Rule
	// Annotators are the accounts that may say in a COMMENT what a column is to be; all may
	// if there is none.
	Annotators []ClientAccount
}

// Rule is a rule of the policy as the file has it: the room policy knows what it
// means.
type Rule struct {
	Columns, Protection string
	// Waits says that tables with such columns may be used while they are plain.
	Waits bool
	From  string // where it was written, for errors
}

// Clients says which accounts may reach protected tables.
type Clients struct {
	// Accounts are those; all may if there is none.
	Accounts []ClientAccount
	// Others is what the others may do.
	Others ClientOthers
}

// ClientAccount are accounts by what tunic sees of them. In each pattern * stands for any
// characters and ? for one.
type ClientAccount struct {
	// User is the name that the client logs in with, Host its address; localhost over a
	// Unix socket.
	User, Host string
	// Certificate is the common name of the client's certificate or one of its alternative
	// names; "" if it needs none.
	Certificate string
}

// ClientOthers is what accounts may do that are not listed.
type ClientOthers string

// The values of ClientOthers.
const (
	OthersRefuse ClientOthers = "refuse"
	OthersPlain  ClientOthers = "plain"
)

// Admin is the HTTP side door for metrics and health.
type Admin struct {
	// Address is HOST:PORT, "" when there is no side door.
	Address string
	// TokenFile holds what it takes to see the status, "" if nothing does; Token is what was
	// read from it.
	TokenFile string
	Token     Secret
	// Pprof also serves /debug/pprof there.
	Pprof bool
}

// ClientTLS is how clients' connections are encrypted.
type ClientTLS struct {
	// Cert and Key are PEM files, both set or both "". When both are "" a
	// self-signed pair is made on first start and kept in Dir.
	Cert string
	Key  string
	// ClientCA is a PEM file of the authorities that may sign clients'
	// certificates; "" asks clients for none.
	ClientCA string
	Dir      string
	Mode     ClientTLSMode
}

// Limits bounds what clients can make tunic hold.
type Limits struct {
	// Connections is how many clients may be connected at once.
	Connections int
	// Logins is how many clients may log in at once, LoginsByAddress how many of one
	// address.
	Logins, LoginsByAddress int
	// PacketBytes is the longest message, after joining packets of 16 MiB; at
	// most 1 GiB, as the protocol manual sets for max_allowed_packet.
	PacketBytes int64
	// Memory is what the process is to stay below, in bytes; 0 is half of the machine's.
	Memory int64
	// HandshakeTimeout bounds the time to being logged in, from when a login has its turn.
	HandshakeTimeout time.Duration
	// IdleTimeout ends a session that sends nothing for so long; 0 is never.
	IdleTimeout time.Duration
	// WriteTimeout bounds one write to a client that does not read.
	WriteTimeout time.Duration
	// DrainDelay is how long all goes on after SIGTERM while /readyz says otherwise.
	DrainDelay time.Duration
	// Drain is how long sessions may go on after that; 0 ends them at once.
	Drain time.Duration
	// PreparedStatements is how many a session may hold open at once.
	PreparedStatements int
}

// Local bounds the work that tunic does itself on rows that it has opened.
type Local struct {
	// Rows is how many rows a statement may read to finish them.
	Rows int
	// Bytes is how much memory it may keep of them, TotalBytes the same of all
	// statements together.
	Bytes, TotalBytes int64
}

// RowCache bounds the cache of stored rows that were written lately, or read to be written.
type RowCache struct {
	// Bytes is the memory that it may take; 0 turns it off.
	Bytes int64
}

// PlanCache bounds the cache of plans; the first bound reached evicts.
type PlanCache struct {
	Entries int
	Bytes   int64
}

// Log is what is written to standard error, and how.
type Log struct {
	Format LogFormat
	Level  LogLevel
}

// TLSMode is how far the connection to the server is to be trusted; the words
// are those of the MySQL client's --ssl-mode.
type TLSMode string

// The modes of TLSMode.
const (
	TLSDisabled   TLSMode = "disabled"
	TLSPreferred  TLSMode = "preferred"
	TLSRequired   TLSMode = "required"
	TLSVerifyCA   TLSMode = "verify-ca"
	TLSVerifyFull TLSMode = "verify-full"
)

// ClientTLSMode is whether clients may or must use TLS.
type ClientTLSMode string

// The modes of ClientTLSMode.
const (
	ClientTLSDisabled ClientTLSMode = "disabled"
	ClientTLSEnabled  ClientTLSMode = "enabled"
	ClientTLSRequired ClientTLSMode = "required"
)

// PolicyDefault is what a column is when no rule names it.
type PolicyDefault string

// The values of PolicyDefault.
const (
	PolicyProtect PolicyDefault = "protect"
	PolicyPlain   PolicyDefault = "plain"
)

// PolicyCeiling is the most that a layer may do.
type PolicyCeiling string

// The values of PolicyCeiling.
const (
	CeilingSealed   PolicyCeiling = "sealed"
	CeilingEquality PolicyCeiling = "equality"
	CeilingOrder    PolicyCeiling = "order"
)

// PolicyKeys is what is done about layers that keys and annotations of clients bring.
type PolicyKeys string

// The values of PolicyKeys.
const (
	KeysAllow  PolicyKeys = "allow"
	KeysWarn   PolicyKeys = "warn"
	KeysRefuse PolicyKeys = "refuse"
)

// PolicyFamilies is how the protected columns of a new table are sealed.
type PolicyFamilies string

// The values of PolicyFamilies.
const (
	FamiliesApart    PolicyFamilies = "apart"
	FamiliesTogether PolicyFamilies = "together"
)

// PolicyLayers is what is done about layers that use shows to pay.
type PolicyLayers string

// The values of PolicyLayers.
const (
	LayersOff    PolicyLayers = "off"
	LayersAdvise PolicyLayers = "advise"
	LayersAuto   PolicyLayers = "auto"
)

// LogFormat is how a log line is written.
type LogFormat string

// The formats of LogFormat.
const (
	LogText LogFormat = "text"
	LogJSON LogFormat = "json"
)

// LogLevel is the least important line that is still written.
type LogLevel string

// The levels of LogLevel.
const (
	LogDebug LogLevel = "debug"
	LogInfo  LogLevel = "info"
	LogWarn  LogLevel = "warn"
	LogError LogLevel = "error"
)

// unixPrefix marks the address of a Unix socket.
const unixPrefix = "unix:"

// Network splits an address of the configuration into what net.Dial and
// net.Listen take: "unix" and a path for unix:PATH, "tcp" and HOST:PORT
// otherwise.
func Network(address string) (network, addr string) {
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		return "unix", path
	}
	return "tcp", address
}

// Listening is Network for an address to listen at: one of IPv4 is not listened at by IPv6, too, as
// net.Listen has it of 0.0.0.0.
func Listening(address string) (network, addr string) {
	network, addr = Network(address)
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); network == "tcp" && err == nil && ip != nil && ip.To4() != nil {
		network = "tcp4"
	}
	return network, addr
}
