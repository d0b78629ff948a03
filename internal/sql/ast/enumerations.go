package ast

import "vitess.io/vitess/go/vt/sqlparser"

// ComparisonExprOperator is the comparison of a ComparisonExpr.
type ComparisonExprOperator = sqlparser.ComparisonExprOperator

// The values of [ComparisonExprOperator].
const (
	EqualOp         = sqlparser.EqualOp
	LessThanOp      = sqlparser.LessThanOp
	GreaterThanOp   = sqlparser.GreaterThanOp
	LessEqualOp     = sqlparser.LessEqualOp
	GreaterEqualOp  = sqlparser.GreaterEqualOp
	NotEqualOp      = sqlparser.NotEqualOp
	NullSafeEqualOp = sqlparser.NullSafeEqualOp
	InOp            = sqlparser.InOp
	NotInOp         = sqlparser.NotInOp
	LikeOp          = sqlparser.LikeOp
	NotLikeOp       = sqlparser.NotLikeOp
	RegexpOp        = sqlparser.RegexpOp
	NotRegexpOp     = sqlparser.NotRegexpOp
)

// ComparisonModifier is how often a ComparisonExpr compares: = ANY, = ALL.
type ComparisonModifier = sqlparser.ComparisonModifier

// The values of [ComparisonModifier].
const (
	Missing = sqlparser.Missing
	Any     = sqlparser.Any
	All     = sqlparser.All
)

// IsExprOperator is the test of an IsExpr.
type IsExprOperator = sqlparser.IsExprOperator

// The values of [IsExprOperator].
const (
	IsNullOp     = sqlparser.IsNullOp
	IsNotNullOp  = sqlparser.IsNotNullOp
	IsTrueOp     = sqlparser.IsTrueOp
	IsNotTrueOp  = sqlparser.IsNotTrueOp
	IsFalseOp    = sqlparser.IsFalseOp
	IsNotFalseOp = sqlparser.IsNotFalseOp
)

// BinaryExprOperator is the operator of a BinaryExpr.
type BinaryExprOperator = sqlparser.BinaryExprOperator

// The values of [BinaryExprOperator].
const (
	BitAndOp     = sqlparser.BitAndOp
	BitOrOp      = sqlparser.BitOrOp
	BitXorOp     = sqlparser.BitXorOp
	PlusOp       = sqlparser.PlusOp
	MinusOp      = sqlparser.MinusOp
	MultOp       = sqlparser.MultOp
	DivOp        = sqlparser.DivOp
	IntDivOp     = sqlparser.IntDivOp
	ModOp        = sqlparser.ModOp
	ShiftLeftOp  = sqlparser.ShiftLeftOp
	ShiftRightOp = sqlparser.ShiftRightOp
)

// UnaryExprOperator is the operator of a UnaryExpr.
type UnaryExprOperator = sqlparser.UnaryExprOperator

// The values of [UnaryExprOperator].
const (
	UPlusOp   = sqlparser.UPlusOp
	UMinusOp  = sqlparser.UMinusOp
	TildaOp   = sqlparser.TildaOp
	BangOp    = sqlparser.BangOp
	NStringOp = sqlparser.NStringOp
)

// JoinType is the join of a JoinTableExpr.
type JoinType = sqlparser.JoinType

// The values of [JoinType].
const (
	NormalJoinType       = sqlparser.NormalJoinType
	StraightJoinType     = sqlparser.StraightJoinType
	LeftJoinType         = sqlparser.LeftJoinType
	RightJoinType        = sqlparser.RightJoinType
	NaturalJoinType      = sqlparser.NaturalJoinType
	NaturalLeftJoinType  = sqlparser.NaturalLeftJoinType
	NaturalRightJoinType = sqlparser.NaturalRightJoinType
)

// OrderDirection is the direction of an Order.
type OrderDirection = sqlparser.OrderDirection

