package config

import (
	"math"
	"time"
)

// Groups of settings, as headings.
const (
	groupAddresses = "Addresses"
	groupBackend   = "Database server"
	groupPolicy    = "Protection"
	groupTLS       = "TLS to clients"
	groupLimits    = "Limits"
	groupLocal     = "Work done by tunic"
	groupCache     = "Caches"
	groupOperation = "Operation"
)

// Bounds of values. The protocol manual sets those of a message
// (max_allowed_packet: 1024 bytes to 1 GiB); the others only catch slips.
const (
	packetBytesMin = 1 << 10
	packetBytesMax = 1 << 30
	cacheBytesMin  = 64 << 10
	cacheBytesMax  = 64 << 30
	localBytesMin  = 1 << 20
	memoryMin      = 64 << 20
	localBytesMax  = 1 << 40
	timeoutMin     = time.Millisecond
	timeoutMax     = 365 * 24 * time.Hour
)

// settings is the one description of every setting.
var settings = []setting{
	{
		Setting: Setting{
			Key: "listen", Flag: "listen", Group: groupAddresses, Default: "127.0.0.1:3307",
			Help: "Where clients connect.",
			More: "Port 0 takes a free port; the log says which. An empty host is every address of the machine. A Unix socket can be used by every user of the machine (mode 0777), as those of the servers can: who gets in is for their accounts to say. A folder that only some users may enter keeps the others out.",
		},
		field: func(c *Config) target {
			return addressTarget{text: &c.Listen, anyPort: true, anyHost: true, unix: true}
		},
	},
	{
		Setting: Setting{
			Key: "proxy_protocol", Flag: "proxy-protocol", Group: groupAddresses,
			Help: "Networks whose connections begin with a header of the PROXY protocol, version 1 or 2.",
			More: "A balancer tells in it where the client is. Name its addresses and no others: whoever is in these networks says itself where it is. Their connections have to send the header; other connections must not. See [the client's address](high-availability.md#the-clients-address).",
		},
		field: func(c *Config) target { return networksTarget{&c.ProxyProtocol} },
	},
	{
		Setting: Setting{
			Key: "takeover_socket", Flag: "takeover-socket", Group: groupAddresses,
			Help: "Unix socket at which tunic serve --takeover asks this tunic for its listening sockets.",
			More: "It has mode 0600, and only a process of the same user gets them. Without it nobody can take over. See [restarts](high-availability.md#take-over).",
		},
		field: func(c *Config) target { return pathTarget{&c.TakeoverSocket} },
	},
	{
		Setting: Setting{
			Key: "backend.address", Flag: "backend", Group: groupAddresses, Required: true,
			Help: "The database server.",
		},
		field: func(c *Config) target { return addressTarget{text: &c.Backend.Address, unix: true} },
	},
	{
		Setting: Setting{
			Key: "admin.address", Flag: "admin", Group: groupAddresses,
			Help: "Where /status, /metrics, /healthz and /readyz are served over HTTP; nowhere if not set.",
			More: "/metrics and the probes have no login: use a loopback address or a network that only operators reach. On any other than a loopback address the [status](status.md) needs `--admin-token-file`.",
		},
		field: func(c *Config) target { return addressTarget{text: &c.Admin.Address, anyPort: true, anyHost: true} },
	},
	{
		Setting: Setting{
			Key: "admin.token_file", Flag: "admin-token-file", Group: groupAddresses,
			Help: "File that holds the token for /status and /status.json, closed to others (mode 0600).",
			More: "One line of 16 characters or more. With it the two ask for the token everywhere; without it they are only served on a loopback address. There is no TLS: send it over networks that you trust, or through a proxy that has TLS.",
		},
		field: func(c *Config) target { return pathTarget{&c.Admin.TokenFile} },
	},
	{
		Setting: Setting{
			Key: "admin.pprof", Flag: "admin-pprof", Group: groupAddresses, Default: "false",
			Help: "Also serve /debug/pprof there.",
			More: "Profiles show memory of the process; leave it off where others reach the address.",
		},
		field: func(c *Config) target { return boolTarget{&c.Admin.Pprof} },
	},
	{
		Setting: Setting{
			Key: "backend.tls", Flag: "backend-tls", Group: groupBackend, Default: string(TLSPreferred),
			Help: "TLS to the server.",
			More: "`preferred` uses TLS if the server offers it and checks nothing; `required` refuses to go without; `verify-ca` also checks who signed the server's certificate; `verify-full` also that it is made out to the host of `--backend`. Only the last two keep out somebody between tunic and the server.",
		},
		field: func(c *Config) target {
			return enum(&c.Backend.TLS, TLSDisabled, TLSPreferred, TLSRequired, TLSVerifyCA, TLSVerifyFull)
		},
	},
	{
		Setting: Setting{
			Key: "backend.ca", Flag: "backend-ca", Group: groupBackend,
			Help: "Authorities that may sign the server's certificate, as PEM; those of the system if not set.",
		},
		field: func(c *Config) target { return pathTarget{&c.Backend.CA} },
	},
	{
		Setting: Setting{
			Key: "backend.connect_timeout", Flag: "backend-connect-timeout", Group: groupBackend, Default: "10s",
			Help: "How long dialling the server and its greeting may take.",
		},
		field: func(c *Config) target { return durationTarget{&c.Backend.ConnectTimeout, timeoutMin, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "service.user", Flag: "service-user", Group: groupBackend, Required: true,
			Help: "The account on the server that tunic itself logs in with; clients use their own.",
		},
		field: func(c *Config) target { return textTarget{&c.Service.User, "USER"} },
	},
	{
		Setting: Setting{
			Key: "service.password_file", Flag: "service-password-file", Group: groupBackend,
			Help: "File that holds the service account's password, closed to others (mode 0600).",
			More: "A file that belongs to root may be read by its group (mode 0640), as secrets are that Kubernetes mounts with `fsGroup`. One line; its newline is not part of the password. Give it here or in TUNIC_SERVICE_PASSWORD.",
		},
		field: func(c *Config) target { return pathTarget{&c.Service.PasswordFile} },
	},
	{
		Setting: Setting{
			Env: envPassword, Group: groupBackend,
			Help: "The service account's password itself.",
			More: "Only in the environment: a command line is visible to every user of the machine, and configuration files get copied. Set to nothing it means an account without a password.",
		},
		field: func(c *Config) target { return secretTarget{&c.Service.Password, "PASSWORD"} },
	},
	{
		Setting: Setting{
			Key: "key", Flag: "key", Group: groupPolicy,
			Help: "The key file, made by tunic keygen.",
			More: "Its mode is 0600 or 0400; [keys](keys.md) says what is lost without it. Without one nothing can be protected.",
		},
		field: func(c *Config) target { return pathTarget{&c.Key.File} },
	},
	{
		Setting: Setting{
			Key: "key_passphrase_file", Flag: "key-passphrase-file", Group: groupPolicy,
			Help: "File that holds the passphrase of the key file, as private as the key file.",
			More: "One line; its newline is not part of the passphrase. Give it here or in TUNIC_KEY_PASSPHRASE; tunic serve never asks at a terminal.",
		},
		field: func(c *Config) target { return pathTarget{&c.Key.PassphraseFile} },
	},
	{
		Setting: Setting{
			Env: envPassphrase, Group: groupPolicy,
			Help: "The passphrase of the key file itself.",
			More: "Only in the environment, like the service account's password.",
		},
		field: func(c *Config) target { return secretTarget{&c.Key.Passphrase, "PASSPHRASE"} },
	},
	{
		Setting: Setting{
			Key: "project.id", Flag: "project", Group: groupPolicy,
			Help: "The ID of the project whose ledger the database must have, as tunic init prints it.",
			More: "Leave it out if the key file names the project, as those of `tunic keygen` do. If both name one, they must be the same. With an ID tunic does not start if the ledger is gone or belongs to another project: somebody may have dropped or replaced it to get values in the clear. Without an ID tunic takes any ledger that the key file opens, even an empty one.",
		},
		field: func(c *Config) target { return idTarget{&c.Project.ID} },
	},
	{
		Setting: Setting{
			Key: "project.state_file", Flag: "project-state-file", Group: groupPolicy,
			Help: "File that keeps the newest version of the ledger that tunic has seen.",
			More: "If the ledger is older than that, tunic does not start, and a running tunic stops using it: somebody may have restored an old copy of it, or of the whole database. tunic makes the file if it does not exist. Each tunic needs a file of its own. Delete it after a restore that you wanted.",
		},
		field: func(c *Config) target { return pathTarget{&c.Project.StateFile} },
	},
	{
		Setting: Setting{
			Key: "policy.default", Flag: "policy-default", Group: groupPolicy, Default: string(PolicyProtect), Reload: true,
			Help: "What happens to columns that no rule names.",
			More: "`protect`: every column of a new table is protected, except AUTO_INCREMENT; this needs a key file. `plain`: only columns that a rule or an annotation in their COMMENT names are protected. Tables that exist stay as they are. See [policy](policy.md).",
		},
		field: func(c *Config) target { return enum(&c.Policy.Default, PolicyProtect, PolicyPlain) },
	},
	{
		Setting: Setting{
			Key: "policy.ceiling", Flag: "policy-ceiling", Group: groupPolicy, Default: string(CeilingOrder), Reload: true,
			Help: "The most that layers may let the server do with a column, if no rule and no annotation says otherwise.",
			More: "`sealed`: nothing, no layer is ever made; `equality`: tell equal values; `order`: sort as well. A layer is made when a key, an annotation, `CALL tunic.add_layer` or `--policy-layers auto` asks for it.",
		},
		field: func(c *Config) target { return enum(&c.Policy.Ceiling, CeilingSealed, CeilingEquality, CeilingOrder) },
	},
	{
		Setting: Setting{
			Key: "policy.keys", Flag: "policy-keys", Group: groupPolicy, Default: string(KeysWarn), Reload: true,
			Help: "What to do when a client's key or annotation needs a layer that no rule names.",
			More: "What a layer tells the server cannot be taken back. `allow`: make it; `warn`: make it, with a note in SHOW WARNINGS that says what it tells, and how badly for the values of the column (TUNIC-2018); `refuse`: refuse a key whose layer neither a rule nor an annotation names (TUNIC-2062); an annotation gets the note. `tunic encrypt` does not follow this setting. See [advice](advice.md#keys-and-annotations).",
		},
		field: func(c *Config) target { return enum(&c.Policy.Keys, KeysAllow, KeysWarn, KeysRefuse) },
	},
	{
		Setting: Setting{
			Key: "policy.families", Flag: "policy-families", Group: groupPolicy, Default: string(FamiliesTogether), Reload: true,
			Help: "How the protected columns of a new table are sealed if no rule and no annotation says it.",
			More: "`together`: those whose values have at most 255 characters, or 1,020 bytes, are one family, which has one sealed form in a row; `apart`: each column by itself. A family takes fewer bytes, and hides which values are NULL and how long each is. A table that is there stays as it is until `tunic rotate --families` goes through it. See [policy](policy.md#families).",
		},
		field: func(c *Config) target { return enum(&c.Policy.Families, FamiliesTogether, FamiliesApart) },
	},
	{
		Setting: Setting{
			Key: "policy.layers", Flag: "policy-layers", Group: groupPolicy, Default: string(LayersOff),
			Help: "What to do when statements would be faster with another layer.",
			More: "`off`: nothing; EXPLAIN still tells. `advise`: such statements get a note in SHOW WARNINGS now and then, and the log has a line. `auto`: add the layer, within the ceiling, unless the values of the column make it dangerous. The server then learns what the layer tells. See [advice](advice.md).",
		},
		field: func(c *Config) target { return enum(&c.Policy.Layers, LayersOff, LayersAdvise, LayersAuto) },
	},
	{
		Setting: Setting{
			Key: "policy.layers_after", Flag: "policy-layers-after", Group: groupPolicy, Default: "1m",
			Help: "How much time statements must have lost without a layer, in about the last two hours, before it is advised or added.",
		},
		field: func(c *Config) target { return durationTarget{&c.Policy.LayersAfter, time.Second, 24 * time.Hour} },
	},
	{
		Setting: Setting{
			Key: "clients.others", Flag: "clients-others", Group: groupPolicy, Default: string(OthersRefuse), Reload: true,
			Help: "What accounts may do that are not in the list [[clients.accounts]].",
			More: "`refuse`: nothing, the login is refused; `plain`: reach plain tables only. Without a list every account may reach the protected tables that the server lets it reach. See [accounts](policy.md#accounts).",
		},
		field: func(c *Config) target { return enum(&c.Clients.Others, OthersRefuse, OthersPlain) },
	},
	{
		Setting: Setting{
			Key: "tls.mode", Flag: "tls", Group: groupTLS, Default: string(ClientTLSEnabled),
			Help: "Whether clients may or must use TLS.",
			More: "A Unix socket counts as secure without it, as with `require_secure_transport`.",
		},
		field: func(c *Config) target {
			return enum(&c.TLS.Mode, ClientTLSDisabled, ClientTLSEnabled, ClientTLSRequired)
		},
	},
	{
		Setting: Setting{
			Key: "tls.cert", Flag: "tls-cert", Group: groupTLS, Reload: true,
			Help: "Certificate shown to clients, PEM, with its chain; needs --tls-key.",
			More: "Without the two, tunic makes a self-signed pair on first start and keeps it in `tls.dir`.",
		},
		field: func(c *Config) target { return pathTarget{&c.TLS.Cert} },
	},
	{
		Setting: Setting{
			Key: "tls.key", Flag: "tls-key", Group: groupTLS, Reload: true,
			Help: "Private key of --tls-cert, PEM, closed to others (mode 0600).",
			More: "A file that belongs to root may be read by its group (mode 0640).",
		},
		field: func(c *Config) target { return pathTarget{&c.TLS.Key} },
	},
	{
		Setting: Setting{
			Key: "tls.client_ca", Flag: "tls-client-ca", Group: groupTLS, Reload: true,
			Help: "Authorities that may sign clients' certificates, PEM; clients need none if not set.",
			More: "If set, clients that do not use TLS are refused, as with `--tls required`: they could show no certificate. It does not go with a Unix socket, over which there is no TLS.",
		},
		field: func(c *Config) target { return pathTarget{&c.TLS.ClientCA} },
	},
	{
		Setting: Setting{
			Key: "tls.dir", Flag: "tls-dir", Group: groupTLS,
			Help: "Folder that keeps the self-signed pair.",
			More: "If not set: `tls` below `$STATE_DIRECTORY` (set by systemd), else below `$XDG_STATE_HOME/tunic`, else `~/.local/state/tunic`, else `/var/lib/tunic`.",
		},
		field: func(c *Config) target { return pathTarget{&c.TLS.Dir} },
	},
	{
		Setting: Setting{
			Key: "limits.connections", Flag: "max-connections", Group: groupLimits, Default: "4096", Reload: true,
			Help: "How many clients may be connected at once.",
			More: "Each has one connection to the server, whose `max_connections` applies as well.",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.Connections, 1, 1_000_000} },
	},
	{
		Setting: Setting{
			Key: "limits.logins", Flag: "max-logins", Group: groupLimits, Default: "64", Reload: true,
			Help: "How many clients may be logging in at once; others wait their turn.",
			More: "A client that is logging in takes a connection of the server before anybody knows who it is. Keep this well below the server's `max_connections`. A client that waits longer than `--handshake-timeout` is refused (TUNIC-4007).",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.Logins, 1, 1_000_000} },
	},
	{
		Setting: Setting{
			Key: "limits.logins_by_address", Flag: "max-logins-by-address", Group: groupLimits, Default: "32", Reload: true,
			Help: "How many clients of one address may be logging in at once.",
			More: "A /64 network of IPv6 counts as one address, and so do all clients of a Unix socket. After ten denied logins from an address, the next ones are answered later, by up to 3 seconds, until a minute passes without one.",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.LoginsByAddress, 1, 1_000_000} },
	},
	{
		Setting: Setting{
			Key: "limits.packet", Flag: "max-packet", Group: groupLimits, Default: "64MiB", Reload: true,
			Help: "The longest message of a client or the server.",
			More: "The server's `max_allowed_packet` applies as well.",
		},
		field: func(c *Config) target { return sizeTarget{&c.Limits.PacketBytes, packetBytesMin, packetBytesMax} },
	},
	{
		Setting: Setting{
			Key: "limits.memory", Flag: "memory", Group: groupLimits, Default: "0",
			Help: "Memory that tunic stays below, 64 MiB or more; 0 is half of the machine's or the cgroup's.",
			More: "Half of it is for large statements and for rows that tunic keeps for local work, over all sessions. A statement of 1 MiB or more counts with eight times its size (twice while the server works on it, if it is relayed). It waits up to 30 seconds for memory, and is refused then (TUNIC-4008). Smaller statements never wait. The memory limit of the Go runtime is set an eighth lower, by 64 MiB at most, unless `GOMEMLIMIT` is set.",
		},
		field: func(c *Config) target { return orZero{sizeTarget{&c.Limits.Memory, memoryMin, localBytesMax}} },
	},
	{
		Setting: Setting{
			Key: "limits.handshake_timeout", Flag: "handshake-timeout", Group: groupLimits, Default: "10s", Reload: true,
			Help: "How long a client may take to log in.",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.HandshakeTimeout, timeoutMin, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.idle_timeout", Flag: "idle-timeout", Group: groupLimits, Default: "8h", Reload: true,
			Help: "When a session that sends nothing is ended; 0 is never.",
			More: "The server's `wait_timeout`, 8 hours unless changed, applies as well.",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.IdleTimeout, 0, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.write_timeout", Flag: "write-timeout", Group: groupLimits, Default: "1m", Reload: true,
			Help: "How long one write to a client that does not read may take; 0 is for ever.",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.WriteTimeout, 0, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.drain_delay", Flag: "drain-delay", Group: groupLimits, Default: "0", Reload: true,
			Help: "How long tunic goes on as before after SIGTERM while /readyz answers 503.",
			More: "It is for balancers: set it a little longer than they take to notice. Without a balancer it only makes a stop longer.",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.DrainDelay, 0, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.drain", Flag: "drain", Group: groupLimits, Default: "30s", Reload: true,
			Help: "How long sessions may go on after SIGTERM and --drain-delay; 0 ends them at once.",
			More: "A session ends between two transactions, see [operating](operating.md#stop). A second signal cuts off what is left. A statement that is cut off is ended at the server as well if the service account has the privileges for it, see [operating](operating.md#stop).",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.Drain, 0, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.prepared_statements", Flag: "max-prepared-statements", Group: groupLimits, Default: "16382", Reload: true,
			Help: "How many prepared statements a session may hold open.",
			More: "The default is that of the server's `max_prepared_stmt_count`, which counts over all sessions.",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.PreparedStatements, 1, math.MaxInt32} },
	},
	{
		Setting: Setting{
			Key: "local.rows", Flag: "local-rows", Group: groupLocal, Default: "10000000",
			Help: "How many rows a statement may read that tunic has to finish itself.",
			More: "What the server cannot filter, sort or group on ciphertext, tunic does on decrypted rows. See [local work](local.md).",
		},
		field: func(c *Config) target { return intTarget{&c.Local.Rows, 1, math.MaxInt} },
	},
	{
		Setting: Setting{
			Key: "local.bytes", Flag: "local-bytes", Group: groupLocal, Default: "256MiB",
			Help: "How much memory such a statement may use to sort, group or compare rows.",
		},
		field: func(c *Config) target { return sizeTarget{&c.Local.Bytes, localBytesMin, localBytesMax} },
	},
	{
		Setting: Setting{
			Key: "local.total_bytes", Flag: "local-total-bytes", Group: groupLocal, Default: "1GiB",
			Help: "How much memory all such statements may use together.",
		},
		field: func(c *Config) target { return sizeTarget{&c.Local.TotalBytes, localBytesMin, localBytesMax} },
	},
	{
		Setting: Setting{
			Key: "plan_cache.entries", Flag: "plan-cache-entries", Group: groupCache, Default: "8192",
			Help: "How many plans are kept.",
		},
		field: func(c *Config) target { return intTarget{&c.PlanCache.Entries, 1, 10_000_000} },
	},
	{
		Setting: Setting{
			Key: "plan_cache.bytes", Flag: "plan-cache-bytes", Group: groupCache, Default: "32MiB",
			Help: "How much memory the plans may take.",
		},
		field: func(c *Config) target { return sizeTarget{&c.PlanCache.Bytes, cacheBytesMin, cacheBytesMax} },
	},
	{
		Setting: Setting{
			Key: "row_cache.bytes", Flag: "row-cache-bytes", Group: groupCache, Default: "32MiB",
			Help: "How much memory may be taken by rows that were lately written, or read to be written, as they are stored; 0 is none.",
			More: "An `UPDATE` of a row by its key need not read a row that is there: it is written only if it is still so. The cache holds ciphertext. It has an eighth of `--memory` at most, and takes its memory when there is the first row to keep, 2 MiB or more. Where most rows are a single number it may take a fifth more than this: its index is as long as that of others, and the rows are not.",
		},
		field: func(c *Config) target { return sizeTarget{&c.RowCache.Bytes, 0, cacheBytesMax} },
	},
	{
		Setting: Setting{
			Key: "log.format", Flag: "log-format", Group: groupOperation, Default: string(LogText),
			Help: "How log lines on standard error are written.",
		},
		field: func(c *Config) target { return enum(&c.Log.Format, LogText, LogJSON) },
	},
	{
		Setting: Setting{
			Key: "log.level", Flag: "log-level", Group: groupOperation, Default: string(LogInfo),
			Help: "The least important lines to write.",
			More: "At no level does the log hold a literal of a statement, a value or a password.",
		},
		field: func(c *Config) target { return enum(&c.Log.Level, LogDebug, LogInfo, LogWarn, LogError) },
	},
	{
		Setting: Setting{
			Key: "compression", Flag: "compression", Group: groupOperation, Default: "true",
			Help: "Offer compression to clients that ask for it.",
		},
		field: func(c *Config) target { return boolTarget{&c.Compression} },
	},
}
