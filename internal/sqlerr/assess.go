package sqlerr

// AssessDecides is an assessment that has found something to decide; problem says how much.
func AssessDecides(problem string) *StartError {
	return &StartError{Code: assessDecides, Problem: problem}
}

// AssessNothing is a schema of which nothing can be assessed; err says why, and fix what to do.
func AssessNothing(err error, fix string) *StartError {
	return &StartError{Code: assessNothing, Problem: err.Error(), Fix: fix}
}

// AssessLog is a log, or a table of digests, that cannot be read; err says why.
func AssessLog(setting string, err error) *StartError {
	return &StartError{Code: assessLog, Setting: setting, Problem: err.Error()}
}
