package sqlerr

// MigrationHindered is a table that cannot be protected, or made plain, as it is; problem says
// how much hinders it.
func MigrationHindered(problem string) *StartError {
	return &StartError{Code: migrationHindered, Problem: problem}
}

// MigrationNothing is a table for which there is nothing to be done; err says why.
func MigrationNothing(err error) *StartError {
	return &StartError{Code: migrationNothing, Problem: err.Error()}
}

// MigrationCut is a step that has failed; problem says how.
func MigrationCut(problem string) *StartError {
	return &StartError{Code: migrationCut, Problem: problem}
}

// MigrationUnderway is an encryption or a decryption beside another one of the same table.
func MigrationUnderway() *StartError {
	return &StartError{Code: migrationUnderway}
}
