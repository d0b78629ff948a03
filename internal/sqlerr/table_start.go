package sqlerr

// startTable are the errors of a start.
var startTable = []Entry{
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
		Message: "the policy protects columns, and there is no key file",
		Fix:     "give --key FILE, made by tunic keygen, or --policy-default plain to relay without encryption",
		Why:     "Protected values are sealed under keys of the key file. tunic refuses to start rather than store plaintext for somebody who asked for protection, which is the default.",
	},
	// Start-up: listening.
	{
		Code: startPortTaken, Exit: ExitListen,
		Message: "the address to listen on is taken",
		Fix:     "stop the process that listens there or choose another address",
		Why:     "Another process, perhaps another tunic or the database server itself, listens on the address of --listen or --admin. Or nobody listens there, and an outgoing connection of the machine has got the port by chance: those take theirs from the range of `sysctl net.ipv4.ip_local_port_range`, most often 32768 to 60999. A port outside of it is always free for tunic.",
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
		Why:     "The file is missing, is not a regular file, is empty, is of another kind, of another version or damaged, or this user may not read it. A damaged file is replaced by a copy of it; nothing else brings the key back.",
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
		Fix:     "give it as one line, in a file of mode 0600, in TUNIC_KEY_PASSPHRASE or at a terminal",
		Why:     "The passphrase file is missing, open to other users, empty or has several lines; or there is no terminal to ask at; or what was typed twice differs; or the passphrase is too short for a new key file.",
	},
	{
		Code: startKeyMade, Exit: ExitKey,
		Message: "the key file cannot be made",
		Fix:     "give --out a new name in a folder this user can write, on a file system with hard links",
		Why:     "`tunic keygen` never replaces a file: what it would replace may be the only key to somebody's data. Or the folder is missing or cannot be written.",
	},
	{
		Code: startKeyProject, Exit: ExitKey,
		Message: "the key file is for another project",
		Fix:     "give --key the key file of this project, or leave --project out",
		Why:     "A key file may name the project that it is for, which `tunic keygen` has written into it. `--project`, or the database whose master keys it is to wrap, is of another one. A further key file for a project is made with `tunic keygen --project`, and one for any with `--project none`.",
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
	// Start-up: the ledger of protected tables.
	{
		Code: startOtherKey, Exit: ExitKey,
		Message: "the protected tables of this database belong to another key file",
		Fix:     "give --key the key file that they were made with, or the newer one of tunic rotate --rewrap",
		Why:     "The master key in schema _tunic is wrapped by another key file than the one of --key: another was given when the first table was made, or `tunic rotate --rewrap` has put another in its place since. Nothing can be opened with this one, so tunic serves nothing. A tunic that runs has written the id of its key in its log, at start.",
	},
	{
		Code: startKeyAbsent, Exit: ExitKey,
		Message: "this database has protected tables, and no key file was given",
		Fix:     "give --key",
		Why:     "Without the key, clients would be shown stored forms, and might write plaintext beside them.",
	},
	{
		Code: startHeld, Exit: ExitLedger,
		Message: "another tunic is making the ledger of this database",
		Fix:     "try again",
		Why:     "The first tunic before a database makes schema _tunic, under a lock; another one waits ten seconds for it. One that is stopped meanwhile lets go when its connection has been silent for ten seconds.",
	},
	{
		Code: startLedger, Exit: ExitLedger,
		Message: "the ledger of protected tables cannot be used",
		Fix:     "GRANT ALL ON `_tunic`.* to the service account, and the privileges of docs/operating.md",
		Why:     "tunic keeps the definitions of protected tables in schema _tunic, which it makes at its first start with a key. The server has refused a statement there.",
	},
	{
		Code: startDamaged, Exit: ExitLedger,
		Message: "the ledger of protected tables is not as tunic has written it",
		Fix:     "find out who has changed, removed or put back rows of schema _tunic; restore it together with the tables",
		Why:     "Every row of schema _tunic is authenticated, and a root over all of them tells whether one was removed or put back from an older copy.",
	},
	{
		Code: startForm, Exit: ExitLedger,
		Message: "a newer version of tunic has written the ledger of protected tables",
		Fix:     "start that version",
		Why:     "The ledger says which form it has. This version does not know it.",
	},
	{
		Code: startUnexplained, Exit: ExitLedger,
		Message: "a protected table has a definition that tunic has not given it",
		Fix:     "undo what was changed around tunic; SHOW CREATE TABLE at the server shows it",
		Why:     "A change of a definition was under way when tunic ended, and the table is now neither as the change found it nor as it was to leave it.",
	},
	{
		Code: startUninitialized, Exit: ExitLedger,
		Message: "this database has no ledger of protected tables",
		Fix:     "if it never had one, run tunic init once with the same settings; if it had, find out who has dropped schema _tunic, and restore it together with the tables",
		Why:     "tunic makes a ledger only when it is told to. A ledger that is gone would have every table taken for a plain one, and values sent in the clear to whoever has dropped it.",
	},
	{
		Code: startOtherProject, Exit: ExitLedger,
		Message: "the ledger of protected tables is another project's",
		Fix:     "check --backend, --key and --project; if they are right, find out who has replaced schema _tunic",
		Why:     "--project names the ledger that the database has to have, by the ID that `tunic init` has printed, and so may the key file. Another ledger knows other protected tables.",
	},
	{
		Code: startOlder, Exit: ExitLedger,
		Message: "the ledger of protected tables is older than one that this tunic has seen",
		Fix:     "find out who has put back an older copy of schema _tunic; delete the file of --project-state-file if a restore was meant",
		Why:     "The file keeps the newest version of the ledger that was seen. An older one may not know of tables that have been protected since, and would have their values sent in the clear.",
	},
	{
		Code: startStateFile, Exit: ExitLedger,
		Message: "the state file cannot be used",
		Fix:     "give --project-state-file a file in a folder that tunic may write to; delete one that is damaged only if the ledger is known to be the newest",
		Why:     "tunic replaces the file as a whole whenever the ledger has a new version, and reads it at its next start.",
	},
	// Commands that ask a running tunic.
	{
		Code: askDown, Exit: ExitBackend,
		Message: "no tunic can be reached",
		Fix:     "check that tunic serve runs and that --host and --port, or --socket, are what its --listen is",
		Why:     "The command asks a tunic that serves, as a client of it. Nothing answers at the address, or what answers does not speak MySQL's protocol, or not with the TLS that --tls asks for.",
	},
	{
		Code: askLogin, Exit: ExitAccount,
		Message: "the login was refused",
		Fix:     "check --user, --database and the password, in TUNIC_PASSWORD or --password-file",
		Why:     "The command logs in as any client does, with an account of the database server.",
	},
	{
		Code: askPasswordFile, Exit: ExitAccount,
		Message: "the password file cannot be used",
		Fix:     "give --password-file a regular file of one line that this user can read and others cannot",
		Why:     "The file is missing, has several lines, is open to other users, or this user may not read it.",
	},
	{
		Code: askRefused, Exit: ExitRefused,
		Message: "the statement is refused",
		Fix:     "change the statement as the message says; SELECT, INSERT, REPLACE, UPDATE and DELETE are explained",
		Why:     "tunic or the database server answers the statement with an error, which it would get from an application as well.",
	},
	// Commands that look at what is stored.
	{
		Code: auditFaults, Exit: ExitFaults,
		Message: "what is stored is not all as tunic has written it",
		Fix:     "see what is listed: tokens are made anew with --repair; what does not open has to come from a backup; a table that was changed around tunic has to be changed back",
		Why:     "tunic verify has opened every sealed form, computed every layer anew, and compared the tables with the catalog. Somebody or something has changed stored data other than through tunic: a restore of some tables only, a repair of the file system, an administrator's statement, or an attacker.",
	},
	{
		Code: auditNothing, Exit: ExitConfig,
		Message: "there is no such protected table",
		Fix:     "give names as schema.table, or none for all tables; check that --backend is the database and that the service account may see its schema _tunic",
		Why:     "The table that was named is not protected, or no table of the database is, or the service account does not see the schema in which tunic keeps its catalog.",
	},
	{
		Code: rotationLeft, Exit: ExitFaults,
		Message: "not everything is under the newest key",
		Fix:     "see what is listed: begin again where it was cut off; write a value that does not open anew, from a backup; give a table without a key a primary key; give layers new keys with --layers, or drop and add them again with the keys over them; or keep the old master key",
		Why:     "tunic rotate has brought to the new epoch what it could. Rows of a table without a key that tells them apart keep their old epoch until they are written; layers keep theirs where that is said. And tunic rotate --destroy keeps a master key that something needs, and those that are newer.",
	},
	{
		Code: rotationHolders, Exit: ExitLedger,
		Message: "another tunic runs with another key file",
		Fix:     "restart the others with the key file that the master keys are wrapped by, then begin again",
		Why:     "A new master key is wrapped by the key file that tunic rotate was given. A tunic that was started with another one, before the master keys were wrapped anew, could not open it, and would serve no protected table any more.",
	},
	{
		Code: rotationUnderway, Exit: ExitLedger,
		Message: "another rotation is under way",
		Fix:     "wait until it has ended, then begin again; one whose machine is gone is over after ten seconds",
		Why:     "Two tunic rotate at once would each make a new master key. So the first one has a lock at the server, and any other is refused. The lock goes with the connection of the process that has it: should that be lost while the work is under way, the rotation ends with this error too, and goes on when it is begun again.",
	},
	{
		Code: migrationHindered, Exit: ExitFaults,
		Message: "the table cannot be changed as it is",
		Fix:     "do for each thing that is listed what is said behind it, then begin again",
		Why:     "tunic encrypt looks at a table before it begins: at its columns, keys, foreign keys, triggers and expressions, at the server, and at what the service account may do. Nothing has been changed.",
	},
	{
		Code: migrationNothing, Exit: ExitConfig,
		Message: "there is nothing to be done for the table",
		Fix:     "give the name as schema.table, and names of its columns with --columns; check that --backend is the database that tunics with this key serve, and that the service account has privileges on the schema",
		Why:     "There is no such table, or the service account has no privilege on it, or it is protected already (tunic decrypt makes all of it plain, and then more columns can be named), or work is under way that was begun with other columns, or no tunic has ever served the database with a key file.",
	},
	{
		Code: migrationCut, Exit: ExitFaults,
		Message: "a step has failed",
		Fix:     "mend what the server has said, and run the same command again: it goes on where it was",
		Why:     "The server has refused a step of tunic encrypt, or a row was not what it was to be: somebody writes to the table around tunic. Clients go on meanwhile; the table is served in the state that the last step has left.",
	},
	{
		Code: migrationUnderway, Exit: ExitLedger,
		Message: "another tunic encrypt or decrypt is at work on the table",
		Fix:     "wait until it has ended, or stop it, then begin again; one whose machine is gone is over after ten seconds",
		Why:     "Two of them at once would each take the other's steps for its own. So the first one has a lock at the server for the table, and any other is refused; only --dry-run is not. The lock goes with the connection of the process that has it: should that be lost while the work is under way, the command ends with this error too, and goes on when it is begun again.",
	},
	{
		Code: decryptRefused, Exit: ExitConfig,
		Message: "the table cannot be decrypted",
		Fix:     "do what the error says, and begin again: nothing has been done to the table that has to be undone",
		Why:     "tunic decrypt makes all protected columns of a table plain at once, while clients use it. It refuses what it could not bring back exactly: columns of a primary key, those over which there is a CHECK or a foreign key, generated ones, those with an expression as DEFAULT, tables under a view, on MariaDB TIMESTAMP NOT NULL, and types whose values do not come back exactly as they were, which are JSON, shapes and addresses. A column that the policy protects is refused as well: it would be protected again where the table is made anew.",
	},
	{
		Code: decryptNothing, Exit: ExitConfig,
		Message: "the table is not protected",
		Fix:     "name a table as schema.table that has a protected column; tunic verify lists them",
		Why:     "The ledger knows no such table, and the server has none that a decryption was about to leave.",
	},
	{
		Code: assessDecides, Exit: ExitFaults,
		Message: "something needs a decision before the tables are encrypted",
		Fix:     "do for each thing that is listed what is said behind it, and assess again",
		Why:     "tunic assess has found a table that tunic encrypt does not take as it is, or a statement that would be refused. Nothing has been changed.",
	},
	{
		Code: assessNothing, Exit: ExitConfig,
		Message: "there is nothing to be assessed",
		Fix:     "give the name of a schema, and names of its tables behind it; make the ledger with tunic init; check that the service account has privileges on the schema",
		Why:     "There is no such schema, or no such table in it, or the service account sees none of them; or no ledger was made in the database, in whose schema the server is asked what a definition means.",
	},
	{
		Code: assessLog, Exit: ExitConfig,
		Message: "the statements cannot be read",
		Fix:     "give --log a general or a slow query log of MySQL or MariaDB that this user may read; for --digests switch performance_schema on, and GRANT SELECT ON performance_schema.events_statements_summary_by_digest to the service account",
		Why:     "tunic assess reads which statements the server was sent from a file as servers write it (log_output = FILE), or from the table of digests of performance_schema. MariaDB keeps no digests unless performance_schema is set in its configuration.",
	},
	{
		Code: startInternal, Exit: ExitInternal,
		Message: "tunic cannot start",
		Fix:     "see the text of the error",
		Why:     "Anything the other start-up errors do not name, such as a limit of the operating system.",
	},
}
