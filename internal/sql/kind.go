package sql

// Kind is what a statement is, by the first words of it. The kinds are as fine
// as the decisions that are made by them: the table of package plan/support has one
// row for each.
type Kind uint16

// The kinds of statements of MySQL 8 and 9, MariaDB and TiDB.
const (
	Unknown Kind = iota // none of those below, or text that cannot be lexed
	Empty               // nothing but comments, before a semicolon

	// Queries and changes of data.
	Select
	SelectIntoFile // … INTO OUTFILE, INTO DUMPFILE
	SetOperation   // UNION, INTERSECT, EXCEPT of queries
	Values         // VALUES (…), … or VALUES ROW(…), … as a statement
	Table          // TABLE t as a statement
	Insert
	Replace
	Update
	Delete
	LoadData
	LoadXML
	ImportTable
	Do
	Call
	Handler
	Explain // EXPLAIN or ANALYZE of a statement
	Describe

	// Tables and what belongs to them.
	CreateTable
	AlterTable
	DropTable
	RenameTable
	TruncateTable
	CreateIndex
	DropIndex
	CreateView
	AlterView
	DropView
	CreateSequence
	AlterSequence
	DropSequence
	CreateDatabase
	AlterDatabase
	DropDatabase

	// Programs stored in the server.
	CreateTrigger
	DropTrigger
	CreateProcedure
	AlterProcedure
	DropProcedure
	CreateFunction
	AlterFunction
	DropFunction
	CreateLoadableFunction
	CreateEvent
	AlterEvent
	DropEvent
	CreatePackage
	AlterPackage
	DropPackage
	CreateLibrary
	AlterLibrary
	DropLibrary

	// Transactions and locks.
	Begin
	Commit
	Rollback
	Savepoint
	RollbackToSavepoint
	ReleaseSavepoint
	SetTransaction
	XA
	LockTables
	UnlockTables
	LockInstance
	UnlockInstance

	// The session.
	Set
	SetNames
	SetCharacterSet
	SetStatement // MariaDB's SET STATEMENT v = … FOR statement
	SetPassword
	SetRole
	SetDefaultRole
	SetResourceGroup
	Use
	Prepare
	Execute
	Deallocate
	ExecuteImmediate

	// Programs without a name, and diagnostics.
	Compound // BEGIN NOT ATOMIC … END, and IF, CASE, LOOP, WHILE, REPEAT, FOR outside a stored program
	Signal
	Resignal
	GetDiagnostics

	// What the server tells.
	Show
	ShowTables // and SHOW TABLE STATUS, SHOW OPEN TABLES
	ShowColumns
	ShowIndex
	ShowCreateTable // and SHOW CREATE VIEW, SEQUENCE
	ShowCreateProgram
	ShowWarnings // and SHOW ERRORS
	ShowProcesslist
	ShowBinlogEvents
	Help

	// Accounts.
	CreateUser
	AlterUser
	DropUser
	RenameUser
	CreateRole
	DropRole
	Grant
	Revoke

	// Upkeep of tables.
	AnalyzeTable
	CheckTable
	ChecksumTable
	OptimizeTable
	RepairTable
	CheckView
	CacheIndex
	LoadIndex

	// The server.
	Flush
	Reset
	Kill
	Shutdown
	Restart
	Clone
	Backup // MariaDB's BACKUP STAGE, BACKUP LOCK, BACKUP UNLOCK
	Binlog
	PurgeBinaryLogs
	Replication // CHANGE MASTER, CHANGE REPLICATION …, START and STOP of replicas
	InstallPlugin
	UninstallPlugin
	InstallComponent
	UninstallComponent
	AlterInstance
	CreateServer
	AlterServer
	DropServer
	CreateTablespace // and undo tablespaces, log file groups
	AlterTablespace
	DropTablespace
	CreateResourceGroup
	AlterResourceGroup
	DropResourceGroup
	CreateSpatialReferenceSystem
	DropSpatialReferenceSystem
	TiDBStatement // TiDB's own: ADMIN, SPLIT, RECOVER, FLASHBACK, BATCH, TRACE, …
	VitessStatement

	kindsEnd
)

// traits are what is true of a kind wherever it is used.
type traits struct {
	name string
	flags
}

type flags uint8

const (
	commits  flags = 1 << iota // the server commits before (dev.mysql.com/doc/refman/en/implicit-commit.html)
	stale                      // any part of the session's state may have changed
	program                    // it has statements in it, with semicolons: Kind.IsProgram
	reusable                   // its effects are the same for every text of one template
)

