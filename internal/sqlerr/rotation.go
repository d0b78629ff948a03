package sqlerr

// RotationLeft is what a rotation ends with that has not brought everything to the new epoch;
// problem says what is left.
func RotationLeft(problem string) *StartError {
	return &StartError{Code: rotationLeft, Problem: problem}
}

// RotationHolders is a rotation that would leave another tunic without the new master key.
func RotationHolders(err error) *StartError {
	return &StartError{Code: rotationHolders, Problem: err.Error()}
}

// RotationUnderway is a rotation beside another one.
func RotationUnderway(err error) *StartError {
	return &StartError{Code: rotationUnderway, Problem: err.Error()}
}