// The values of [OrderDirection].
const (
	AscOrder  = sqlparser.AscOrder
	DescOrder = sqlparser.DescOrder
)

// Lock is what rows a Select or Union locks.
type Lock = sqlparser.Lock

// The values of [Lock].
const (
	NoLock                  = sqlparser.NoLock
	ShareModeLock           = sqlparser.ShareModeLock
	ForShareLock            = sqlparser.ForShareLock
	ForShareLockNoWait      = sqlparser.ForShareLockNoWait
	ForShareLockSkipLocked  = sqlparser.ForShareLockSkipLocked
	ForUpdateLock           = sqlparser.ForUpdateLock
	ForUpdateLockNoWait     = sqlparser.ForUpdateLockNoWait
	ForUpdateLockSkipLocked = sqlparser.ForUpdateLockSkipLocked
)

// InsertAction is whether an Insert is a REPLACE.
type InsertAction = sqlparser.InsertAction

// The values of [InsertAction].
const (
	InsertAct  = sqlparser.InsertAct
	ReplaceAct = sqlparser.ReplaceAct
)

// WhereType is whether a Where is a HAVING.
type WhereType = sqlparser.WhereType

// The values of [WhereType].
const (
	WhereClause  = sqlparser.WhereClause
	HavingClause = sqlparser.HavingClause
)

// IndexHintType is what hints an IndexHint.
type IndexHintType = sqlparser.IndexHintType

// The values of [IndexHintType].
const (
	UseOp    = sqlparser.UseOp
	IgnoreOp = sqlparser.IgnoreOp
	ForceOp  = sqlparser.ForceOp
)

// IndexHintForType is what an IndexHint is for.
type IndexHintForType = sqlparser.IndexHintForType

// The values of [IndexHintForType].
const (
	NoForType      = sqlparser.NoForType
	JoinForType    = sqlparser.JoinForType
	GroupByForType = sqlparser.GroupByForType
	OrderByForType = sqlparser.OrderByForType
)

// FrameUnitType is the bounds of a FrameClause.
type FrameUnitType = sqlparser.FrameUnitType

// The values of [FrameUnitType].
const (
	FrameRowsType  = sqlparser.FrameRowsType
	FrameRangeType = sqlparser.FrameRangeType
)

// FramePointType is the kind of a FramePoint.
type FramePointType = sqlparser.FramePointType

// The values of [FramePointType].
const (
	CurrentRowType         = sqlparser.CurrentRowType
	UnboundedPrecedingType = sqlparser.UnboundedPrecedingType
	UnboundedFollowingType = sqlparser.UnboundedFollowingType
	ExprPrecedingType      = sqlparser.ExprPrecedingType
	ExprFollowingType      = sqlparser.ExprFollowingType
)

// ArgumentLessWindowExprType is which function an ArgumentLessWindowExpr is.
type ArgumentLessWindowExprType = sqlparser.ArgumentLessWindowExprType

// The values of [ArgumentLessWindowExprType].
const (
	CumeDistExprType    = sqlparser.CumeDistExprType
	DenseRankExprType   = sqlparser.DenseRankExprType
	PercentRankExprType = sqlparser.PercentRankExprType
	RankExprType        = sqlparser.RankExprType
	RowNumberExprType   = sqlparser.RowNumberExprType
)

// FirstOrLastValueExprType is which function a FirstOrLastValueExpr is.
type FirstOrLastValueExprType = sqlparser.FirstOrLastValueExprType

// The values of [FirstOrLastValueExprType].
const (
	FirstValueExprType = sqlparser.FirstValueExprType
	LastValueExprType  = sqlparser.LastValueExprType
)

// LagLeadExprType is which function a LagLeadExpr is.
type LagLeadExprType = sqlparser.LagLeadExprType

// The values of [LagLeadExprType].
const (
	LagExprType  = sqlparser.LagExprType
	LeadExprType = sqlparser.LeadExprType
)

