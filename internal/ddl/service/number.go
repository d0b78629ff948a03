package service

// Numbers of the server's errors about stored tables.
const (
	DuplicateEntry  = 1062
	NoColumn        = 1054 // ER_BAD_FIELD_ERROR
	CheckViolated   = 3819 // MySQL
	ConstraintFails = 4025 // MariaDB
	NoTable         = 1146 // ER_NO_SUCH_TABLE
	NoSchema        = 1049 // ER_BAD_DB_ERROR
	RowTooWide      = 1118 // ER_TOO_BIG_ROWSIZE
	TooManyColumns  = 1117 // ER_TOO_MANY_FIELDS
)

// Numbers of those that say that a change cannot be made in place.
const (
	NotSupported       = 1845 // ER_ALTER_OPERATION_NOT_SUPPORTED
	NotSupportedReason = 1846 // ER_ALTER_OPERATION_NOT_SUPPORTED_REASON
	logTooBig          = 1799 // ER_INNODB_ONLINE_LOG_TOO_BIG
	nullNotAllowed     = 1138 // ER_INVALID_USE_OF_NULL: a copy says which row
)

// CannotInPlace says that a change is to be made by a copy. MariaDB also looks in a CHECK for
// the name that a column had.
func CannotInPlace(err error) bool {
	return Said(err, NotSupported, NotSupportedReason, logTooBig, nullNotAllowed, RowTooWide, NoColumn)
}
