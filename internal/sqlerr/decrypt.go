package sqlerr

// DecryptRefused is a table that cannot be made plain; why says of what, and what to do.
func DecryptRefused(why error, fix string) *StartError {
	return &StartError{Code: decryptRefused, Problem: why.Error() + "; " + fix}
}

// DecryptHindered is a table with hindrances, which are told elsewhere.
func DecryptHindered(problem string) *StartError {
	return &StartError{Code: decryptRefused, Problem: problem}
}

// DecryptNothing is a table that is not protected.
func DecryptNothing(table string) *StartError {
	return &StartError{Code: decryptNothing, Problem: table + " is not a protected table"}
}
