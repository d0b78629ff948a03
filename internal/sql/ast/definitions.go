package ast

import "vitess.io/vitess/go/vt/sqlparser"

// A table as CREATE TABLE defines it.
type (
	// TableSpec is what is in the parentheses of a CREATE TABLE and after them.
	TableSpec = sqlparser.TableSpec
	// ColumnDefinition is a column.
	ColumnDefinition = sqlparser.ColumnDefinition
	// ColumnType is a column's type and all that follows it.
	ColumnType = sqlparser.ColumnType
	// ColumnTypeOptions is what follows a column's type.
	ColumnTypeOptions = sqlparser.ColumnTypeOptions
	// ColumnCharset is the character set of a type.
	ColumnCharset = sqlparser.ColumnCharset
	// IndexDefinition is an index.
	IndexDefinition = sqlparser.IndexDefinition
	// IndexInfo is an index's name and sort.
	IndexInfo = sqlparser.IndexInfo
	// IndexColumn is a column or expression of an index.
	IndexColumn = sqlparser.IndexColumn
	// IndexOption is an option of an index.
	IndexOption = sqlparser.IndexOption
	// ConstraintDefinition is a constraint with its name.
	ConstraintDefinition = sqlparser.ConstraintDefinition
	// ConstraintInfo is what a constraint demands.
	ConstraintInfo = sqlparser.ConstraintInfo
	// ForeignKeyDefinition is a FOREIGN KEY.
	ForeignKeyDefinition = sqlparser.ForeignKeyDefinition
	// CheckConstraintDefinition is a CHECK.
	CheckConstraintDefinition = sqlparser.CheckConstraintDefinition
	// ReferenceDefinition is the REFERENCES of a foreign key.
	ReferenceDefinition = sqlparser.ReferenceDefinition
	// TableOptions is the options of a table.
	TableOptions = sqlparser.TableOptions
	// TableOption is one of them.
	TableOption = sqlparser.TableOption
	// OptLike is LIKE another table.
	OptLike = sqlparser.OptLike
)

// What ALTER TABLE changes.
type (
	// AlterOption is one change of an ALTER TABLE.
	AlterOption = sqlparser.AlterOption
	// AddColumns is ADD COLUMN.
	AddColumns = sqlparser.AddColumns
	// AddConstraintDefinition is ADD CONSTRAINT.
	AddConstraintDefinition = sqlparser.AddConstraintDefinition
	// AddIndexDefinition is ADD INDEX.
	AddIndexDefinition = sqlparser.AddIndexDefinition
	// AlterCharset is CONVERT TO CHARACTER SET.
	AlterCharset = sqlparser.AlterCharset
	// AlterCheck is ALTER CHECK.
	AlterCheck = sqlparser.AlterCheck
	// AlterColumn is ALTER COLUMN.
	AlterColumn = sqlparser.AlterColumn
	// AlterIndex is ALTER INDEX.
	AlterIndex = sqlparser.AlterIndex
	// ChangeColumn is CHANGE COLUMN.
	ChangeColumn = sqlparser.ChangeColumn
	// ModifyColumn is MODIFY COLUMN.
	ModifyColumn = sqlparser.ModifyColumn
	// DropColumn is DROP COLUMN.
	DropColumn = sqlparser.DropColumn
	// DropKey is the DROP of an index or a constraint.
	DropKey = sqlparser.DropKey
	// RenameColumn is RENAME COLUMN.
	RenameColumn = sqlparser.RenameColumn
	// RenameIndex is RENAME INDEX.
	RenameIndex = sqlparser.RenameIndex
	// RenameTableName is RENAME TO.
	RenameTableName = sqlparser.RenameTableName
	// AlgorithmValue is ALGORITHM.
	AlgorithmValue = sqlparser.AlgorithmValue
	// Force is FORCE.
	Force = sqlparser.Force
	// KeyState is ENABLE KEYS or DISABLE KEYS.
	KeyState = sqlparser.KeyState
	// LockOption is LOCK.
	LockOption = sqlparser.LockOption
	// OrderByOption is ORDER BY.
	OrderByOption = sqlparser.OrderByOption
	// TablespaceOperation is IMPORT or DISCARD TABLESPACE.
	TablespaceOperation = sqlparser.TablespaceOperation
	// Validation is WITH or WITHOUT VALIDATION.
	Validation = sqlparser.Validation
	// AutoIncSpec is a sequence of the library's own.
	AutoIncSpec = sqlparser.AutoIncSpec
)

// Partitions of a table.
type (
	// PartitionOption is PARTITION BY of a table.
	PartitionOption = sqlparser.PartitionOption
	// PartitionSpec is what an ALTER TABLE does to partitions.
	PartitionSpec = sqlparser.PartitionSpec
	// PartitionDefinition is one partition.
	PartitionDefinition = sqlparser.PartitionDefinition
	// PartitionDefinitionOptions is the options of one.
	PartitionDefinitionOptions = sqlparser.PartitionDefinitionOptions
	// PartitionEngine is its engine.
	PartitionEngine = sqlparser.PartitionEngine
	// PartitionValueRange is its values.
	PartitionValueRange = sqlparser.PartitionValueRange
	// SubPartition is SUBPARTITION BY.
	SubPartition = sqlparser.SubPartition
	// SubPartitionDefinition is one partition of a partition.
	SubPartitionDefinition = sqlparser.SubPartitionDefinition
	// SubPartitionDefinitions is several.
	SubPartitionDefinitions = sqlparser.SubPartitionDefinitions
	// SubPartitionDefinitionOptions is the options of one.
	SubPartitionDefinitionOptions = sqlparser.SubPartitionDefinitionOptions
)