// TrimFuncType is which function a TrimFuncExpr is.
type TrimFuncType = sqlparser.TrimFuncType

// The values of [TrimFuncType].
const (
	NormalTrimType = sqlparser.NormalTrimType
	LTrimType      = sqlparser.LTrimType
	RTrimType      = sqlparser.RTrimType
)

// TrimType is which end a TrimFuncExpr trims.
type TrimType = sqlparser.TrimType

// The values of [TrimType].
const (
	NoTrimType       = sqlparser.NoTrimType
	BothTrimType     = sqlparser.BothTrimType
	LeadingTrimType  = sqlparser.LeadingTrimType
	TrailingTrimType = sqlparser.TrailingTrimType
)

// IntervalExprSyntax is how an IntervalDateExpr is written.
type IntervalExprSyntax = sqlparser.IntervalExprSyntax

// The values of [IntervalExprSyntax].
const (
	IntervalDateExprDateAdd       = sqlparser.IntervalDateExprDateAdd
	IntervalDateExprDateSub       = sqlparser.IntervalDateExprDateSub
	IntervalDateExprAdddate       = sqlparser.IntervalDateExprAdddate
	IntervalDateExprSubdate       = sqlparser.IntervalDateExprSubdate
	IntervalDateExprBinaryAdd     = sqlparser.IntervalDateExprBinaryAdd
	IntervalDateExprBinaryAddLeft = sqlparser.IntervalDateExprBinaryAddLeft
	IntervalDateExprBinarySub     = sqlparser.IntervalDateExprBinarySub
	IntervalDateExprTimestampadd  = sqlparser.IntervalDateExprTimestampadd
)

// Scope is the scope of a Variable or SetExpr.
type Scope = sqlparser.Scope

// The values of [Scope].
const (
	NoScope             = sqlparser.NoScope
	SessionScope        = sqlparser.SessionScope
	GlobalScope         = sqlparser.GlobalScope
	PersistSysScope     = sqlparser.PersistSysScope
	PersistOnlySysScope = sqlparser.PersistOnlySysScope
	VariableScope       = sqlparser.VariableScope
	NextTxScope         = sqlparser.NextTxScope
)

// MatchExprOption is the mode of a MatchExpr.
type MatchExprOption = sqlparser.MatchExprOption

// The values of [MatchExprOption].
const (
	NoOption                                 = sqlparser.NoOption
	BooleanModeOpt                           = sqlparser.BooleanModeOpt
	NaturalLanguageModeOpt                   = sqlparser.NaturalLanguageModeOpt
	NaturalLanguageModeWithQueryExpansionOpt = sqlparser.NaturalLanguageModeWithQueryExpansionOpt
	QueryExpansionOpt                        = sqlparser.QueryExpansionOpt
)

// ColumnKeyOption is which key a ColumnDefinition declares.
type ColumnKeyOption = sqlparser.ColumnKeyOption

// The values of [ColumnKeyOption].
const (
	ColKeyNone        = sqlparser.ColKeyNone
	ColKeyPrimary     = sqlparser.ColKeyPrimary
	ColKeySpatialKey  = sqlparser.ColKeySpatialKey
	ColKeyFulltextKey = sqlparser.ColKeyFulltextKey
	ColKeyUnique      = sqlparser.ColKeyUnique
	ColKeyUniqueKey   = sqlparser.ColKeyUniqueKey
	ColKey            = sqlparser.ColKey
)

// IndexType is what an IndexInfo defines.
type IndexType = sqlparser.IndexType

// The values of [IndexType].
const (
	IndexTypeDefault  = sqlparser.IndexTypeDefault
	IndexTypePrimary  = sqlparser.IndexTypePrimary
	IndexTypeUnique   = sqlparser.IndexTypeUnique
	IndexTypeSpatial  = sqlparser.IndexTypeSpatial
	IndexTypeFullText = sqlparser.IndexTypeFullText
)

