package ast

import "vitess.io/vitess/go/vt/sqlparser"

// SelectExpr and the types after it: what a query selects.
type (
	SelectExpr  = sqlparser.SelectExpr
	SelectExprs = sqlparser.SelectExprs
	StarExpr    = sqlparser.StarExpr
	AliasedExpr = sqlparser.AliasedExpr
	Nextval     = sqlparser.Nextval
)

// TableExpr and the types after it: where it selects from.
type (
	TableExpr          = sqlparser.TableExpr
	TableExprs         = sqlparser.TableExprs
	SimpleTableExpr    = sqlparser.SimpleTableExpr
	AliasedTableExpr   = sqlparser.AliasedTableExpr
	JoinTableExpr      = sqlparser.JoinTableExpr
	JoinCondition      = sqlparser.JoinCondition
	ParenTableExpr     = sqlparser.ParenTableExpr
	DerivedTable       = sqlparser.DerivedTable
	JSONTableExpr      = sqlparser.JSONTableExpr
	JtColumnDefinition = sqlparser.JtColumnDefinition
	JtOnResponse       = sqlparser.JtOnResponse
	IndexHint          = sqlparser.IndexHint
	IndexHints         = sqlparser.IndexHints
	Partitions         = sqlparser.Partitions
)

// With and the types after it: its clauses.
type (
	With                = sqlparser.With
	CommonTableExpr     = sqlparser.CommonTableExpr
	Where               = sqlparser.Where
	GroupBy             = sqlparser.GroupBy
	OrderBy             = sqlparser.OrderBy
	Order               = sqlparser.Order
	Limit               = sqlparser.Limit
	SelectInto          = sqlparser.SelectInto
	NamedWindow         = sqlparser.NamedWindow
	NamedWindows        = sqlparser.NamedWindows
	WindowDefinition    = sqlparser.WindowDefinition
	WindowDefinitions   = sqlparser.WindowDefinitions
	WindowSpecification = sqlparser.WindowSpecification
	OverClause          = sqlparser.OverClause
	FrameClause         = sqlparser.FrameClause
	FramePoint          = sqlparser.FramePoint
)

// IdentifierCI and the types after it: names. In an IdentifierCI case does not
// matter; in an IdentifierCS it does.
type (
	IdentifierCI = sqlparser.IdentifierCI
	IdentifierCS = sqlparser.IdentifierCS
	TableName    = sqlparser.TableName
	TableNames   = sqlparser.TableNames
	Columns      = sqlparser.Columns
)

// ParsedComments and the types after it: comments, of which only optimizer
// hints are kept.
type (
	ParsedComments = sqlparser.ParsedComments
)
