package sql

import "vitess.io/vitess/go/vt/sqlparser"

// printable says that nodes of this type come out of the library's printing as
// they went into its parser. A test prints each of them and reads it again.
func printable(node sqlparser.SQLNode) bool {
	return printableStatement(node) || printableClause(node) || printableExpr(node) ||
		printableFunction(node) || printableDefinition(node)
}

func printableStatement(node sqlparser.SQLNode) bool {
	switch node.(type) {
	case *sqlparser.Select, *sqlparser.Union, *sqlparser.ValuesStatement,
		*sqlparser.Insert, *sqlparser.Update, *sqlparser.Delete,
		*sqlparser.CreateTable, *sqlparser.AlterTable, *sqlparser.DropTable, *sqlparser.RenameTable,
		*sqlparser.TruncateTable, *sqlparser.ExplainStmt:
		return true
	}
	return false
}

func printableClause(node sqlparser.SQLNode) bool {
	switch node.(type) {
	case *sqlparser.SelectExprs, *sqlparser.StarExpr, *sqlparser.AliasedExpr,
		*sqlparser.AliasedTableExpr, *sqlparser.JoinTableExpr, *sqlparser.JoinCondition,
		*sqlparser.ParenTableExpr, sqlparser.TableExprs, *sqlparser.DerivedTable, *sqlparser.JSONTableExpr,
		*sqlparser.JtColumnDefinition, *sqlparser.JtOnResponse, *sqlparser.IndexHint, sqlparser.IndexHints,
		sqlparser.Partitions, sqlparser.TableName, sqlparser.TableNames, sqlparser.Columns,
		sqlparser.IdentifierCI, sqlparser.IdentifierCS,
		*sqlparser.With, *sqlparser.CommonTableExpr, *sqlparser.Where, *sqlparser.GroupBy,
		sqlparser.OrderBy, *sqlparser.Order, *sqlparser.Limit, *sqlparser.SelectInto,
		sqlparser.NamedWindows, *sqlparser.NamedWindow, sqlparser.WindowDefinitions, *sqlparser.WindowDefinition,
		*sqlparser.WindowSpecification, *sqlparser.OverClause, *sqlparser.FrameClause, *sqlparser.FramePoint,
		*sqlparser.RowAlias, sqlparser.OnDup, sqlparser.UpdateExprs, *sqlparser.UpdateExpr,
		*sqlparser.ParsedComments:
		return true
	}
	return false
}

func printableExpr(node sqlparser.SQLNode) bool {
	switch node.(type) {
	case *sqlparser.NullVal, sqlparser.BoolVal, *sqlparser.ColName, *sqlparser.Variable,
		*sqlparser.Default, *sqlparser.IntroducerExpr, *sqlparser.Subquery,
		*sqlparser.AndExpr, *sqlparser.OrExpr, *sqlparser.XorExpr, *sqlparser.NotExpr,
		*sqlparser.ComparisonExpr, *sqlparser.BetweenExpr, *sqlparser.IsExpr, *sqlparser.ExistsExpr,
		*sqlparser.MemberOfExpr, *sqlparser.MatchExpr, *sqlparser.BinaryExpr, *sqlparser.UnaryExpr,
		*sqlparser.CollateExpr, *sqlparser.CaseExpr, *sqlparser.When, *sqlparser.IntervalDateExpr,
		*sqlparser.AssignmentExpr, *sqlparser.CastExpr, *sqlparser.ConvertExpr,
		*sqlparser.ConvertUsingExpr, *sqlparser.ConvertType:
		return true
	}
	return false
}

func printableFunction(node sqlparser.SQLNode) bool {
	switch node.(type) {
	case *sqlparser.FuncExpr, *sqlparser.ValuesFuncExpr, *sqlparser.Count, *sqlparser.CountStar, *sqlparser.Sum,
		*sqlparser.Avg, *sqlparser.Min, *sqlparser.Max, *sqlparser.AnyValue, *sqlparser.BitAnd,
		*sqlparser.BitOr, *sqlparser.BitXor, *sqlparser.GroupConcatExpr, *sqlparser.Std,
		*sqlparser.StdDev, *sqlparser.StdPop, *sqlparser.StdSamp, *sqlparser.VarPop,
		*sqlparser.VarSamp, *sqlparser.Variance, *sqlparser.JSONArrayAgg, *sqlparser.JSONObjectAgg,
		*sqlparser.ArgumentLessWindowExpr, *sqlparser.FirstOrLastValueExpr, *sqlparser.NtileExpr,
		*sqlparser.NTHValueExpr, *sqlparser.LagLeadExpr,
		*sqlparser.CharExpr, *sqlparser.SubstrExpr, *sqlparser.TrimFuncExpr, *sqlparser.LocateExpr,
		*sqlparser.InsertExpr, *sqlparser.IntervalFuncExpr, *sqlparser.WeightStringFuncExpr,
		*sqlparser.RegexpInstrExpr, *sqlparser.RegexpLikeExpr, *sqlparser.RegexpReplaceExpr,
		*sqlparser.RegexpSubstrExpr, *sqlparser.ExtractValueExpr, *sqlparser.UpdateXMLExpr,
		*sqlparser.CurTimeFuncExpr, *sqlparser.ExtractFuncExpr, *sqlparser.TimestampDiffExpr, *sqlparser.LockingFunc,
		*sqlparser.JSONArrayExpr, *sqlparser.JSONAttributesExpr, *sqlparser.JSONContainsExpr,
		*sqlparser.JSONContainsPathExpr, *sqlparser.JSONExtractExpr, *sqlparser.JSONKeysExpr,
		*sqlparser.JSONObjectExpr, *sqlparser.JSONObjectParam, *sqlparser.JSONOverlapsExpr,
		*sqlparser.JSONPrettyExpr, *sqlparser.JSONQuoteExpr, *sqlparser.JSONRemoveExpr,
		*sqlparser.JSONSearchExpr, *sqlparser.JSONUnquoteExpr, *sqlparser.JSONValueExpr,
		*sqlparser.JSONValueMergeExpr, *sqlparser.JSONValueModifierExpr:
		return true
	}
	return false
}

func printableDefinition(node sqlparser.SQLNode) bool {
	switch node.(type) {
	case *sqlparser.TableSpec, *sqlparser.ColumnDefinition, *sqlparser.ColumnType,
		*sqlparser.IndexDefinition, *sqlparser.IndexInfo, *sqlparser.ConstraintDefinition, *sqlparser.ReferenceDefinition,
		sqlparser.ReferenceAction, sqlparser.TableOptions, *sqlparser.OptLike,
		*sqlparser.AddColumns, *sqlparser.AddConstraintDefinition, *sqlparser.AddIndexDefinition,
		*sqlparser.AlterCharset, *sqlparser.AlterCheck, *sqlparser.AlterColumn, *sqlparser.AlterIndex,
		*sqlparser.ChangeColumn, *sqlparser.ModifyColumn, *sqlparser.DropColumn, *sqlparser.DropKey,
		*sqlparser.RenameColumn, *sqlparser.RenameIndex, *sqlparser.RenameTableName,
		sqlparser.AlgorithmValue, *sqlparser.Force, *sqlparser.KeyState, *sqlparser.LockOption, *sqlparser.PartitionOption, *sqlparser.PartitionSpec, *sqlparser.PartitionDefinition,
		*sqlparser.PartitionDefinitionOptions, *sqlparser.PartitionEngine, *sqlparser.PartitionValueRange:
		return true
	}
	return false
}
