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
	groupCache     = "Plan cache"
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
			Help: "The project whose ledger the database has to have, as tunic init prints it.",
			More: "It need not be set if the key file names it, as those of `tunic keygen` do; if both say one, they have to agree. With it tunic does not start if the ledger is gone or is another one: somebody may have dropped or replaced it to get values in the clear. Without it any ledger will do that the key file opens, also one that is empty.",
		},
		field: func(c *Config) target { return idTarget{&c.Project.ID} },
	},
	{
		Setting: Setting{
			Key: "project.state_file", Flag: "project-state-file", Group: groupPolicy,
			Help: "File that keeps the newest version of the ledger that tunic has seen.",
			More: "With it tunic does not start, and a running one does not go on, if the ledger is older than that: somebody may have put back a backup of it, or of all of the database. It is made where it is not there. One file is for one tunic. After a restore that was meant, delete it.",
		},
		field: func(c *Config) target { return pathTarget{&c.Project.StateFile} },
	},
	{
		Setting: Setting{
			Key: "policy.default", Flag: "policy-default", Group: groupPolicy, Default: string(PolicyProtect),
			Help: "What a column is that no rule names.",
			More: "With `protect` every column of a new table is protected but those with AUTO_INCREMENT, and a key file is needed. With `plain` only columns are that a rule or an annotation in their COMMENT names. Tables that exist already stay as they are.",
		},
		field: func(c *Config) target { return enum(&c.Policy.Default, PolicyProtect, PolicyPlain) },
	},
	{
		Setting: Setting{
			Key: "policy.ceiling", Flag: "policy-ceiling", Group: groupPolicy, Default: string(CeilingOrder),
			Help: "The most that a layer of a protected column may do if no rule and no annotation says otherwise.",
			More: "`sealed`: no layer ever; `equality`: the server may compare; `order`: it may also sort. A layer comes when a key, an annotation or `CALL tunic.add_layer` asks for it, or `--policy-layers auto` does.",
		},
		field: func(c *Config) target { return enum(&c.Policy.Ceiling, CeilingSealed, CeilingEquality, CeilingOrder) },
	},
	{
		Setting: Setting{
			Key: "policy.keys", Flag: "policy-keys", Group: groupPolicy, Default: string(KeysWarn),
			Help: "What is done about layers that a client's key or annotation brings, and no rule.",
			More: "A layer tells the server something for ever. `allow`: it comes; `warn`: it comes, and the definition has a note in SHOW WARNINGS that says what the layer tells and what the values of the column say of it (TUNIC-2018); `refuse`: a key that needs a layer which neither a rule nor the column's annotation names is refused (TUNIC-2062), and an annotation has the note. See [advice](advice.md#keys-and-annotations). `tunic encrypt` is not held to it.",
		},
		field: func(c *Config) target { return enum(&c.Policy.Keys, KeysAllow, KeysWarn, KeysRefuse) },
	},
	{
		Setting: Setting{
			Key: "policy.layers", Flag: "policy-layers", Group: groupPolicy, Default: string(LayersOff),
			Help: "What is done about layers that use shows to pay.",
			More: "`off`: nothing; who asks is told. `advise`: statements that would be served by one get a note in SHOW WARNINGS, now and then, and the log has a line. `auto`: they are added, within the ceiling, where the values do not speak against it; the server then learns what the layer tells: see [advice](advice.md).",
		},
		field: func(c *Config) target { return enum(&c.Policy.Layers, LayersOff, LayersAdvise, LayersAuto) },
	},
	{
		Setting: Setting{
			Key: "policy.layers_after", Flag: "policy-layers-after", Group: groupPolicy, Default: "1m",
			Help: "How much time statements must have lost for lack of a layer, about in the last two hours, before it is advised or added.",
		},
		field: func(c *Config) target { return durationTarget{&c.Policy.LayersAfter, time.Second, 24 * time.Hour} },
	},
	{
		Setting: Setting{
			Key: "clients.others", Flag: "clients-others", Group: groupPolicy, Default: string(OthersRefuse),
			Help: "What accounts may do that [[clients.accounts]] in the file does not list.",
			More: "`refuse`: they are not let in; `plain`: they reach plain tables only. Without a list every account reaches protected tables that the server lets it reach: see [accounts](#accounts).",
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
			Key: "tls.cert", Flag: "tls-cert", Group: groupTLS,
			Help: "Certificate shown to clients, PEM, with its chain; needs --tls-key.",
			More: "Without the two, tunic makes a self-signed pair on first start and keeps it in `tls.dir`.",
		},
		field: func(c *Config) target { return pathTarget{&c.TLS.Cert} },
	},
	{
		Setting: Setting{
			Key: "tls.key", Flag: "tls-key", Group: groupTLS,
			Help: "Private key of --tls-cert, PEM, closed to others (mode 0600).",
			More: "A file that belongs to root may be read by its group (mode 0640).",
		},
		field: func(c *Config) target { return pathTarget{&c.TLS.Key} },
	},
	{
		Setting: Setting{
			Key: "tls.client_ca", Flag: "tls-client-ca", Group: groupTLS,
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
			Key: "limits.connections", Flag: "max-connections", Group: groupLimits, Default: "4096",
			Help: "How many clients may be connected at once.",
			More: "Each has one connection to the server, whose `max_connections` applies as well.",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.Connections, 1, 1_000_000} },
	},
	{
		Setting: Setting{
			Key: "limits.logins", Flag: "max-logins", Group: groupLimits, Default: "64",
			Help: "How many clients may be logging in at once; others wait their turn.",
			More: "Each has a connection of the server before it is known who the client is: keep it well below the server's `max_connections`. Who waits longer than `--handshake-timeout` is turned away (TUNIC-4007).",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.Logins, 1, 1_000_000} },
	},
	{
		Setting: Setting{
			Key: "limits.logins_by_address", Flag: "max-logins-by-address", Group: groupLimits, Default: "32",
			Help: "How many of them may be of one address.",
			More: "Of IPv6, a /64 network is one address; all clients of a Unix socket are one. Denied logins of an address are answered more slowly from the eleventh on, up to 3 seconds later, until there was none for a minute.",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.LoginsByAddress, 1, 1_000_000} },
	},
	{
		Setting: Setting{
			Key: "limits.packet", Flag: "max-packet", Group: groupLimits, Default: "64MiB",
			Help: "The longest message of a client or the server.",
			More: "The server's `max_allowed_packet` applies as well.",
		},
		field: func(c *Config) target { return sizeTarget{&c.Limits.PacketBytes, packetBytesMin, packetBytesMax} },
	},
	{
		Setting: Setting{
			Key: "limits.memory", Flag: "memory", Group: groupLimits, Default: "0",
			Help: "Memory that tunic is to stay below, 64 MiB or more; 0 is half of the machine's or cgroup's.",
			More: "Half is for large statements of all sessions and for what is kept for local work: a statement of 1 MiB or more counts eight times (twice while the server is at it, if it is passed on as it came), waits up to 30 seconds for others to end, and is refused if there is still no memory (TUNIC-4008). Smaller ones never wait. It is, less 64 MiB or an eighth, also the limit of the Go runtime, unless `GOMEMLIMIT` is set.",
		},
		field: func(c *Config) target { return orZero{sizeTarget{&c.Limits.Memory, memoryMin, localBytesMax}} },
	},
	{
		Setting: Setting{
			Key: "limits.handshake_timeout", Flag: "handshake-timeout", Group: groupLimits, Default: "10s",
			Help: "How long a client may take to log in.",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.HandshakeTimeout, timeoutMin, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.idle_timeout", Flag: "idle-timeout", Group: groupLimits, Default: "8h",
			Help: "When a session that sends nothing is ended; 0 is never.",
			More: "The server's `wait_timeout`, 8 hours unless changed, applies as well.",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.IdleTimeout, 0, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.write_timeout", Flag: "write-timeout", Group: groupLimits, Default: "1m",
			Help: "How long one write to a client that does not read may take; 0 is for ever.",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.WriteTimeout, 0, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.drain", Flag: "drain", Group: groupLimits, Default: "30s",
			Help: "How long sessions may go on after SIGTERM; 0 ends them at once.",
			More: "A session ends when its transaction does. A second signal cuts off what is left. A statement that is cut off is ended at the server as well if the service account has the privileges for it, see [operating](operating.md#stop).",
		},
		field: func(c *Config) target { return durationTarget{&c.Limits.Drain, 0, timeoutMax} },
	},
	{
		Setting: Setting{
			Key: "limits.prepared_statements", Flag: "max-prepared-statements", Group: groupLimits, Default: "16382",
			Help: "How many prepared statements a session may hold open.",
			More: "The default is that of the server's `max_prepared_stmt_count`, which counts over all sessions.",
		},
		field: func(c *Config) target { return intTarget{&c.Limits.PreparedStatements, 1, math.MaxInt32} },
	},
	{
		Setting: Setting{
			Key: "local.rows", Flag: "local-rows", Group: groupLocal, Default: "10000000",
			Help: "How many rows a statement may read that tunic has to finish itself.",
			More: "What the server cannot filter, sort or group on ciphertext, tunic does on rows that it fetches and opens: see [local work](local.md).",
		},
		field: func(c *Config) target { return intTarget{&c.Local.Rows, 1, math.MaxInt} },
	},
	{
		Setting: Setting{
			Key: "local.bytes", Flag: "local-bytes", Group: groupLocal, Default: "256MiB",
			Help: "How much memory such a statement may keep, to sort, group or tell rows apart.",
		},
		field: func(c *Config) target { return sizeTarget{&c.Local.Bytes, localBytesMin, localBytesMax} },
	},
	{
		Setting: Setting{
			Key: "local.total_bytes", Flag: "local-total-bytes", Group: groupLocal, Default: "1GiB",
			Help: "The same for all such statements together.",
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
