package ast

import "vitess.io/vitess/go/vt/sqlparser"

// Statements that read.
type (
	// Select is a SELECT without set operations.
	Select = sqlparser.Select
	// Union is a UNION of two queries; longer chains are nested to the left.
	Union = sqlparser.Union
	// ValuesStatement is a VALUES ROW(…), … that stands alone or in a derived table.
	ValuesStatement = sqlparser.ValuesStatement
	// ExplainStmt is EXPLAIN of a statement.
	ExplainStmt = sqlparser.ExplainStmt
	// ExplainTab is DESCRIBE of a table.
	ExplainTab = sqlparser.ExplainTab
)

// The interfaces that statements implement beside Statement: what may stand
// where a query may, what may be a derived table, and statements that define
// tables.
type (
	// SelectStatement is what may stand where a query may: Select, Union, ValuesStatement.
	SelectStatement = sqlparser.SelectStatement
	// TableStatement is what may be a derived table or the source of an INSERT.
	TableStatement = sqlparser.TableStatement
	// DDLStatement is a statement that defines tables or views.
	DDLStatement = sqlparser.DDLStatement
	// DBDDLStatement is a statement that defines a schema.
	DBDDLStatement = sqlparser.DBDDLStatement
)

// Statements that write. The rows of an INSERT are Values, or a TableStatement.
type (
	// Insert is an INSERT or a REPLACE; INSERT … SET is one with columns and a row.
	Insert = sqlparser.Insert
	// Update is an UPDATE of one table or more.
	Update = sqlparser.Update
	// Delete is a DELETE from one table or more.
	Delete = sqlparser.Delete
	// InsertRows is what an Insert takes its rows from: Values or a TableStatement.
	InsertRows = sqlparser.InsertRows
	// Values is the rows of an INSERT.
	Values = sqlparser.Values
	// OnDup is ON DUPLICATE KEY UPDATE.
	OnDup = sqlparser.OnDup
	// RowAlias is AS new (a, b) after the rows of an INSERT.
	RowAlias = sqlparser.RowAlias
	// UpdateExpr is one assignment of an UPDATE.
	UpdateExpr = sqlparser.UpdateExpr
	// UpdateExprs is the assignments of an UPDATE.
	UpdateExprs = sqlparser.UpdateExprs
	// CallProc is a CALL.
	CallProc = sqlparser.CallProc
)

// Statements that define tables. CREATE INDEX and DROP INDEX are AlterTable.
type (
	// CreateTable is a CREATE TABLE.
	CreateTable = sqlparser.CreateTable
	// AlterTable is an ALTER TABLE, a CREATE INDEX or a DROP INDEX.
	AlterTable = sqlparser.AlterTable
	// DropTable is a DROP TABLE.
	DropTable = sqlparser.DropTable
	// RenameTable is a RENAME TABLE.
	RenameTable = sqlparser.RenameTable
	// RenameTablePair is one renaming of a RENAME TABLE.
	RenameTablePair = sqlparser.RenameTablePair
	// TruncateTable is a TRUNCATE TABLE.
	TruncateTable = sqlparser.TruncateTable
)

// Statements that define other things.
type (
	// CreateDatabase is a CREATE DATABASE.
	CreateDatabase = sqlparser.CreateDatabase
	// AlterDatabase is an ALTER DATABASE.
	AlterDatabase = sqlparser.AlterDatabase
	// DropDatabase is a DROP DATABASE.
	DropDatabase = sqlparser.DropDatabase
	// DatabaseOption is a character set or collation of a schema.
	DatabaseOption = sqlparser.DatabaseOption
	// CreateView is a CREATE VIEW.
	CreateView = sqlparser.CreateView
	// AlterView is an ALTER VIEW.
	AlterView = sqlparser.AlterView
	// DropView is a DROP VIEW.
	DropView = sqlparser.DropView
	// CreateProcedure is a CREATE PROCEDURE.
	CreateProcedure = sqlparser.CreateProcedure
	// DropProcedure is a DROP PROCEDURE.
	DropProcedure = sqlparser.DropProcedure
	// Definer is the account that a view or program runs as.
	Definer = sqlparser.Definer
)

// Statements about tables as a whole, and about the session.
type (
	// Analyze is an ANALYZE TABLE.
	Analyze = sqlparser.Analyze
	// LockTables is a LOCK TABLES.
	LockTables = sqlparser.LockTables
	// UnlockTables is an UNLOCK TABLES.
	UnlockTables = sqlparser.UnlockTables
	// TableAndLockType is one table of a LOCK TABLES.
	TableAndLockType = sqlparser.TableAndLockType
	// TableAndLockTypes is the tables of a LOCK TABLES.
	TableAndLockTypes = sqlparser.TableAndLockTypes
	// Set is a SET.
	Set = sqlparser.Set
	// SetExpr is one assignment of a SET.
	SetExpr = sqlparser.SetExpr
	// SetExprs is the assignments of a SET.
	SetExprs = sqlparser.SetExprs
	// Use is a USE.
	Use = sqlparser.Use
	// Begin is a BEGIN or START TRANSACTION.
	Begin = sqlparser.Begin
	// Commit is a COMMIT.
	Commit = sqlparser.Commit
	// Rollback is a ROLLBACK.
	Rollback = sqlparser.Rollback
	// SRollback is a ROLLBACK TO SAVEPOINT.
	SRollback = sqlparser.SRollback
	// Savepoint is a SAVEPOINT.
	Savepoint = sqlparser.Savepoint
	// Release is a RELEASE SAVEPOINT.
	Release = sqlparser.Release
	// PrepareStmt is a PREPARE.
	PrepareStmt = sqlparser.PrepareStmt
	// ExecuteStmt is an EXECUTE.
	ExecuteStmt = sqlparser.ExecuteStmt
	// DeallocateStmt is a DEALLOCATE PREPARE.
	DeallocateStmt = sqlparser.DeallocateStmt
)

// Statements about the server.
type (
	// Show is a SHOW; what it shows is in its Internal.
	Show = sqlparser.Show
	// ShowInternal is what a Show shows.
	ShowInternal = sqlparser.ShowInternal
	// ShowBasic is most forms of SHOW.
	ShowBasic = sqlparser.ShowBasic
	// ShowCreate is a SHOW CREATE.
	ShowCreate = sqlparser.ShowCreate
	// ShowFilter is the LIKE or WHERE of a SHOW.
	ShowFilter = sqlparser.ShowFilter
	// ShowEngine is a SHOW ENGINE.
	ShowEngine = sqlparser.ShowEngine
	// ShowGrants is a SHOW GRANTS.
	ShowGrants = sqlparser.ShowGrants
	// Kill is a KILL.
	Kill = sqlparser.Kill
	// Flush is a FLUSH.
	Flush = sqlparser.Flush
	// PurgeBinaryLogs is a PURGE BINARY LOGS.
	PurgeBinaryLogs = sqlparser.PurgeBinaryLogs
)
