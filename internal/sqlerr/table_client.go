package sqlerr

// clientTable are the other errors that a client gets.
var clientTable = []Entry{
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
		Fix:     "name the address of a balancer that sends the PROXY header (HAProxy: send-proxy) in --proxy-protocol, or turn the header off there; do not share one connection between threads",
		Why:     "The sequence number of a packet is not the next one. At login, what came is most likely not MySQL: the header of the PROXY protocol from an address that is in none of the networks of --proxy-protocol, or a client of another protocol. Later, two threads of the client use one connection. The session ends.",
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
	{
		Code: protocolProxy, Number: 1043, State: "08S01",
		Message: "this connection did not begin with a header of the PROXY protocol that can be read",
		Fix:     "have the balancer send it (HAProxy: send-proxy-v2), or take the address out of --proxy-protocol",
		Why:     "The connection is from a network of --proxy-protocol. Nobody there is let in without the header: where the client is would be unknown. The header has to come within --handshake-timeout and in one piece, in version 1 or 2, and has to be of a stream. The connection ends.",
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
		Why:     "tunic got SIGTERM, or another tunic has taken over. A session that sends nothing for a second, or for five behind a command that did no work, ends with this error, and so does what is under way when --drain is over. A statement that was under way then is ended at the server too, if the service account may do that; whether it took effect is not known.",
	},
	{
		Code: limitVariables, Number: 1041, State: "HY000",
		Message: "the user variables of this session take more than {limit} bytes",
		Fix:     "SET variables that are not needed any more to NULL",
		Why:     "tunic keeps user variables with values of protected columns itself. The limit bounds the memory of one session.",
	},
	{
		Code: limitLogins, Number: 1040, State: "08004",
		Message: "too many logins are under way",
		Fix:     "try again, or raise --max-logins or --max-logins-by-address",
		Why:     "Each login takes a connection of the server before anybody knows who the client is, so tunic limits them, in total and by address. A client waits for its turn as long as --handshake-timeout says. If others connect and do not log in, tunic's log shows from where (TUNIC-4002).",
	},
	{
		Code: limitMemory, Number: 1041, State: "HY000",
		Message: "no memory is left of {bytes} bytes for large statements and local work",
		Fix:     "try again, send smaller statements, or raise --memory",
		Why:     "All sessions share one budget. A statement of 1 MiB or more waits up to 30 seconds for memory; a statement that would keep rows to sort or group does not wait. Nothing of the statement was done, and parameters that were sent ahead for it are forgotten. The session goes on, with one exception: it ends if a part of a parameter for plain tables finds no memory, since the protocol has no answer to it.",
	},

	// The database server.
	// The numbers are a server's and not a client library's own (2000 to 2999):
	// libmariadb takes a packet that carries one of those for malformed.
	{
		Code: backendLost, Number: 1158, State: "08S01",
		Message: "the connection to the database server broke during the login",
		Fix:     "try again, and see the server's log if it happens again",
		Why:     "The server closed the connection before it let the client in. When it does so later, the client gets no error of tunic's own: its connection is closed as the server's was, which is what drivers and pools know how to treat (client errors 2006 and 2013).",
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
	{
		Code: backendLedger, Number: 1105, State: "HY000",
		Message: "the catalog of protected tables is out of reach",
		Fix:     "try again; tunic's log says what is wrong if it lasts",
		Why:     "tunic holds its ledger, in schema _tunic, by a connection of its own. It was lost and has not come back within ten seconds, or the ledger is damaged, or this tunic was stopped for a while and does not know yet which tables others have protected since. Nothing of the statement was done, and plain tables are not served either for as long as another tunic may protect them unseen.",
	},

	{
		Code: backendUnlisted, Number: 1105, State: "HY000",
		Message: "table {table} is stored as protected, and the ledger does not know it",
		Fix:     "try again; if it lasts, give a table that was renamed at the server its name back, or restore schema _tunic of the time of the table, as tunic help operating says",
		Why:     "The table has tunic's columns. Another tunic may have protected it this moment. Or it was renamed or copied at the server. Or the table is of another ledger: a backup of it was restored without that of schema _tunic, or tunic init has made a new one since. Its values are not read without what the ledger says of them. tunic verify lists such tables.",
	},

	// Login.
	{
		Code: loginPlugin, Number: 1251, State: "08004",
		Message: "authentication plugin {plugin} cannot be relayed",
		Fix:     "give the account a plugin that tunic help wire lists",
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
	{
		Code: loginAccount, Number: 1045, State: "28000",
		Message: "this account may not log in through tunic from where it is",
		Fix:     "have it listed under [[clients.accounts]] in tunic's file, or connect directly",
		Why:     "The operator of tunic says which accounts reach protected tables, by user, host and certificate. The server cannot let others in.",
	},
	{
		Code: loginPlain, Number: 1142, State: "42000",
		Message: "this account may not reach protected tables through tunic",
		Fix:     "have it listed under [[clients.accounts]] in tunic's file",
		Why:     "The operator of tunic says which accounts reach protected tables, and lets the others reach plain ones (--clients-others plain). Whatever the server has granted to them does not count.",
	},
	{
		Code: loginChanged, Number: 3118, State: "HY000",
		Message: "the rules for accounts have changed, and this account may do less than when it logged in",
		Fix:     "log in again, or have the account listed under [[clients.accounts]] in tunic's file",
		Why:     "tunic has read its file again (SIGHUP). What the session holds, as open cursors and user variables, may be what its account reaches no more, so it ends, and its transaction is rolled back. A new login says what the account may do now.",
	},

	// Data.
	{
		Code: dataAlien, Number: 1815, State: "HY000",
		Message: "a stored value of column {column} is not what tunic stored there",
		Fix:     "tunic verify says which row it is; find out who writes to the database directly, and restore the row from a backup",
		Why:     "The sealed form does not open: it was altered, was moved from another column, or is of another key. It is never shown as it is and never taken for NULL. A statement that needs the value is not carried out; an UPDATE that puts constants in its place, in one row that it names by its key, is, with this as a warning. The log has the table and the column, and the metric tunic_open_failures_total counts it.",
	},
	{
		Code: dataColumns, Number: 1429, State: "HY000",
		Message: "the database server does not describe the columns of this statement",
		Fix:     "check that the service account can log in and use the schema _tunic",
		Why:     "tunic asks the server, with its service account, for the types and names of a result's columns. It could not ask.",
	},
	{
		Code: dataKey, Number: 1815, State: "HY000",
		Message: "a column of this table cannot be used with the key file that tunic has",
		Fix:     "see tunic's log, and check that every tunic of this database is of one version",
		Why:     "The catalog has a column whose keys cannot be derived, or whose layers this version does not know.",
	},
	{
		Code: dataOrder, Number: 1815, State: "HY000",
		Message: "the server compares text of a column of this table otherwise than tunic does",
		Fix:     "use a version of the server that tunic help operating lists, or another collation for the column",
		Why:     "Equality and order of protected text follow tunic's tables of the server's collations. Before a collation is used, some strings are compared here and by the server; tunic's log says how many came out otherwise.",
	},
	{
		Code: dataMoved, Number: 1815, State: "HY000",
		Message: "a row has a token of column {column} that is not of its value",
		Fix:     "tunic verify says which row it is; find out who writes to the database directly, and restore the row from a backup",
		Why:     "The server finds rows by tokens, and keys are over them. The sealed value of a row says otherwise than the token that it was found by, or that is in its key: somebody has moved one of them. The statement is not answered. `tunic help security` says which statements are compared; the log has the table and the column, and the metric tunic_moved_tokens_total counts it.",
	},
}
