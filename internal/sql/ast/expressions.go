package ast

import "vitess.io/vitess/go/vt/sqlparser"

// Values.
type (
	// Literal is a number or string that is part of the statement's form, or not a place.
	Literal = sqlparser.Literal
	// Argument is a bind variable: a place, a parameter or a slot.
	Argument = sqlparser.Argument
	// ListArg is a bind variable of several values, which no tree of ours has.
	ListArg = sqlparser.ListArg
	// NullVal is NULL.
	NullVal = sqlparser.NullVal
	// BoolVal is TRUE or FALSE.
	BoolVal = sqlparser.BoolVal
	// ColName is a column, perhaps with its table and schema.
	ColName = sqlparser.ColName
	// Variable is a user variable or a system variable.
	Variable = sqlparser.Variable
	// Default is DEFAULT or DEFAULT(column).
	Default = sqlparser.Default
	// IntroducerExpr is _utf8mb4 before a literal.
	IntroducerExpr = sqlparser.IntroducerExpr
	// ValTuple is expressions in parentheses: a row, or the list of an IN.
	ValTuple = sqlparser.ValTuple
	// ColTuple is what may be right of an IN.
	ColTuple = sqlparser.ColTuple
	// Subquery is a query in parentheses that is an expression.
	Subquery = sqlparser.Subquery
)

// Logic and comparison.
type (
	// AndExpr is a AND b.
	AndExpr = sqlparser.AndExpr
	// OrExpr is a OR b.
	OrExpr = sqlparser.OrExpr
	// XorExpr is a XOR b.
	XorExpr = sqlparser.XorExpr
	// NotExpr is NOT a.
	NotExpr = sqlparser.NotExpr
	// ComparisonExpr is a comparison, IN, LIKE and REGEXP included.
	ComparisonExpr = sqlparser.ComparisonExpr
	// BetweenExpr is a [NOT] BETWEEN b AND c.
	BetweenExpr = sqlparser.BetweenExpr
	// IsExpr is a IS [NOT] NULL, TRUE or FALSE.
	IsExpr = sqlparser.IsExpr
	// ExistsExpr is EXISTS of a query.
	ExistsExpr = sqlparser.ExistsExpr
	// MemberOfExpr is a MEMBER OF (b).
	MemberOfExpr = sqlparser.MemberOfExpr
	// MatchExpr is MATCH … AGAINST.
	MatchExpr = sqlparser.MatchExpr
)

// Operators and forms that are no functions.
type (
	// BinaryExpr is an operator of arithmetic or bits between two.
	BinaryExpr = sqlparser.BinaryExpr
	// UnaryExpr is a sign, ~ or ! before one.
	UnaryExpr = sqlparser.UnaryExpr
	// CollateExpr is a COLLATE name.
	CollateExpr = sqlparser.CollateExpr
	// CaseExpr is a CASE.
	CaseExpr = sqlparser.CaseExpr
	// When is one WHEN of a CASE.
	When = sqlparser.When
	// IntervalDateExpr is a date and an INTERVAL, as operators or as a function.
	IntervalDateExpr = sqlparser.IntervalDateExpr
	// AssignmentExpr is @a := b.
	AssignmentExpr = sqlparser.AssignmentExpr
	// CastExpr is a CAST.
	CastExpr = sqlparser.CastExpr
	// ConvertExpr is a CONVERT to a type, and BINARY a.
	ConvertExpr = sqlparser.ConvertExpr
	// ConvertUsingExpr is a CONVERT … USING.
	ConvertUsingExpr = sqlparser.ConvertUsingExpr
	// ConvertType is the type of a CAST or CONVERT.
	ConvertType = sqlparser.ConvertType
	// Exprs is expressions of a partition.
	Exprs = sqlparser.Exprs
	// Offset is a column by its number, which no tree of ours has.
	Offset = sqlparser.Offset
)

// Interfaces of functions: all with a name and arguments, the aggregates, those
// over a window.
type (
	// Callable is a function of any sort.
	Callable = sqlparser.Callable
	// AggrFunc is an aggregate.
	AggrFunc = sqlparser.AggrFunc
	// WindowFunc is a function that may have an OVER.
	WindowFunc = sqlparser.WindowFunc
	// DistinctableAggr is an aggregate that may have a DISTINCT.
	DistinctableAggr = sqlparser.DistinctableAggr
)

// Functions without a grammar of their own, and VALUES(column).
type (
	// FuncExpr is a function that is called by its name.
	FuncExpr = sqlparser.FuncExpr
	// ValuesFuncExpr is VALUES(column) after ON DUPLICATE KEY UPDATE.
	ValuesFuncExpr = sqlparser.ValuesFuncExpr
)

// Aggregates.
type (
	// Count is COUNT(…).
	Count = sqlparser.Count
	// CountStar is COUNT(*).
	CountStar = sqlparser.CountStar
	// Sum is SUM.
	Sum = sqlparser.Sum
	// Avg is AVG.
	Avg = sqlparser.Avg
	// Min is MIN.
	Min = sqlparser.Min
	// Max is MAX.
	Max = sqlparser.Max
	// AnyValue is ANY_VALUE.
	AnyValue = sqlparser.AnyValue
	// BitAnd is BIT_AND.
	BitAnd = sqlparser.BitAnd
	// BitOr is BIT_OR.
	BitOr = sqlparser.BitOr
	// BitXor is BIT_XOR.
	BitXor = sqlparser.BitXor
	// GroupConcatExpr is GROUP_CONCAT.
	GroupConcatExpr = sqlparser.GroupConcatExpr
	// Std is STD.
	Std = sqlparser.Std
	// StdDev is STDDEV.
	StdDev = sqlparser.StdDev
	// StdPop is STDDEV_POP.
	StdPop = sqlparser.StdPop
	// StdSamp is STDDEV_SAMP.
	StdSamp = sqlparser.StdSamp
	// VarPop is VAR_POP.
	VarPop = sqlparser.VarPop
	// VarSamp is VAR_SAMP.
	VarSamp = sqlparser.VarSamp
	// Variance is VARIANCE.
	Variance = sqlparser.Variance
	// JSONArrayAgg is JSON_ARRAYAGG.
	JSONArrayAgg = sqlparser.JSONArrayAgg
	// JSONObjectAgg is JSON_OBJECTAGG.
	JSONObjectAgg = sqlparser.JSONObjectAgg
)

// Functions over a window only.
type (
	// ArgumentLessWindowExpr is ROW_NUMBER(), RANK() and their like.
	ArgumentLessWindowExpr = sqlparser.ArgumentLessWindowExpr
	// FirstOrLastValueExpr is FIRST_VALUE or LAST_VALUE.
	FirstOrLastValueExpr = sqlparser.FirstOrLastValueExpr
	// NtileExpr is NTILE.
	NtileExpr = sqlparser.NtileExpr
	// NTHValueExpr is NTH_VALUE.
	NTHValueExpr = sqlparser.NTHValueExpr
	// LagLeadExpr is LAG or LEAD.
	LagLeadExpr = sqlparser.LagLeadExpr
	// NullTreatmentClause is RESPECT NULLS or IGNORE NULLS.
	NullTreatmentClause = sqlparser.NullTreatmentClause
	// FromFirstLastClause is FROM FIRST or FROM LAST.
	FromFirstLastClause = sqlparser.FromFirstLastClause
)
