package difftest

import "tunic/internal/wire"

// Mode says how a client runs statements that need no parameters. Those that
// have some are always prepared.
type Mode uint8

// Modes.
const (
	ModeText     Mode = iota // COM_QUERY
	ModePrepared             // COM_STMT_PREPARE and COM_STMT_EXECUTE
	ModeCursor               // the same, with a cursor and COM_STMT_FETCH
)

// Config is one way for a client to talk to a server. The whole corpus runs under
// each of them.
type Config struct {
	Name   string
	Flavor string // "mariadb", "mysql", or "" for both
	Mode   Mode
	Caps   wire.Capability
	TLS    bool
	// Attributes are sent with every statement.
	Attributes []Attribute
	// Sample configurations run one script in three, a different third each: what
	// they vary does not depend on the statement.
	Sample bool
	// Loose configurations change what statements do, so that the corpus's
	// expected errors do not hold. Both sides must still agree.
	Loose bool
}

const (
	// oldCaps is what a client of MySQL 5.0 asks for.
	oldCaps = wire.ClientMySQL | wire.ClientLongFlag | wire.ClientProtocol41 | wire.ClientTransactions |
		wire.ClientSecureConnection | wire.ClientLocalFiles
	// baseCaps adds what every client of today asks for.
	baseCaps = oldCaps | wire.ClientPluginAuth | wire.ClientPluginAuthLenenc | wire.ClientConnectAttrs |
		wire.ClientMultiStatements | wire.ClientMultiResults | wire.ClientPSMultiResults
	modernCaps = baseCaps | wire.ClientDeprecateEOF | wire.ClientSessionTrack
	// mariadbCaps is modernCaps as a client of MariaDB has it, which shows by
	// leaving ClientMySQL out.
	mariadbCaps = modernCaps &^ wire.ClientMySQL
)

// optionalCapabilities are those a session of the corpus may leave out.
var optionalCapabilities = map[string]wire.Capability{
	"local-files":      wire.ClientLocalFiles,
	"multi-statements": wire.ClientMultiStatements,
}

var someAttributes = []Attribute{{Name: "purpose", Value: "difftest"}, {Name: "", Value: "it's"}}

// Configs is the capability matrix.
var Configs = []*Config{
	{Name: "text", Mode: ModeText, Caps: modernCaps},
	{Name: "prepared", Mode: ModePrepared, Caps: modernCaps},
	{Name: "cursor", Mode: ModeCursor, Caps: modernCaps},
	{Name: "text-eof", Mode: ModeText, Caps: baseCaps},
	{Name: "prepared-eof", Mode: ModePrepared, Caps: baseCaps},
	{Name: "cursor-eof", Mode: ModeCursor, Caps: baseCaps},
	{Name: "text-track-eof", Mode: ModeText, Caps: baseCaps | wire.ClientSessionTrack},
	{Name: "text-no-track", Mode: ModeText, Caps: baseCaps | wire.ClientDeprecateEOF},
	{Name: "single-statement", Mode: ModeText, Caps: modernCaps &^ wire.ClientMultiStatements},
	{Name: "found-rows", Mode: ModeText, Caps: modernCaps | wire.ClientFoundRows},
	{Name: "found-rows-prepared", Mode: ModePrepared, Caps: modernCaps | wire.ClientFoundRows, Sample: true},
	{Name: "odd-flags", Mode: ModeText, Caps: modernCaps | wire.ClientODBC | wire.ClientIgnoreSpace | wire.ClientInteractive | wire.ClientNoSchema, Loose: true},
	{Name: "old-client", Mode: ModeText, Caps: oldCaps, Loose: true},
	{Name: "old-client-prepared", Mode: ModePrepared, Caps: oldCaps, Loose: true, Sample: true},
	{Name: "zlib", Mode: ModeText, Caps: modernCaps | wire.ClientCompress},
	{Name: "zlib-prepared", Mode: ModePrepared, Caps: baseCaps | wire.ClientCompress, Sample: true},
	{Name: "tls", Mode: ModeText, Caps: modernCaps, TLS: true},
	{Name: "tls-zlib-prepared", Mode: ModePrepared, Caps: modernCaps | wire.ClientCompress, TLS: true, Sample: true},

	{Name: "mariadb-text", Flavor: "mariadb", Mode: ModeText, Caps: mariadbCaps | wire.MariaDBExtendedMetadata | wire.MariaDBCacheMetadata},
	{Name: "mariadb-prepared", Flavor: "mariadb", Mode: ModePrepared, Caps: mariadbCaps | wire.MariaDBExtendedMetadata | wire.MariaDBCacheMetadata},
	{Name: "mariadb-cursor", Flavor: "mariadb", Mode: ModeCursor, Caps: mariadbCaps | wire.MariaDBExtendedMetadata | wire.MariaDBCacheMetadata},
	{Name: "mariadb-extended", Flavor: "mariadb", Mode: ModeText, Caps: mariadbCaps | wire.MariaDBExtendedMetadata},
	{Name: "mariadb-cache-eof", Flavor: "mariadb", Mode: ModePrepared, Caps: baseCaps&^wire.ClientMySQL | wire.MariaDBCacheMetadata},
	{Name: "mariadb-bulk", Flavor: "mariadb", Mode: ModePrepared, Caps: mariadbCaps | wire.MariaDBBulkOperations, Sample: true},

	{Name: "attributes-text", Flavor: "mysql", Mode: ModeText, Caps: modernCaps | wire.ClientQueryAttributes, Attributes: someAttributes},
	{Name: "attributes-prepared", Flavor: "mysql", Mode: ModePrepared, Caps: modernCaps | wire.ClientQueryAttributes, Attributes: someAttributes},
	{Name: "attributes-unused", Flavor: "mysql", Mode: ModeText, Caps: baseCaps | wire.ClientQueryAttributes},
	{Name: "attributes-unused-prepared", Flavor: "mysql", Mode: ModePrepared, Caps: modernCaps | wire.ClientQueryAttributes, Sample: true},
	{Name: "zstd", Flavor: "mysql", Mode: ModeText, Caps: modernCaps | wire.ClientZstdCompression},
	{Name: "zstd-prepared", Flavor: "mysql", Mode: ModePrepared, Caps: modernCaps | wire.ClientZstdCompression, Sample: true},
}

func findConfig(name string) *Config {
	for _, c := range Configs {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// agreed is what a client of this configuration and a server that offers so much
// agree on. ClientMySQL is the client's own to say.
func (c *Config) agreed(offered wire.Capability) wire.Capability {
	return c.Caps & (offered | wire.ClientMySQL)
}

// wants is what the server must offer for the configuration to mean something.
func (c *Config) wants() wire.Capability {
	wants := c.Caps &^ wire.ClientMySQL
	if c.TLS {
		wants |= wire.ClientSSL
	}
	return wants
}
