package sqlerr

// MigrationHindered is a table that cannot be protected, or made plain, as it is; problem says
// how much hinders it.
func MigrationHindered(problem string) *StartError {
	return &StartError{Code: migrationHindered, Problem: problem}
}

// MigrationNothing is a table for which there is nothing to be done; err says why, and fix what to do.
func MigrationNothing(err error, fix string) *StartError {
	return &StartError{Code: migrationNothing, Problem: err.Error(), Fix: fix}
}

// MigrationCut is a step that has failed; problem says of which table, and how. fix is what to do about it, or "".
func MigrationCut(problem, fix string) *StartError {
	return &StartError{Code: migrationCut, Problem: problem, Fix: firstOf(fix, "correct what the server says") + ", and run the same command again: it continues where it was"}
}

// MigrationUnseen is a table that could not be looked at, before anything was done. fix is as that of MigrationCut.
func MigrationUnseen(problem, fix string) *StartError {
	return &StartError{Code: migrationCut, Problem: problem, Fix: firstOf(fix, "correct what the server says") + ", and run the same command again: nothing has been changed"}
}

// MigrationDamaged is a table that the server says is damaged; problem says of which table, and what the server says.
func MigrationDamaged(problem string) *StartError {
	return &StartError{Code: migrationDamaged, Problem: problem}
}

// MigrationUnderway is an encryption or a decryption beside another one of the same table.
func MigrationUnderway() *StartError {
	return &StartError{Code: migrationUnderway}
}
