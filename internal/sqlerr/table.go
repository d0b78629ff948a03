package sqlerr

// table holds every error, in order of code. A line that was released keeps
// its code, number and state for ever: drivers and operators match on them.
var table = []Entry{
	// Start-up: the command line, the environment, the configuration file.
	{
		Code: startUsage, Exit: ExitConfig,
		Message: "the command line is wrong",
		Fix:     "see `tunic --help`",
		Why:     "A flag or command does not exist, or a flag has no value.",
	},
	{
		Code: startUnknown, Exit: ExitConfig,
		Message: "a setting does not exist",
		Fix:     "correct the name or remove it; docs/config.md lists all",
		Why:     "A key of the configuration file or a TUNIC_* variable belongs to no setting. tunic does not guess: a misspelt setting that is ignored could leave data unprotected.",
	},
	{
		Code: startValue, Exit: ExitConfig,
		Message: "a setting has a value it cannot have",
		Fix:     "use a value that docs/config.md allows",
		Why:     "The value has the wrong form or is out of range.",
	},
	{
		Code: startMissing, Exit: ExitConfig,
		Message: "a setting without a default is not set",
		Fix:     "set it with its flag, its variable or its key",
		Why:     "tunic needs the address of the database server and a service account of its own.",
	},
	{
		Code: startFile, Exit: ExitConfig,
		Message: "the configuration file cannot be used",
		Fix:     "check the path, its permissions and that it is TOML",
		Why:     "The file that --config or TUNIC_CONFIG names cannot be read, or is not TOML.",
	},
	{
		Code: startConflict, Exit: ExitConfig,
		Message: "two settings contradict each other",
		Fix:     "keep one of them",
		Why:     "For example a certificate without its key.",
	},
	{
		Code: startProtect, Exit: ExitConfig,
		Message: "this version of tunic protects nothing yet",
		Fix:     "start with --policy-default plain to relay without encryption",
		Why:     "The policy asks for protected columns, which this version cannot make. It refuses to start rather than store plaintext for somebody who asked for protection.",
	},
	// Start-up: listening.
	{
		Code: startPortTaken, Exit: ExitListen,
		Message: "the address to listen on is taken",
		Fix:     "stop the process that listens there or choose another address",
		Why:     "Another process, perhaps another tunic or the database server itself, listens on the address of --listen or --admin.",
	},
	{
		Code: startListen, Exit: ExitListen,
		Message: "cannot listen on the address",
		Fix:     "use an address of this machine and a port or folder this user may use",
		Why:     "The address of --listen or --admin is not one of this machine, the port is below 1024 without the privilege, the folder of the socket cannot be written, or a file that is no socket has its path: tunic replaces only a socket that a killed process has left.",
	},
	// Start-up: the database server.
	{
		Code: startBackendDown, Exit: ExitBackend,
		Message: "the database server cannot be reached",
		Fix:     "check that it runs and that --backend is its address",
		Why:     "tunic connects once to the database server before it listens, so that a mistake shows at start and not at the first client.",
	},
	{
		Code: startBackendGreeting, Exit: ExitBackend,
		Message: "what answers is not a usable MySQL, MariaDB or TiDB server",
		Fix:     "check --backend, and the server's log",
		Why:     "The peer did not send a protocol-10 greeting, or greeted with an error (too many connections, host blocked).",
	},
	{
		Code: startBackendTLS, Exit: ExitBackend,
		Message: "the connection to the database server cannot be encrypted as asked",
		Fix:     "enable TLS on the server, correct --backend-ca, or lower --backend-tls",
		Why:     "The server offers no TLS, or its certificate does not pass the check that --backend-tls asks for.",
	},
	// Start-up: the key.
	{
		Code: startKeyFile, Exit: ExitKey,
		Message: "the key file cannot be used",
		Fix:     "give --key the path of a key file that tunic keygen made, or a copy of it",
		Why:     "The file is missing, is not a regular file, is empty, is of another kind, of a later version or damaged, or this user may not read it. A damaged file is replaced by a copy of it; nothing else brings the key back.",
	},
	{
		Code: startKeyMode, Exit: ExitKey,
		Message: "the key file is open to other users",
		Fix:     "chmod 600 the key file",
		Why:     "The mode must be 0600 or 0400: a key that others can read or replace protects nothing. A file that belongs to root may also be read by its group (0640, 0440), as Kubernetes mounts secrets.",
	},
	{
		Code: startPassphraseNone, Exit: ExitKey,
		Message: "the key file is wrapped with a passphrase, and none was given",
		Fix:     "give --key-passphrase-file or set TUNIC_KEY_PASSPHRASE",
		Why:     "The key file was made with a passphrase. `tunic serve` does not ask for it at a terminal: it has to start unattended.",
	},
	{
		Code: startPassphraseWrong, Exit: ExitKey,
		Message: "the passphrase does not fit the key file",
		Fix:     "give the passphrase that this key file was made with, or none if it was made without",
		Why:     "The key file was made with another passphrase, or with none. The file itself is not damaged: its check was right.",
	},
	{
		Code: startPassphraseFile, Exit: ExitKey,
		Message: "the passphrase cannot be used",
		Fix:     "give a private file (mode 0600) of one line, or type the same passphrase twice at a terminal",
		Why:     "The passphrase file is missing, open to other users, empty or has several lines; or there is no terminal to ask at; or what was typed twice differs; or the passphrase is too short for a new key file.",
	},
	{
		Code: startKeyMade, Exit: ExitKey,
		Message: "the key file cannot be made",
		Fix:     "give --out a new name in a folder this user can write, on a file system with hard links",
		Why:     "`tunic keygen` never replaces a file: what it would replace may be the only key to somebody's data. Or the folder is missing or cannot be written.",
	},
	// Start-up: the service account.
	{
		Code: startAccount, Exit: ExitAccount,
		Message: "the database server refuses the service account",
		Fix:     "check its name and its password; create the account with CREATE USER if it is new",
		Why:     "The server answered the login of tunic's own account with an error, most often 1045 Access denied.",
	},
	{
		Code: startPasswordFile, Exit: ExitAccount,
		Message: "the service password file cannot be used",
		Fix:     "give --service-password-file a regular file of one line that this user can read",
		Why:     "The file is missing, is not a regular file, has several lines, or this user may not read it.",
	},
	{
		Code: startPasswordMode, Exit: ExitAccount,
		Message: "the service password file is open to other users",
		Fix:     "chmod 600 the password file",
		Why:     "Neither the group nor others may have any permission on it. A file that belongs to root may also be read by its group (0640, 0440), as Kubernetes mounts secrets.",
	},
	{
		Code: startLookup, Exit: ExitAccount,
		Message: "the service account may not look up the plugins of accounts",
		Fix:     "GRANT SELECT ON mysql.global_priv (MariaDB) or mysql.user (MySQL) to it, or let tunic reach the server by HOST:PORT",
		Why:     "Over the server's Unix socket tunic lets only accounts in that a password alone lets in, and asks the server for their plugins. Without the privilege every login would be refused (TUNIC-6004).",
	},
	// Start-up: TLS files.
	{
		Code: startTLSFile, Exit: ExitTLS,
		Message: "a TLS file cannot be used",
		Fix:     "give the path of a readable PEM file",
		Why:     "A certificate, key or CA file is missing, unreadable or holds no PEM block of the kind.",
	},
	{
		Code: startTLSPair, Exit: ExitTLS,
		Message: "the TLS certificate and key do not belong together",
		Fix:     "give --tls-cert and --tls-key of one pair",
		Why:     "The private key is not that of the certificate.",
	},
	{
		Code: startTLSMade, Exit: ExitTLS,
		Message: "the self-signed TLS pair cannot be kept",
		Fix:     "make --tls-dir a folder this user can write, give --tls-cert and --tls-key, or use --tls disabled",
		Why:     "Without --tls-cert and --tls-key tunic makes a pair on first start and keeps it, so that clients see the same certificate again.",
	},
	{
		Code: startTLSMode, Exit: ExitTLS,
		Message: "the TLS key file is open to other users",
		Fix:     "chmod 600 the key file",
		Why:     "Who has the key can pass for tunic to its clients. Neither the group nor others may have any permission on the file; one that belongs to root may also be read by its group (0640, 0440).",
	},
	{
		Code: startInternal, Exit: ExitInternal,
		Message: "tunic cannot start",
		Fix:     "see the text of the error",
		Why:     "Anything the other start-up errors do not name, such as a limit of the operating system.",
	},

	// Statements.
	{
		Code: statementRefused, Number: 1235, State: "42000",
		Message: "{statement} is not supported",
		Fix:     "docs/sql-support.md lists what is",
		Why:     "tunic refuses what it cannot do exactly; it never forwards a statement it must not forward and never answers OK for one it did not run.",
	},
	{
		Code: statementUnread, Number: 1235, State: "42000",
		Message: "tunic cannot read this statement",
		Fix:     "write it in a form that docs/sql-support.md lists",
		Why:     "The statement does not parse and may name something protected.",
	},
	{
		Code: statementOutcome, Number: 1235, State: "42000",
		Message: "the statement before this one was refused by tunic, and the server knows nothing of it",
		Fix:     "ask with SHOW WARNINGS, SHOW ERRORS or SELECT @@warning_count, by itself and as text",
		Why:     "The statement asks the server how the one before it went, which the server never got. tunic answers the common questions itself; GET DIAGNOSTICS and others would speak of an older statement.",
	},
	{
		Code: expressionRefused, Number: 1235, State: "42000",
		Message: "{operation} is not computed on protected data",
		Fix:     "compute it in the application, or see docs/sql-support.md for what is",
		Why:     "What the server cannot compute on ciphertext tunic computes itself, where it is known to come out as the server has it. This operation, or these types of operands, are not among them.",
	},
	{
		Code: expressionValue, Number: 1235, State: "42000",
		Message: "{operation} is not computed on protected data for a value that it met",
		Fix:     "correct the value or literal, which is text that is no number or no date, or beyond what servers compute exactly",
		Why:     "The operation is supported, but servers differ in what they make of this value, or make a guess of it that tunic does not make.",
	},
	{
		Code: sessionZone, Number: 1235, State: "42000",
		Message: "the session's time zone {zone} is not known to tunic",
		Fix:     "SET time_zone to an offset such as '+00:00' or to a name of the time zone database",
		Why:     "A protected TIMESTAMP is sealed in UTC, so that tunic has to convert it as the server would. SYSTEM is understood where the server's machine is in UTC.",
	},

	// Definitions of protected tables.
	{
		Code: definitionReserved, Number: 1235, State: "42000",
		Message: "column {column} has a name that tunic needs for itself",
		Fix:     "give it a name that ends neither in $eq nor in $ord",
		Why:     "The stored columns of a layer have these names.",
	},
	{
		Code: definitionAnnotation, Number: 1235, State: "42000",
		Message: "the annotation of column {column} cannot be followed: {why}",
		Fix:     "correct what follows tunic: in its comment, or the rule for the column",
		Why:     "A comment that speaks to tunic and cannot be read, or that asks for more than the operator's rule allows, refuses the definition: what it was to protect is not known.",
	},
	{
		Code: definitionGenerated, Number: 1235, State: "42000",
		Message: "a generated column over protected column {column}, or one that is to be protected, is not supported",
		Fix:     "compute it in the query or the application, or annotate the columns with tunic: plain",
		Why:     "The server computes generated columns, and it has no value of a protected column to compute with.",
	},
	{
		Code: definitionCheck, Number: 1235, State: "42000",
		Message: "a CHECK over protected column {column} is not supported",
		Fix:     "check it in the application, or annotate the column with tunic: plain",
		Why:     "The server checks such a constraint, and it has no value of a protected column to check.",
	},
	{
		Code: definitionCheckName, Number: 1235, State: "42000",
		Message: "a CHECK without a name is not supported in table {table}, which has protected columns",
		Fix:     "write CONSTRAINT name CHECK (…) among the table's constraints",
		Why:     "MariaDB shows a CHECK without a name beside its column or behind the keys, by where it was written. tunic cannot tell, and does not guess.",
	},
	{
		Code: definitionExpression, Number: 1235, State: "42000",
		Message: "a DEFAULT of protected column {column} that is no constant is not supported",
		Fix:     "use a constant, NULL or CURRENT_TIMESTAMP, or annotate the column with tunic: plain",
		Why:     "The server would compute the value, and would see it. A default of a plain column may not be computed from a protected one either.",
	},
	{
		Code: definitionKeyKind, Number: 1235, State: "42000",
		Message: "a FULLTEXT or SPATIAL key over protected column {column} is not supported",
		Fix:     "leave the key out, or annotate the column with tunic: plain",
		Why:     "Such a key holds words or shapes of the values themselves.",
	},
	{
		Code: definitionKeyComputed, Number: 1235, State: "42000",
		Message: "a key over an expression is not supported in table {table}, which has protected columns",
		Fix:     "use a key over columns, or a generated column over plain ones with a key of its own",
		Why:     "tunic has to know which columns a key is over to tell which rows collide in it.",
	},
	{
		Code: definitionPrefix, Number: 1235, State: "42000",
		Message: "a unique key over a prefix of protected column {column} is not supported",
		Fix:     "make the key over the whole column",
		Why:     "An equality layer compares whole values; it cannot tell that two of them begin alike.",
	},
	{
		Code: definitionPartition, Number: 1235, State: "42000",
		Message: "partitions by protected column {column} are not supported",
		Fix:     "partition by a plain column, or annotate this one with tunic: plain",
		Why:     "The server would need the values to find the partition.",
	},
	{
		Code: definitionGrain, Number: 1235, State: "42000",
		Message: "column {column} asks for an order layer with a grain, which this version does not make",
		Fix:     "use tunic: order, tunic: equality or tunic: sealed",
		Why:     "order/day, order/1000 and order/prefix 4 are understood and cannot be made yet. tunic makes no finer layer in their place.",
	},
	{
		Code: definitionLayer, Number: 1235, State: "42000",
		Message: "column {column} cannot have the {layer} layer that its policy or a key needs: {why}",
		Fix:     "leave the key or the capability out, or give the column another type or collation",
		Why:     "A layer must compare as the server compares the values. Where that is not certain there is no layer, and a key over the column has nothing to stand on.",
	},
	{
		Code: definitionCeiling, Number: 1235, State: "42000",
		Message: "key {key} needs a layer of column {column} that the column may not have",
		Fix:     "leave the key out, or allow tunic: equality by the column's annotation or rule",
		Why:     "A key over a protected column is stored over its equality or order layer. The column's ceiling, from its annotation, its rule or policy.ceiling, allows none, or not the one that the key needs.",
	},
	{
		Code: definitionReference, Number: 1235, State: "42000",
		Message: "foreign key column {column} and the column it refers to are not both protected or both plain: {which}",
		Fix:     "annotate both columns alike",
		Why:     "The server compares the two columns, so both must be plain, or both have an equality layer of one domain. Where nobody has said that the referring column is to be protected, and the other one is plain, tunic leaves it plain.",
	},
	{
		Code: definitionAction, Number: 1235, State: "42000",
		Message: "ON DELETE SET NULL and ON UPDATE CASCADE or SET NULL are not supported for protected column {column}",
		Fix:     "use RESTRICT, NO ACTION or ON DELETE CASCADE",
		Why:     "The server would change the token that the key is over and leave the sealed form as it was.",
	},
	{
		Code: definitionSelect, Number: 1235, State: "42000",
		Message: "CREATE TABLE … SELECT is not supported where table {table} or what it reads may be protected",
		Fix:     "use CREATE TABLE and then INSERT … SELECT",
		Why:     "The values would have to be sealed for the columns of the new table, which do not exist yet.",
	},
	{
		Code: definitionType, Number: 1235, State: "42000",
		Message: "column {column} cannot be protected: {why}",
		Fix:     "give it another type, or annotate it with tunic: plain",
		Why:     "tunic has to do for a protected column what its type does. Where it does not know the type, its character set or its labels exactly, it refuses.",
	},
	{
		Code: definitionRewrite, Number: 1235, State: "42000",
		Message: "the change of column {column} needs stored values to be made anew, and table {table} has rows",
		Fix:     "make the change while the table is empty, or copy the rows to a new table",
		Why:     "A new layer, another type, or a column with a default value has to be filled for the rows that are there.",
	},
	{
		Code: definitionProtection, Number: 1235, State: "42000",
		Message: "the change would protect column {column}, or leave it unprotected, in a table that has it otherwise",
		Fix:     "make a new table with the column as wanted",
		Why:     "An annotation, a rule or the default says something else of the column than what it is. Its values would have to be sealed or opened for all rows.",
	},
	{
		Code: definitionForm, Number: 1235, State: "42000",
		Message: "{what} is not supported for table {table}, which has protected columns",
		Fix:     "make the change in other steps; docs/stored-tables.md lists what can be changed",
		Why:     "tunic makes a change only where it knows what it does to the stored table.",
	},
	{
		Code: definitionReferenced, Number: 1235, State: "42000",
		Message: "table {table} cannot be renamed while a foreign key of a protected table refers to it",
		Fix:     "drop the foreign key, rename the table and add the key again",
		Why:     "The definition of the other table would have to change in the same step.",
	},
	{
		Code: definitionSchema, Number: 1235, State: "42000",
		Message: "schema _tunic is tunic's own",
		Fix:     "use another schema",
		Why:     "The catalog and the twins of protected tables are in it.",
	},
	{
		Code: definitionCharset, Number: 1235, State: "42000",
		Message: "the definition of table {table} has characters outside ASCII, and the session is not in UTF-8",
		Fix:     "SET NAMES utf8mb4 before it",
		Why:     "Labels, defaults and names of protected tables are kept in UTF-8.",
	},
	{
		Code: definitionLedger, Number: 1105, State: "HY000",
		Message: "the catalog of protected tables cannot be changed now",
		Fix:     "try again; tunic's log says what is wrong if it lasts",
		Why:     "The ledger in schema _tunic is out of reach, damaged, or held by another tunic. The change was not made, or will be settled when the ledger is back.",
	},

	// Protocol.
	{
		Code: protocolUnknownCommand, Number: 1047, State: "08S01",
		Message: "command byte {byte} is unknown",
		Fix:     "use a client of the MySQL protocol 4.1 or later",
		Why:     "tunic forwards only what it understands. The session goes on.",
	},
	{
		Code: protocolPacketTooLarge, Number: 1153, State: "08S01",
		Message: "a packet is larger than the limit of {limit} bytes",
		Fix:     "send smaller statements or raise --max-packet",
		Why:     "The limit bounds the memory one client can make tunic hold. The session ends, because the rest of the packet is not read.",
	},
	{
		Code: protocolMalformed, Number: 1835, State: "HY000",
		Message: "malformed communication packet: {what}",
		Fix:     "report it with the name and version of the client",
		Why:     "A packet of the client is shorter or longer than its fields say, or a field has a value the protocol does not allow. At login and in COM_CHANGE_USER the connection ends; otherwise the session goes on, as it does at the servers.",
	},
	{
		Code: protocolOutOfOrder, Number: 1156, State: "08S01",
		Message: "packets out of order",
		Fix:     "do not share one connection between threads; check what stands between client and tunic",
		Why:     "The sequence number of a packet is not the next one. The session ends.",
	},
	{
		Code: protocolNoStatement, Number: 1243, State: "HY000",
		Message: "prepared statement {id} is unknown to {command}",
		Fix:     "prepare it again in this session",
		Why:     "The statement was never prepared in this session, was closed, or was lost with COM_RESET_CONNECTION or COM_CHANGE_USER.",
	},
	{
		Code: protocolRefused, Number: 1047, State: "08S01",
		Message: "command {command} is not supported through tunic",
		Fix:     "connect to the database server directly for it",
		Why:     "The command is known and refused: it would carry stored data around tunic (replication), or servers themselves refuse it, with the same number. The session goes on.",
	},
	{
		Code: protocolHandshake, Number: 1043, State: "08S01",
		Message: "bad handshake: {what}",
		Fix:     "use a client of the MySQL protocol 4.1 or later",
		Why:     "The client's answer to the greeting cannot be read or asks for an older protocol. The connection ends.",
	},

	// Limits.
	{
		Code: limitConnections, Number: 1040, State: "08004",
		Message: "too many connections: {limit} are open",
		Fix:     "close some or raise --max-connections",
		Why:     "tunic's own limit, not the server's max_connections, whose error is relayed as the server sends it.",
	},
	{
		Code: limitHandshake, Number: 1159, State: "08S01",
		Message: "no login within {time}",
		Fix:     "log in faster or raise --handshake-timeout",
		Why:     "A connection that does not log in in time is closed, so that it cannot hold a place.",
	},
	{
		Code: limitIdle, Number: 4031, State: "HY000",
		Message: "disconnected after {time} of inactivity",
		Fix:     "reconnect, or raise --idle-timeout",
		Why:     "tunic's own limit; the server's wait_timeout applies as well.",
	},
	{
		Code: limitPrepared, Number: 1461, State: "42000",
		Message: "this session has {limit} prepared statements open",
		Fix:     "close statements after use or raise --max-prepared-statements",
		Why:     "The limit bounds the memory of one session; a client that prepares and never closes meets it.",
	},
	{
		Code: limitDrain, Number: 1053, State: "08S01",
		Message: "tunic is shutting down",
		Fix:     "reconnect",
		Why:     "tunic got SIGTERM: new connections are refused, and sessions still open when --drain is over are ended.",
	},

	// The database server.
	// The numbers are a server's and not a client library's own (2000 to 2999):
	// libmariadb takes a packet that carries one of those for malformed.
	{
		Code: backendLost, Number: 1158, State: "08S01",
		Message: "Lost connection to server during query",
		Fix:     "reconnect, and check whether the statement took effect before repeating it",
		Why:     "The connection to the database server broke after the statement was sent and before its answer was complete. The session ends.",
	},
	{
		Code: backendGone, Number: 1160, State: "08S01",
		Message: "Server has gone away",
		Fix:     "reconnect and repeat the statement: it was not sent",
		Why:     "The connection to the database server was closed while the session was idle. The session ends.",
	},
	{
		Code: backendUnreachable, Number: 1429, State: "HY000",
		Message: "Can't connect to the database server behind tunic",
		Fix:     "check that the server runs",
		Why:     "The server of --backend did not accept a TCP connection in time.",
	},
	{
		Code: backendSocket, Number: 1429, State: "HY000",
		Message: "Can't connect to the database server behind tunic through its socket",
		Fix:     "check that the server runs",
		Why:     "The server of --backend unix:PATH did not accept a connection.",
	},
	{
		Code: backendMalformed, Number: 1835, State: "HY000",
		Message: "the database server sent a malformed packet: {what}",
		Fix:     "report it with the name and version of the server",
		Why:     "tunic relays only what it understands. The session ends.",
	},
	{
		Code: backendTLS, Number: 1429, State: "HY000",
		Message: "the connection to the database server cannot be encrypted as --backend-tls asks",
		Fix:     "enable TLS on the server or check its certificate",
		Why:     "The server stopped offering TLS, or its certificate no longer passes the check.",
	},

	// Login.
	{
		Code: loginPlugin, Number: 1251, State: "08004",
		Message: "authentication plugin {plugin} cannot be relayed",
		Fix:     "give the account a plugin that docs/wire.md lists",
		Why:     "tunic has no accounts of its own: it relays the server's challenge and the client's answer. A plugin whose answer is bound to the connection cannot be relayed.",
	},
	{
		Code: loginTLSRequired, Number: 3159, State: "HY000",
		Message: "connections without TLS are not accepted",
		Fix:     "connect with TLS",
		Why:     "tunic runs with --tls required.",
	},
	{
		Code: loginPluginTLS, Number: 1251, State: "08004",
		Message: "authentication plugin {plugin} needs TLS between client and tunic",
		Fix:     "connect with TLS",
		Why:     "The plugin would send the password in the clear.",
	},
	{
		Code: loginSocket, Number: 1698, State: "28000",
		Message: "this account cannot be used over the server's Unix socket",
		Fix:     "give the account a password plugin only, or let tunic reach the server by HOST:PORT",
		Why:     "The account may log in by unix_socket or auth_socket, that is, because of the operating system user at the other end of the socket. That is tunic and not the client, so anybody could be let in. tunic refuses when it cannot rule that out.",
	},

	// Data.
	{
		Code: dataAlien, Number: 1815, State: "HY000",
		Message: "a stored value of column {column} is not what tunic stored there",
		Fix:     "find out who writes to the database directly, and restore the row from a backup",
		Why:     "The sealed form does not open: it was altered, was moved from another column, or is of another key. It is never shown as it is and never taken for NULL. The log has the table and the column, and the metric tunic_open_failures_total counts it.",
	},
	{
		Code: dataRow, Number: 1835, State: "HY000",
		Message: "the database server sent other columns than were asked for",
		Fix:     "report it with the name and version of the server",
		Why:     "The rows of an answer do not have the columns of the stored statement, so that tunic cannot tell what is sealed in them.",
	},
	{
		Code: dataColumns, Number: 1429, State: "HY000",
		Message: "the database server does not describe the columns of this statement",
		Fix:     "check that the service account can log in and use the schema _tunic",
		Why:     "tunic asks the server, with its service account, for the types and names of a result's columns. It could not ask.",
	},
}