// DropKeyType is what DropKey drops.
type DropKeyType = sqlparser.DropKeyType

// The values of [DropKeyType].
const (
	PrimaryKeyType = sqlparser.PrimaryKeyType
	ForeignKeyType = sqlparser.ForeignKeyType
	NormalKeyType  = sqlparser.NormalKeyType
	CheckKeyType   = sqlparser.CheckKeyType
	ConstraintType = sqlparser.ConstraintType
)

// ReferenceAction is what a foreign key does.
type ReferenceAction = sqlparser.ReferenceAction

// The values of [ReferenceAction].
const (
	DefaultAction = sqlparser.DefaultAction
	Restrict      = sqlparser.Restrict
	Cascade       = sqlparser.Cascade
	NoAction      = sqlparser.NoAction
	SetNull       = sqlparser.SetNull
	SetDefault    = sqlparser.SetDefault
)

// MatchAction is how a foreign key matches.
type MatchAction = sqlparser.MatchAction

// The values of [MatchAction].
const (
	DefaultMatch = sqlparser.DefaultMatch
	Full         = sqlparser.Full
	Partial      = sqlparser.Partial
	Simple       = sqlparser.Simple
)

// ColumnStorage is how a generated column is stored.
type ColumnStorage = sqlparser.ColumnStorage

// The values of [ColumnStorage].
const (
	VirtualStorage = sqlparser.VirtualStorage
	StoredStorage  = sqlparser.StoredStorage
)

// JSONAttributeType is which JSONAttributesExpr.
type JSONAttributeType = sqlparser.JSONAttributeType

// The values of [JSONAttributeType].
const (
	DepthAttributeType  = sqlparser.DepthAttributeType
	ValidAttributeType  = sqlparser.ValidAttributeType
	TypeAttributeType   = sqlparser.TypeAttributeType
	LengthAttributeType = sqlparser.LengthAttributeType
)

// JSONValueModifierType is which JSONValueModifierExpr.
type JSONValueModifierType = sqlparser.JSONValueModifierType

// The values of [JSONValueModifierType].
const (
	JSONArrayAppendType = sqlparser.JSONArrayAppendType
	JSONArrayInsertType = sqlparser.JSONArrayInsertType
	JSONInsertType      = sqlparser.JSONInsertType
	JSONReplaceType     = sqlparser.JSONReplaceType
	JSONSetType         = sqlparser.JSONSetType
)

// JSONValueMergeType is which JSONValueMergeExpr.
type JSONValueMergeType = sqlparser.JSONValueMergeType

// The values of [JSONValueMergeType].
const (
	JSONMergeType         = sqlparser.JSONMergeType
	JSONMergePatchType    = sqlparser.JSONMergePatchType
	JSONMergePreserveType = sqlparser.JSONMergePreserveType
)

// LockingFuncType is which LockingFunc.
type LockingFuncType = sqlparser.LockingFuncType

// The values of [LockingFuncType].
const (
	GetLock         = sqlparser.GetLock
	IsFreeLock      = sqlparser.IsFreeLock
	IsUsedLock      = sqlparser.IsUsedLock
	ReleaseAllLocks = sqlparser.ReleaseAllLocks
	ReleaseLock     = sqlparser.ReleaseLock
)

// ValType is the type of a Literal.
type ValType = sqlparser.ValType

// The values of [ValType].
const (
	StrVal       = sqlparser.StrVal
	IntVal       = sqlparser.IntVal
	DecimalVal   = sqlparser.DecimalVal
	FloatVal     = sqlparser.FloatVal
	HexNum       = sqlparser.HexNum
	HexVal       = sqlparser.HexVal
	BitNum       = sqlparser.BitNum
	DateVal      = sqlparser.DateVal
	TimeVal      = sqlparser.TimeVal
	TimestampVal = sqlparser.TimestampVal
)
