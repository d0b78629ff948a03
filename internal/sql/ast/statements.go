package ast

import "vitess.io/vitess/go/vt/sqlparser"

// Select and the types after it: statements that read.
type (
	Select          = sqlparser.Select
	Union           = sqlparser.Union
	ValuesStatement = sqlparser.ValuesStatement
	ExplainStmt     = sqlparser.ExplainStmt
	ExplainTab      = sqlparser.ExplainTab
)

// SelectStatement and the types after it: the interfaces that statements
// implement beside Statement: what may stand where a query may, what may be a
// derived table, and statements that define tables.
type (
	SelectStatement = sqlparser.SelectStatement
	TableStatement  = sqlparser.TableStatement
	DDLStatement    = sqlparser.DDLStatement
	DBDDLStatement  = sqlparser.DBDDLStatement
)

// Insert and the types after it: statements that write. The rows of an INSERT
// are Values, or a TableStatement.
type (
	Insert      = sqlparser.Insert
	Update      = sqlparser.Update
	Delete      = sqlparser.Delete
	InsertRows  = sqlparser.InsertRows
	Values      = sqlparser.Values
	OnDup       = sqlparser.OnDup
	RowAlias    = sqlparser.RowAlias
	UpdateExpr  = sqlparser.UpdateExpr
	UpdateExprs = sqlparser.UpdateExprs
	CallProc    = sqlparser.CallProc
)

// CreateTable and the types after it: statements that define tables. CREATE
// INDEX and DROP INDEX are AlterTable.
type (
	CreateTable     = sqlparser.CreateTable
	AlterTable      = sqlparser.AlterTable
	DropTable       = sqlparser.DropTable
	RenameTable     = sqlparser.RenameTable
	RenameTablePair = sqlparser.RenameTablePair
	TruncateTable   = sqlparser.TruncateTable
)

// CreateDatabase and the types after it: statements that define other things.
type (
	CreateDatabase  = sqlparser.CreateDatabase
	AlterDatabase   = sqlparser.AlterDatabase
	DropDatabase    = sqlparser.DropDatabase
	DatabaseOption  = sqlparser.DatabaseOption
	CreateView      = sqlparser.CreateView
	AlterView       = sqlparser.AlterView
	DropView        = sqlparser.DropView
	CreateProcedure = sqlparser.CreateProcedure
	DropProcedure   = sqlparser.DropProcedure
	Definer         = sqlparser.Definer
)

// Analyze and the types after it: statements about tables as a whole, and about
// the session.
type (
	Analyze           = sqlparser.Analyze
	LockTables        = sqlparser.LockTables
	UnlockTables      = sqlparser.UnlockTables
	TableAndLockType  = sqlparser.TableAndLockType
	TableAndLockTypes = sqlparser.TableAndLockTypes
	Set               = sqlparser.Set
	SetExpr           = sqlparser.SetExpr
	SetExprs          = sqlparser.SetExprs
	Use               = sqlparser.Use
	Begin             = sqlparser.Begin
	Commit            = sqlparser.Commit
	Rollback          = sqlparser.Rollback
	SRollback         = sqlparser.SRollback
	Savepoint         = sqlparser.Savepoint
	Release           = sqlparser.Release
	PrepareStmt       = sqlparser.PrepareStmt
	ExecuteStmt       = sqlparser.ExecuteStmt
	DeallocateStmt    = sqlparser.DeallocateStmt
)

// Show and the types after it: statements about the server.
type (
	Show            = sqlparser.Show
	ShowInternal    = sqlparser.ShowInternal
	ShowBasic       = sqlparser.ShowBasic
	ShowCreate      = sqlparser.ShowCreate
	ShowFilter      = sqlparser.ShowFilter
	ShowEngine      = sqlparser.ShowEngine
	ShowGrants      = sqlparser.ShowGrants
	Kill            = sqlparser.Kill
	Flush           = sqlparser.Flush
	PurgeBinaryLogs = sqlparser.PurgeBinaryLogs
)
