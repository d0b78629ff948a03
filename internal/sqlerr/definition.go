package sqlerr

// Refusals of definitions of protected tables.

// ReservedColumn refuses a column whose name looks like that of a layer.
func ReservedColumn(column string) *Error {
	return clientError(definitionReserved, ident("column", column))
}

// Annotation refuses a column that the policy cannot decide about.
func Annotation(column string, why fact) *Error {
	return clientError(definitionAnnotation, ident("column", column), constant("why", why))
}

// FamilyColumn refuses a column of a family; why says what is in the way.
func FamilyColumn(column string, why fact) *Error {
	return clientError(definitionMember, ident("column", column), constant("why", why))
}

// GeneratedColumn refuses a generated column; why says what is in the way.
func GeneratedColumn(column string, why fact) *Error {
	return clientError(definitionGenerated, ident("column", column), constant("why", why))
}

// CheckOver refuses a CHECK over a protected column; why says what is in the way.
func CheckOver(column string, why fact) *Error {
	return clientError(definitionCheck, ident("column", column), constant("why", why))
}

// CheckRows refuses a CHECK, a generated column, or a DEFAULT expression, that the rows of a table would have
// to be looked at for.
func CheckRows(table string) *Error {
	return clientError(definitionCheckRows, ident("table", table))
}

// DefaultExpression refuses a DEFAULT that is an expression; why says what is in the way.
func DefaultExpression(column string, why fact) *Error {
	return clientError(definitionExpression, ident("column", column), constant("why", why))
}

// KeyKind refuses a FULLTEXT or SPATIAL key.
func KeyKind(column string) *Error { return clientError(definitionKeyKind, ident("column", column)) }

// KeyExpression refuses a key over an expression.
func KeyExpression(table string) *Error {
	return clientError(definitionKeyComputed, ident("table", table))
}

// UniquePrefix refuses a unique key over a part of the values.
func UniquePrefix(column string) *Error {
	return clientError(definitionPrefix, ident("column", column))
}

// PartitionedBy refuses partitions by a protected column.
func PartitionedBy(column string) *Error {
	return clientError(definitionPartition, ident("column", column))
}

// OrderGrain refuses a grain that is none of the values of the column.
func OrderGrain(column string) *Error {
	return clientError(definitionGrain, ident("column", column))
}

// NoLayer refuses a layer that the column's type or collation cannot have.
func NoLayer(column, layer string, why fact) *Error {
	return clientError(definitionLayer, ident("column", column), ident("layer", layer), constant("why", why))
}

// KeyCeiling refuses a key that needs a layer above the column's ceiling.
func KeyCeiling(key, column string) *Error {
	return clientError(definitionCeiling, ident("key", key), ident("column", column))
}

// ForeignKeyPlain refuses a foreign key from a plain column to a protected one.
func ForeignKeyPlain(column string) *Error {
	return clientError(definitionReference, ident("column", column), constant("which", "the other one is protected"))
}

// ForeignKeyProtected refuses a foreign key from a protected column to a plain one.
func ForeignKeyProtected(column string) *Error {
	return clientError(definitionReference, ident("column", column), constant("which", "the other one is plain"))
}

// ForeignKeyAction refuses an action of a foreign key that changes a protected column; why
// says what tunic cannot do beside the server.
func ForeignKeyAction(column string, why fact) *Error {
	return clientError(definitionAction, ident("column", column), constant("why", why))
}

// CreateSelect refuses CREATE TABLE … SELECT; why says what keeps tunic from knowing the
// table that the server would make.
func CreateSelect(table string, why fact) *Error {
	return clientError(definitionSelect, ident("table", table), constant("why", why))
}

// ColumnType refuses to protect a column of a type that is not known exactly.
func ColumnType(column string, why fact) *Error {
	return clientError(definitionType, ident("column", column), constant("why", why))
}

// NeedsRewrite refuses a change that needs stored values made anew.
func NeedsRewrite(table, column string) *Error {
	return clientError(definitionRewrite, ident("table", table), ident("column", column))
}

// CannotBackfill refuses a change whose rows could not be filled.
func CannotBackfill(table string, why fact) *Error {
	return clientError(definitionBackfill, ident("table", table), constant("why", why))
}

// AccountBlind refuses a definition in a schema that the service account cannot see.
func AccountBlind(schema string) *Error {
	return clientError(definitionAccount, constant("privileges", "privileges"), ident("object", schema))
}

// AccountTableBlind refuses a definition of a table, or one that gives it its name, where the service account could not find
// it again.
func AccountTableBlind(table string) *Error {
	return clientError(definitionAccount, constant("privileges", "SELECT and ALTER"), ident("object", table))
}

// AccountViewBlind is AccountTableBlind of a view.
func AccountViewBlind(view string) *Error {
	return clientError(definitionAccount, constant("privileges", "SELECT and SHOW VIEW"), ident("object", view))
}

// Departed refuses a definition while nobody can see whether the server still runs statements of a tunic that has gone.
func Departed() *Error { return clientError(definitionDeparted) }

// ChangedAround refuses to change a stored table that somebody else has changed; what
// says how.
func ChangedAround(table string, what fact) *Error {
	return clientError(definitionAround, ident("table", table), constant("what", what))
}

// ProtectionChanges refuses a change of whether a column is protected.
func ProtectionChanges(column string) *Error {
	return clientError(definitionProtection, ident("column", column))
}

// DefinitionForm refuses a form of a definition; what names it.
func DefinitionForm(table string, what fact) *Error {
	return clientError(definitionForm, ident("table", table), constant("what", what))
}

// RenameReferenced refuses to rename a table that protected ones refer to.
func RenameReferenced(table string) *Error {
	return clientError(definitionReferenced, ident("table", table))
}

// OwnSchema refuses what touches tunic's own schema.
func OwnSchema() *Error { return clientError(definitionSchema) }

// DefinitionCharset refuses a definition in a character set that is not UTF-8.
func DefinitionCharset(table string) *Error {
	return clientError(definitionCharset, ident("table", table))
}

// NoLedger is the answer to a definition while the ledger cannot be used.
func NoLedger() *Error { return clientError(definitionLedger) }

// ViewColumn refuses a view with a column that cannot be described.
func ViewColumn(column string, why fact) *Error {
	return clientError(viewColumn, ident("column", column), constant("why", why))
}

// ColumnUnnamed refuses a column that would be named by the text of an expression with a string.
func ColumnUnnamed() *Error { return clientError(columnUnnamed) }

// ViewWritten refuses a statement that writes through a view over protected tables.
func ViewWritten() *Error { return clientError(viewWritten) }

// ViewUnderneath refuses to protect a table or view that a view of the server's reads.
func ViewUnderneath(table, view string) *Error {
	return clientError(viewUnderneath, ident("table", table), ident("view", view))
}

// ProgramUnderneath refuses to protect a table or view that a program of the server's names; kind is
// trigger, event, procedure or function.
func ProgramUnderneath(table, kind, program string) *Error {
	return clientError(programUnderneath, ident("table", table), ident("kind", kind), ident("program", program))
}

// KeyLayer refuses a key for the layer that it would give a column.
func KeyLayer(key, column, layer string) *Error {
	return clientError(definitionKeyLayer, ident("key", key), ident("column", column), ident("layer", layer))
}

// AnnotationAccount refuses the annotation of an account that may not annotate.
func AnnotationAccount(column string) *Error {
	return clientError(definitionAnnotator, ident("column", column))
}

// RowSize refuses a definition whose stored rows would be too long.
func RowSize() *Error { return clientError(definitionRowSize) }
