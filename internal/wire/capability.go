package wire

import "strings"

// Capability is the set of protocol features two peers agree on at the
// handshake. The low 32 bits are MySQL's; the high 32 are MariaDB's extended
// capabilities, which exist only where the server leaves ClientMySQL unset.
type Capability uint64

// Capability flags, named as in the MySQL source documentation ("Capabilities
// Flags") and the MariaDB Knowledge Base ("Connection", "Capabilities").
const (
	ClientMySQL                Capability = 1 << 0 // CLIENT_LONG_PASSWORD; MariaDB: "not MariaDB's extended flags"
	ClientFoundRows            Capability = 1 << 1
	ClientLongFlag             Capability = 1 << 2
	ClientConnectWithDB        Capability = 1 << 3
	ClientNoSchema             Capability = 1 << 4
	ClientCompress             Capability = 1 << 5
	ClientODBC                 Capability = 1 << 6
	ClientLocalFiles           Capability = 1 << 7
	ClientIgnoreSpace          Capability = 1 << 8
	ClientProtocol41           Capability = 1 << 9
	ClientInteractive          Capability = 1 << 10
	ClientSSL                  Capability = 1 << 11
	ClientIgnoreSigpipe        Capability = 1 << 12
	ClientTransactions         Capability = 1 << 13
	ClientReserved             Capability = 1 << 14
	ClientSecureConnection     Capability = 1 << 15
	ClientMultiStatements      Capability = 1 << 16
	ClientMultiResults         Capability = 1 << 17
	ClientPSMultiResults       Capability = 1 << 18
	ClientPluginAuth           Capability = 1 << 19
	ClientConnectAttrs         Capability = 1 << 20
	ClientPluginAuthLenenc     Capability = 1 << 21
	ClientExpiredPasswords     Capability = 1 << 22
	ClientSessionTrack         Capability = 1 << 23
	ClientDeprecateEOF         Capability = 1 << 24
	ClientOptionalMetadata     Capability = 1 << 25
	ClientZstdCompression      Capability = 1 << 26
	ClientQueryAttributes      Capability = 1 << 27
	ClientMultiFactorAuth      Capability = 1 << 28
	ClientCapabilityExtension  Capability = 1 << 29
	ClientVerifyServerCert     Capability = 1 << 30
	ClientRememberOptions      Capability = 1 << 31
	MariaDBProgress            Capability = 1 << 32
	MariaDBComMulti            Capability = 1 << 33 // never implemented by a released server
	MariaDBBulkOperations      Capability = 1 << 34
	MariaDBExtendedMetadata    Capability = 1 << 35
	MariaDBCacheMetadata       Capability = 1 << 36
	MariaDBBulkUnitResults     Capability = 1 << 37
	mysqlCapabilities          Capability = 1<<32 - 1
	capabilityNamesFirstUnused            = 38
)

var capabilityNames = [capabilityNamesFirstUnused]string{
	"LONG_PASSWORD", "FOUND_ROWS", "LONG_FLAG", "CONNECT_WITH_DB", "NO_SCHEMA", "COMPRESS", "ODBC", "LOCAL_FILES",
	"IGNORE_SPACE", "PROTOCOL_41", "INTERACTIVE", "SSL", "IGNORE_SIGPIPE", "TRANSACTIONS", "RESERVED", "SECURE_CONNECTION",
	"MULTI_STATEMENTS", "MULTI_RESULTS", "PS_MULTI_RESULTS", "PLUGIN_AUTH", "CONNECT_ATTRS", "PLUGIN_AUTH_LENENC_CLIENT_DATA",
	"CAN_HANDLE_EXPIRED_PASSWORDS", "SESSION_TRACK", "DEPRECATE_EOF", "OPTIONAL_RESULTSET_METADATA", "ZSTD_COMPRESSION_ALGORITHM",
	"QUERY_ATTRIBUTES", "MULTI_FACTOR_AUTHENTICATION", "CAPABILITY_EXTENSION", "SSL_VERIFY_SERVER_CERT", "REMEMBER_OPTIONS",
	"MARIADB_PROGRESS", "MARIADB_COM_MULTI", "MARIADB_STMT_BULK_OPERATIONS", "MARIADB_EXTENDED_METADATA", "MARIADB_CACHE_METADATA",
	"MARIADB_BULK_UNIT_RESULTS",
}

// Has reports whether every flag of f is set.
func (c Capability) Has(f Capability) bool { return c&f == f }

// String lists the flags by name, for logs and tests.
func (c Capability) String() string {
	var names []string
	for i, name := range capabilityNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Status is the set of server status flags that OK and EOF carry.
type Status uint16

// Status flags (MySQL source documentation, "SERVER_STATUS_flags_enum").
const (
	StatusInTransaction      Status = 1 << 0
	StatusAutocommit         Status = 1 << 1
	StatusMoreResults        Status = 1 << 3
	StatusNoGoodIndex        Status = 1 << 4
	StatusNoIndex            Status = 1 << 5
	StatusCursorExists       Status = 1 << 6
	StatusLastRowSent        Status = 1 << 7
	StatusDatabaseDropped    Status = 1 << 8
	StatusNoBackslashEscapes Status = 1 << 9
	StatusMetadataChanged    Status = 1 << 10
	StatusQueryWasSlow       Status = 1 << 11
	StatusPSOutParams        Status = 1 << 12
	StatusInReadOnlyTrans    Status = 1 << 13
	StatusSessionState       Status = 1 << 14
	StatusANSIQuotes         Status = 1 << 15 // of MariaDB
)
