package sqlerr

// RotationLeft is what a rotation ends with that has not brought everything to the new epoch;
// problem says what is left.
func RotationLeft(problem string) *StartError {
	return &StartError{Code: rotationLeft, Problem: problem}
}

// RotationFailed is what a rotation ends with that has failed for tables; problem says for which, and how, and fix
// what to do about it, or "".
func RotationFailed(problem, fix string) *StartError {
	return &StartError{Code: rotationLeft, Problem: problem, Fix: firstOf(fix, "correct what it says of each table") + ", and run the same command again: it goes on with what is left"}
}

// RotationHolders is a rotation that would leave another tunic without the new master key.
func RotationHolders(err error) *StartError {
	return &StartError{Code: rotationHolders, Problem: err.Error()}
}

// RotationUnderway is a rotation beside another one.
func RotationUnderway(err error) *StartError {
	return &StartError{Code: rotationUnderway, Problem: err.Error()}
}
