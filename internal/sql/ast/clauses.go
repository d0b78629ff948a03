package ast

import "vitess.io/vitess/go/vt/sqlparser"

// What a query selects.
type (
	// SelectExpr is one entry of a select list.
	SelectExpr = sqlparser.SelectExpr
	// SelectExprs is a select list.
	SelectExprs = sqlparser.SelectExprs
	// StarExpr is * or t.*.
	StarExpr = sqlparser.StarExpr
	// AliasedExpr is an expression of a select list, with its alias if it has one.
	AliasedExpr = sqlparser.AliasedExpr
	// Nextval is NEXT VALUE; to MariaDB it means another thing.
	Nextval = sqlparser.Nextval
)

// Where it selects from.
type (
	// TableExpr is an entry of FROM.
	TableExpr = sqlparser.TableExpr
	// TableExprs is the entries of FROM that commas separate.
	TableExprs = sqlparser.TableExprs
	// SimpleTableExpr is what an AliasedTableExpr names: TableName or DerivedTable.
	SimpleTableExpr = sqlparser.SimpleTableExpr
	// AliasedTableExpr is a table or derived table with its alias, partitions and hints.
	AliasedTableExpr = sqlparser.AliasedTableExpr
	// JoinTableExpr is a join of two.
	JoinTableExpr = sqlparser.JoinTableExpr
	// JoinCondition is the ON or USING of a join.
	JoinCondition = sqlparser.JoinCondition
	// ParenTableExpr is tables in parentheses.
	ParenTableExpr = sqlparser.ParenTableExpr
	// DerivedTable is a query in FROM.
	DerivedTable = sqlparser.DerivedTable
	// JSONTableExpr is a JSON_TABLE.
	JSONTableExpr = sqlparser.JSONTableExpr
	// JtColumnDefinition is one column of a JSON_TABLE.
	JtColumnDefinition = sqlparser.JtColumnDefinition
	// JtOnResponse is the ON EMPTY or ON ERROR of such a column.
	JtOnResponse = sqlparser.JtOnResponse
	// IndexHint is USE, IGNORE or FORCE INDEX.
	IndexHint = sqlparser.IndexHint
	// IndexHints is all hints of a table.
	IndexHints = sqlparser.IndexHints
	// Partitions is PARTITION (p0, …) of a table.
	Partitions = sqlparser.Partitions
)

// Its clauses.
type (
	// With is the WITH of a statement.
	With = sqlparser.With
	// CommonTableExpr is one query that WITH names.
	CommonTableExpr = sqlparser.CommonTableExpr
	// Where is a WHERE or a HAVING.
	Where = sqlparser.Where
	// GroupBy is a GROUP BY.
	GroupBy = sqlparser.GroupBy
	// OrderBy is an ORDER BY.
	OrderBy = sqlparser.OrderBy
	// Order is one expression of an ORDER BY.
	Order = sqlparser.Order
	// Limit is a LIMIT.
	Limit = sqlparser.Limit
	// SelectInto is an INTO of a query.
	SelectInto = sqlparser.SelectInto
	// NamedWindow is one WINDOW clause.
	NamedWindow = sqlparser.NamedWindow
	// NamedWindows is the WINDOW clauses.
	NamedWindows = sqlparser.NamedWindows
	// WindowDefinition is a window with its name.
	WindowDefinition = sqlparser.WindowDefinition
	// WindowDefinitions is the windows of one WINDOW clause.
	WindowDefinitions = sqlparser.WindowDefinitions
	// WindowSpecification is what is in the parentheses of a window.
	WindowSpecification = sqlparser.WindowSpecification
	// OverClause is an OVER.
	OverClause = sqlparser.OverClause
	// FrameClause is ROWS or RANGE of a window.
	FrameClause = sqlparser.FrameClause
	// FramePoint is one end of a frame.
	FramePoint = sqlparser.FramePoint
)

// Names. In an IdentifierCI case does not matter; in an IdentifierCS it does.
type (
	// IdentifierCI is a name whose case does not matter: of a column, an index, an alias of a column.
	IdentifierCI = sqlparser.IdentifierCI
	// IdentifierCS is a name whose case may matter: of a schema, a table, an alias of a table.
	IdentifierCS = sqlparser.IdentifierCS
	// TableName is a table's name, with the schema's if it is there.
	TableName = sqlparser.TableName
	// TableNames is several.
	TableNames = sqlparser.TableNames
	// Columns is names of columns in parentheses.
	Columns = sqlparser.Columns
)

// Comments, of which only optimizer hints are kept.
type (
	// ParsedComments is the optimizer hints of a statement.
	ParsedComments = sqlparser.ParsedComments
)
