package ast

import "vitess.io/vitess/go/vt/sqlparser"

// Literal and the types after it: values.
type (
	Literal        = sqlparser.Literal
	Argument       = sqlparser.Argument
	ListArg        = sqlparser.ListArg
	NullVal        = sqlparser.NullVal
	BoolVal        = sqlparser.BoolVal
	ColName        = sqlparser.ColName
	Variable       = sqlparser.Variable
	Default        = sqlparser.Default
	IntroducerExpr = sqlparser.IntroducerExpr
	ValTuple       = sqlparser.ValTuple
	ColTuple       = sqlparser.ColTuple
	Subquery       = sqlparser.Subquery
)

// AndExpr and the types after it: logic and comparison.
type (
	AndExpr        = sqlparser.AndExpr
	OrExpr         = sqlparser.OrExpr
	XorExpr        = sqlparser.XorExpr
	NotExpr        = sqlparser.NotExpr
	ComparisonExpr = sqlparser.ComparisonExpr
	BetweenExpr    = sqlparser.BetweenExpr
	IsExpr         = sqlparser.IsExpr
	ExistsExpr     = sqlparser.ExistsExpr
	MemberOfExpr   = sqlparser.MemberOfExpr
	MatchExpr      = sqlparser.MatchExpr
)

// BinaryExpr and the types after it: operators and forms that are no functions.
type (
	BinaryExpr       = sqlparser.BinaryExpr
	UnaryExpr        = sqlparser.UnaryExpr
	CollateExpr      = sqlparser.CollateExpr
	CaseExpr         = sqlparser.CaseExpr
	When             = sqlparser.When
	IntervalDateExpr = sqlparser.IntervalDateExpr
	AssignmentExpr   = sqlparser.AssignmentExpr
	CastExpr         = sqlparser.CastExpr
	ConvertExpr      = sqlparser.ConvertExpr
	ConvertUsingExpr = sqlparser.ConvertUsingExpr
	ConvertType      = sqlparser.ConvertType
	Exprs            = sqlparser.Exprs
	Offset           = sqlparser.Offset
)

// Callable and the types after it: interfaces of functions: all with a name and
// arguments, the aggregates, those over a window.
type (
	Callable         = sqlparser.Callable
	AggrFunc         = sqlparser.AggrFunc
	WindowFunc       = sqlparser.WindowFunc
	DistinctableAggr = sqlparser.DistinctableAggr
)

// FuncExpr and the types after it: functions without a grammar of their own,
// and VALUES(column).
type (
	FuncExpr       = sqlparser.FuncExpr
	ValuesFuncExpr = sqlparser.ValuesFuncExpr
)

// Count and the types after it: aggregates.
type (
	Count           = sqlparser.Count
	CountStar       = sqlparser.CountStar
	Sum             = sqlparser.Sum
	Avg             = sqlparser.Avg
	Min             = sqlparser.Min
	Max             = sqlparser.Max
	AnyValue        = sqlparser.AnyValue
	BitAnd          = sqlparser.BitAnd
	BitOr           = sqlparser.BitOr
	BitXor          = sqlparser.BitXor
	GroupConcatExpr = sqlparser.GroupConcatExpr
	Std             = sqlparser.Std
	StdDev          = sqlparser.StdDev
	StdPop          = sqlparser.StdPop
	StdSamp         = sqlparser.StdSamp
	VarPop          = sqlparser.VarPop
	VarSamp         = sqlparser.VarSamp
	Variance        = sqlparser.Variance
	JSONArrayAgg    = sqlparser.JSONArrayAgg
	JSONObjectAgg   = sqlparser.JSONObjectAgg
)

// ArgumentLessWindowExpr and the types after it: functions over a window only.
type (
	ArgumentLessWindowExpr = sqlparser.ArgumentLessWindowExpr
	FirstOrLastValueExpr   = sqlparser.FirstOrLastValueExpr
	NtileExpr              = sqlparser.NtileExpr
	NTHValueExpr           = sqlparser.NTHValueExpr
	LagLeadExpr            = sqlparser.LagLeadExpr
	NullTreatmentClause    = sqlparser.NullTreatmentClause
	FromFirstLastClause    = sqlparser.FromFirstLastClause
)
