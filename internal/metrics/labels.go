package metrics

// ConnectionRefusal is why a connection was closed before its session began.
type ConnectionRefusal uint8

// The reasons of ConnectionRefusal.
const (
	RefusedLimit ConnectionRefusal = iota
	RefusedDrain
	RefusedHandshakeTimeout
	RefusedHandshake
	RefusedTLS
	RefusedBackend
	RefusedLogins
	RefusedAccount
	RefusedProxy
	connectionRefusals
)

var connectionRefusalNames = [connectionRefusals]string{
	RefusedLimit:            "limit",
	RefusedDrain:            "drain",
	RefusedHandshakeTimeout: "handshake_timeout",
	RefusedHandshake:        "handshake",
	RefusedTLS:              "tls",
	RefusedBackend:          "backend",
	RefusedLogins:           "logins",
	RefusedAccount:          "account",
	RefusedProxy:            "proxy_header",
}

// LoginResult is how a login ended.
type LoginResult uint8

// The results of LoginResult. Denied is the server's refusal, relayed; Refused
// is tunic's own.
const (
	LoginOK LoginResult = iota
	LoginDenied
	LoginRefused
	LoginAborted
	loginResults
)

var loginResultNames = [loginResults]string{
	LoginOK:      "ok",
	LoginDenied:  "denied",
	LoginRefused: "refused",
	LoginAborted: "aborted",
}

// BackendError is what went wrong with a connection to the server.
type BackendError uint8

// The reasons of BackendError.
const (
	BackendDial BackendError = iota
	BackendTimeout
	BackendTLS
	BackendGreeting
	BackendLost
	BackendMalformed
	backendErrors
)

var backendErrorNames = [backendErrors]string{
	BackendDial:      "dial",
	BackendTimeout:   "timeout",
	BackendTLS:       "tls",
	BackendGreeting:  "greeting",
	BackendLost:      "lost",
	BackendMalformed: "malformed",
}

// SessionState is what a session is doing.
type SessionState uint8

// The states of SessionState. Transaction is idle inside a transaction.
const (
	SessionLogin SessionState = iota
	SessionIdle
	SessionTransaction
	SessionBusy
	// sessionStates is how many states there are.
	sessionStates
)

var sessionStateNames = [sessionStates]string{
	SessionLogin:       "login",
	SessionIdle:        "idle",
	SessionTransaction: "transaction",
	SessionBusy:        "busy",
}

// commandNames are the commands by their byte (MySQL's include/my_command.h;
// 0xfa is MariaDB's). All other bytes count as "unknown".
var commandNames = [256]string{
	0x00: "sleep", 0x01: "quit", 0x02: "init_db", 0x03: "query",
	0x04: "field_list", 0x05: "create_db", 0x06: "drop_db", 0x07: "refresh",
	0x08: "shutdown", 0x09: "statistics", 0x0a: "process_info", 0x0b: "connect",
	0x0c: "process_kill", 0x0d: "debug", 0x0e: "ping", 0x0f: "time",
	0x10: "delayed_insert", 0x11: "change_user", 0x12: "binlog_dump",
	0x13: "table_dump", 0x14: "connect_out", 0x15: "register_slave",
	0x16: "stmt_prepare", 0x17: "stmt_execute", 0x18: "stmt_send_long_data",
	0x19: "stmt_close", 0x1a: "stmt_reset", 0x1b: "set_option",
	0x1c: "stmt_fetch", 0x1d: "daemon", 0x1e: "binlog_dump_gtid",
	0x1f: "reset_connection", 0x20: "clone",
	0x21: "subscribe_group_replication_stream",
	0xfa: "stmt_bulk_execute",
}

// unknown labels what is on no list.
const unknown = "unknown"
