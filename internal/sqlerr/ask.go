package sqlerr

// AskDown is a tunic that a command wants to ask and cannot reach.
func AskDown(setting, address string, err error) *StartError {
	return &StartError{Code: askDown, Setting: setting, Problem: "no tunic can be reached at " + address, Err: rootCause(err)}
}

// AskLogin is a login that was refused; err is the error of tunic's or the server's.
func AskLogin(err error) *StartError { return &StartError{Code: askLogin, Setting: "--user", Err: err} }

// AskPasswordFile is a password file that cannot be used; problem names it, and fix
// may be "".
func AskPasswordFile(problem, fix string) *StartError {
	return &StartError{Code: askPasswordFile, Setting: "--password-file", Problem: problem, Fix: fix}
}

// AskNotReady is a tunic that would not serve a client, or with --live one that does not run;
// problem says why, and err, which may be nil, what hindered the question.
func AskNotReady(problem string, err error) *StartError {
	return &StartError{Code: askNotReady, Setting: "--admin", Problem: problem, Err: rootCause(err)}
}

// AskRefused is a statement that is answered with an error.
func AskRefused(err error) *StartError { return &StartError{Code: askRefused, Err: err} }
