package ast

import "vitess.io/vitess/go/vt/sqlparser"

// TableSpec and the types after it: a table as CREATE TABLE defines it.
type (
	TableSpec                 = sqlparser.TableSpec
	ColumnDefinition          = sqlparser.ColumnDefinition
	ColumnType                = sqlparser.ColumnType
	ColumnTypeOptions         = sqlparser.ColumnTypeOptions
	ColumnCharset             = sqlparser.ColumnCharset
	IndexDefinition           = sqlparser.IndexDefinition
	IndexInfo                 = sqlparser.IndexInfo
	IndexColumn               = sqlparser.IndexColumn
	IndexOption               = sqlparser.IndexOption
	ConstraintDefinition      = sqlparser.ConstraintDefinition
	ConstraintInfo            = sqlparser.ConstraintInfo
	ForeignKeyDefinition      = sqlparser.ForeignKeyDefinition
	CheckConstraintDefinition = sqlparser.CheckConstraintDefinition
	ReferenceDefinition       = sqlparser.ReferenceDefinition
	TableOptions              = sqlparser.TableOptions
	TableOption               = sqlparser.TableOption
	OptLike                   = sqlparser.OptLike
)

// AlterOption and the types after it: what ALTER TABLE changes.
type (
	AlterOption             = sqlparser.AlterOption
	AddColumns              = sqlparser.AddColumns
	AddConstraintDefinition = sqlparser.AddConstraintDefinition
	AddIndexDefinition      = sqlparser.AddIndexDefinition
	AlterCharset            = sqlparser.AlterCharset
	AlterCheck              = sqlparser.AlterCheck
	AlterColumn             = sqlparser.AlterColumn
	AlterIndex              = sqlparser.AlterIndex
	ChangeColumn            = sqlparser.ChangeColumn
	ModifyColumn            = sqlparser.ModifyColumn
	DropColumn              = sqlparser.DropColumn
	DropKey                 = sqlparser.DropKey
	RenameColumn            = sqlparser.RenameColumn
	RenameIndex             = sqlparser.RenameIndex
	RenameTableName         = sqlparser.RenameTableName
	AlgorithmValue          = sqlparser.AlgorithmValue
	Force                   = sqlparser.Force
	KeyState                = sqlparser.KeyState
	LockOption              = sqlparser.LockOption
	OrderByOption           = sqlparser.OrderByOption
	TablespaceOperation     = sqlparser.TablespaceOperation
	Validation              = sqlparser.Validation
	AutoIncSpec             = sqlparser.AutoIncSpec
)

// PartitionOption and the types after it: partitions of a table.
type (
	PartitionOption               = sqlparser.PartitionOption
	PartitionSpec                 = sqlparser.PartitionSpec
	PartitionDefinition           = sqlparser.PartitionDefinition
	PartitionDefinitionOptions    = sqlparser.PartitionDefinitionOptions
	PartitionEngine               = sqlparser.PartitionEngine
	PartitionValueRange           = sqlparser.PartitionValueRange
	SubPartition                  = sqlparser.SubPartition
	SubPartitionDefinition        = sqlparser.SubPartitionDefinition
	SubPartitionDefinitions       = sqlparser.SubPartitionDefinitions
	SubPartitionDefinitionOptions = sqlparser.SubPartitionDefinitionOptions
)