// kinds are the traits, by kind. The name is the statement's in the manual.
var kinds = [kindsEnd]traits{
	Unknown: {"unknown", stale},
	Empty:   {"empty", reusable},

	Select:         {"SELECT", reusable},
	SelectIntoFile: {"SELECT … INTO OUTFILE", 0},
	SetOperation:   {"UNION", reusable},
	Values:         {"VALUES", reusable},
	Table:          {"TABLE", reusable},
	Insert:         {"INSERT", reusable},
	Replace:        {"REPLACE", reusable},
	Update:         {"UPDATE", reusable},
	Delete:         {"DELETE", reusable},
	LoadData:       {"LOAD DATA", 0},
	LoadXML:        {"LOAD XML", 0},
	ImportTable:    {"IMPORT TABLE", commits},
	Do:             {"DO", reusable},
	Call:           {"CALL", stale | reusable},
	Handler:        {"HANDLER", reusable},
	Explain:        {"EXPLAIN", reusable},
	Describe:       {"DESCRIBE", reusable},

	CreateTable:    {"CREATE TABLE", commits},
	AlterTable:     {"ALTER TABLE", commits},
	DropTable:      {"DROP TABLE", commits},
	RenameTable:    {"RENAME TABLE", commits},
	TruncateTable:  {"TRUNCATE TABLE", commits},
	CreateIndex:    {"CREATE INDEX", commits},
	DropIndex:      {"DROP INDEX", commits},
	CreateView:     {"CREATE VIEW", commits},
	AlterView:      {"ALTER VIEW", commits},
	DropView:       {"DROP VIEW", commits},
	CreateSequence: {"CREATE SEQUENCE", commits},
	AlterSequence:  {"ALTER SEQUENCE", commits},
	DropSequence:   {"DROP SEQUENCE", commits},
	CreateDatabase: {"CREATE DATABASE", commits},
	AlterDatabase:  {"ALTER DATABASE", commits},
	DropDatabase:   {"DROP DATABASE", commits},

	CreateTrigger:          {"CREATE TRIGGER", commits | program},
	DropTrigger:            {"DROP TRIGGER", commits},
	CreateProcedure:        {"CREATE PROCEDURE", commits | program},
	AlterProcedure:         {"ALTER PROCEDURE", commits},
	DropProcedure:          {"DROP PROCEDURE", commits},
	CreateFunction:         {"CREATE FUNCTION", commits | program},
	AlterFunction:          {"ALTER FUNCTION", commits},
	DropFunction:           {"DROP FUNCTION", commits},
	CreateLoadableFunction: {"CREATE FUNCTION … SONAME", commits},
	CreateEvent:            {"CREATE EVENT", commits | program},
	AlterEvent:             {"ALTER EVENT", commits | program},
	DropEvent:              {"DROP EVENT", commits},
	CreatePackage:          {"CREATE PACKAGE", commits | program},
	AlterPackage:           {"ALTER PACKAGE", commits},
	DropPackage:            {"DROP PACKAGE", commits},
	CreateLibrary:          {"CREATE LIBRARY", commits},
	AlterLibrary:           {"ALTER LIBRARY", commits},
	DropLibrary:            {"DROP LIBRARY", commits},

	Begin:               {"BEGIN", commits | reusable},
	Commit:              {"COMMIT", reusable},
	Rollback:            {"ROLLBACK", reusable},
	Savepoint:           {"SAVEPOINT", reusable},
	RollbackToSavepoint: {"ROLLBACK TO SAVEPOINT", reusable},
	ReleaseSavepoint:    {"RELEASE SAVEPOINT", reusable},
	SetTransaction:      {"SET TRANSACTION", reusable},
	XA:                  {"XA", 0},
	LockTables:          {"LOCK TABLES", commits | reusable},
	UnlockTables:        {"UNLOCK TABLES", reusable},
	LockInstance:        {"LOCK INSTANCE", reusable},
	UnlockInstance:      {"UNLOCK INSTANCE", reusable},

	Set:              {"SET", reusable},
	SetNames:         {"SET NAMES", reusable},
	SetCharacterSet:  {"SET CHARACTER SET", reusable},
	SetStatement:     {"SET STATEMENT", 0},
	SetPassword:      {"SET PASSWORD", commits},
	SetRole:          {"SET ROLE", reusable},
	SetDefaultRole:   {"SET DEFAULT ROLE", commits},
	SetResourceGroup: {"SET RESOURCE GROUP", 0},
	Use:              {"USE", reusable},
	Prepare:          {"PREPARE", 0},
	Execute:          {"EXECUTE", stale | reusable},
	Deallocate:       {"DEALLOCATE PREPARE", reusable},
	ExecuteImmediate: {"EXECUTE IMMEDIATE", stale},

	Compound:       {"BEGIN NOT ATOMIC", stale | program},
	Signal:         {"SIGNAL", 0},
	Resignal:       {"RESIGNAL", 0},
	GetDiagnostics: {"GET DIAGNOSTICS", reusable},

	Show:              {"SHOW", reusable},
	ShowTables:        {"SHOW TABLES", reusable},
	ShowColumns:       {"SHOW COLUMNS", reusable},
	ShowIndex:         {"SHOW INDEX", reusable},
	ShowCreateTable:   {"SHOW CREATE TABLE", reusable},
	ShowCreateProgram: {"SHOW CREATE PROCEDURE", reusable},
	ShowWarnings:      {"SHOW WARNINGS", reusable},
	ShowProcesslist:   {"SHOW PROCESSLIST", reusable},
	ShowBinlogEvents:  {"SHOW BINLOG EVENTS", 0},
	Help:              {"HELP", 0},

	CreateUser: {"CREATE USER", commits},
	AlterUser:  {"ALTER USER", commits},
	DropUser:   {"DROP USER", commits},
	RenameUser: {"RENAME USER", commits},
	CreateRole: {"CREATE ROLE", commits},
	DropRole:   {"DROP ROLE", commits},
	Grant:      {"GRANT", commits},
	Revoke:     {"REVOKE", commits},

	AnalyzeTable:  {"ANALYZE TABLE", commits},
	CheckTable:    {"CHECK TABLE", commits},
	ChecksumTable: {"CHECKSUM TABLE", 0},
	OptimizeTable: {"OPTIMIZE TABLE", commits},
	RepairTable:   {"REPAIR TABLE", commits},
	CheckView:     {"CHECK VIEW", commits},
	CacheIndex:    {"CACHE INDEX", commits},
	LoadIndex:     {"LOAD INDEX", commits},

	Flush:               {"FLUSH", commits},
	Reset:               {"RESET", commits},
	Kill:                {"KILL", 0},
	Shutdown:            {"SHUTDOWN", 0},
	Restart:             {"RESTART", 0},
	Clone:               {"CLONE", 0},
	Backup:              {"BACKUP STAGE", commits},
	Binlog:              {"BINLOG", stale},
	PurgeBinaryLogs:     {"PURGE BINARY LOGS", 0},
	Replication:         {"CHANGE REPLICATION SOURCE", commits},
	InstallPlugin:       {"INSTALL PLUGIN", commits},
	UninstallPlugin:     {"UNINSTALL PLUGIN", commits},
	InstallComponent:    {"INSTALL COMPONENT", commits},
	UninstallComponent:  {"UNINSTALL COMPONENT", commits},
	AlterInstance:       {"ALTER INSTANCE", commits},
	CreateServer:        {"CREATE SERVER", commits},
	AlterServer:         {"ALTER SERVER", commits},
	DropServer:          {"DROP SERVER", commits},
	CreateTablespace:    {"CREATE TABLESPACE", commits},
	AlterTablespace:     {"ALTER TABLESPACE", commits},
	DropTablespace:      {"DROP TABLESPACE", commits},
	CreateResourceGroup: {"CREATE RESOURCE GROUP", commits},
	AlterResourceGroup:  {"ALTER RESOURCE GROUP", commits},
	DropResourceGroup:   {"DROP RESOURCE GROUP", commits},

	CreateSpatialReferenceSystem: {"CREATE SPATIAL REFERENCE SYSTEM", commits},
	DropSpatialReferenceSystem:   {"DROP SPATIAL REFERENCE SYSTEM", commits},

	TiDBStatement:   {"ADMIN", 0},
	VitessStatement: {"VEXPLAIN", 0},
}

// String is the statement's name as the manual writes it.
func (k Kind) String() string {
	if k >= kindsEnd {
		return kinds[Unknown].name
	}
	return kinds[k].name
}

// Kinds returns every kind, in the order of the table.
func Kinds() []Kind {
	all := make([]Kind, kindsEnd)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Reusable says that what [Parse] says of one text of this kind is true of
// every other text with the same template, so that it may be cached.
func (k Kind) Reusable() bool { return k < kindsEnd && kinds[k].flags&reusable != 0 }

// IsProgram says that a statement of the kind has others in it, which run when it does or later.
func (k Kind) IsProgram() bool { return k < kindsEnd && kinds[k].flags&program != 0 }

// ReadsFile says that a statement of the kind may read a file of the client's, whose frames are
// not numbered as the one answer to several statements is.
func (k Kind) ReadsFile() bool { return k == LoadData || k == LoadXML || k == SetStatement }
