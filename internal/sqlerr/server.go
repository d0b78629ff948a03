package sqlerr

// LockWait is the server's own error of who has waited for a lock for too long
// (ER_LOCK_WAIT_TIMEOUT): tunic raises it where it waits in the server's place.
func LockWait() *Error {
	return &Error{Number: lockWait, State: "HY000", Message: "Lock wait timeout exceeded; try restarting transaction"}
}

// IsLockWait reports whether an error is that one, of tunic's or of the server's.
func (e *Error) IsLockWait() bool { return e.Number == lockWait }

const lockWait = 1205

// TableSkipped is the number of what servers say of a question about a table that a definition has, if
// its asker would have to wait for it and holds others (ER_WARN_I_S_SKIPPED_TABLE).
const TableSkipped = 1684

// UnknownTable is the number of what servers say of a table to drop that is not there (ER_BAD_TABLE_ERROR).
const UnknownTable = 1051
