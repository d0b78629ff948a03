package config

// ReadPassword reads a file that holds a password, for a flag of a command that has
// settings of its own. The error is an *Error of kind BadPasswordFile, or
// OpenPasswordFile for a file that others may read.
func ReadPassword(path, flag string) (Secret, error) { return readPassword(path, flag) }
