package sqlerr

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"
)

// StartError is a mistake that keeps tunic from starting: one line for the
// operator and, by its code, an exit status.
type StartError struct {
	Code Code
	// Setting is the setting to look at, as the operator wrote it: a flag, a
	// variable or a key of the file. "" when there is none.
	Setting string
	// Problem is what is wrong; the code's own message when "".
	Problem string
	// Fix is what to do; the code's own fix when "".
	Fix string
	// Err is the cause, if there is one. Its text is part of the line, so it
	// must be an error of the operating system, of TLS or of the server's login.
	Err error
}

// Error is one line: code, setting, problem, cause, fix, link.
func (e *StartError) Error() string {
	entry, _ := Lookup(e.Code)
	var b strings.Builder
	b.WriteString(e.Code.String() + ": ")
	if e.Setting != "" {
		b.WriteString(e.Setting + ": ")
	}
	b.WriteString(firstOf(e.Problem, entry.Message))
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	b.WriteString("; " + firstOf(e.Fix, entry.Fix) + " (see " + e.Code.Help() + ")")
	return oneLine(b.String())
}

// Unwrap is the cause.
func (e *StartError) Unwrap() error { return e.Err }

// ExitStatus is the status the process ends with.
func (e *StartError) ExitStatus() int { return e.Code.Exit() }

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// oneLine joins lines, as some errors of the standard library have several, and
// keeps control characters of names from the terminal.
func oneLine(s string) string {
	return strings.Map(visible, strings.Join(strings.Fields(s), " "))
}

// ExitStatus is the status for any error: that of the StartError in its chain,
// 0 for nil, [ExitInternal] otherwise.
func ExitStatus(err error) int {
	if err == nil {
		return ExitOK
	}
	if start, ok := errors.AsType[*StartError](err); ok {
		return start.ExitStatus()
	}
	return ExitInternal
}

// StartListen is a failure to listen on the address of a setting, such as
// "--listen": address taken, or anything else net.Listen reports.
func StartListen(setting, address string, err error) *StartError {
	code, problem := startListen, "cannot listen on "+address
	if errors.Is(err, syscall.EADDRINUSE) {
		code, problem = startPortTaken, address+" is taken"
	}
	return &StartError{Code: code, Setting: setting, Problem: problem, Err: rootCause(err)}
}

// StartTakeover is a tunic at the takeover socket that does not hand over its sockets.
func StartTakeover(path string, err error) *StartError {
	return &StartError{Code: startTakeover, Setting: "--takeover", Problem: "cannot take over from the tunic at " + path, Err: rootCause(err)}
}

// StartSystemd is a set of sockets of systemd's that tunic does not know what to do with.
func StartSystemd(err error) *StartError { return &StartError{Code: startSystemd, Err: err} }

// StartBackendDown is a failure to dial the database server.
func StartBackendDown(address string, err error) *StartError {
	return &StartError{
		Code: startBackendDown, Setting: "--backend",
		Problem: "cannot reach the database server at " + address, Err: rootCause(err),
	}
}

// StartBackendGreeting is a peer that is no server tunic can use. Err is what
// was wrong with its greeting.
func StartBackendGreeting(address string, err error) *StartError {
	return &StartError{
		Code: startBackendGreeting, Setting: "--backend",
		Problem: "what answers at " + address + " is not a usable MySQL, MariaDB or TiDB server", Err: err,
	}
}

// StartBackendTLS is a server connection that cannot be encrypted as the mode
// asks; err is nil when the server offers no TLS.
func StartBackendTLS(mode string, err error) *StartError {
	problem := "the server's TLS does not pass " + mode
	if err == nil {
		problem = "the server offers no TLS and " + mode + " demands it"
	}
	return &StartError{Code: startBackendTLS, Setting: "--backend-tls", Problem: problem, Err: err}
}

// Account is the service account for an error: its name, and where name and
// password were written.
type Account struct{ User, UserFrom, PasswordFrom string }

// StartAccount is a login of the service account that the server refused; err
// is the server's error.
func StartAccount(a Account, err error) *StartError {
	e := &StartError{
		Code: startAccount, Setting: firstOf(a.UserFrom, "--service-user"),
		Problem: "the database server refuses the service account " + ident("", a.User).text, Err: err,
	}
	if a.PasswordFrom != "" {
		e.Fix = "check its name, and its password, which is from " + a.PasswordFrom +
			"; create the account with CREATE USER if it is new"
	}
	return e
}

// StartLookup is a service account that may not look up the plugins of accounts,
// which it has to over a Unix socket; err is the server's error.
func StartLookup(a Account, err error) *StartError {
	return &StartError{
		Code: startLookup, Setting: firstOf(a.UserFrom, "--service-user"),
		Problem: "the service account " + ident("", a.User).text + " may not look up the plugins of accounts", Err: err,
	}
}

// StartTLSMode is a private key file that others have permissions on.
func StartTLSMode(setting, path string, mode fs.FileMode) *StartError {
	return &StartError{
		Code: startTLSMode, Setting: setting,
		Problem: fmt.Sprintf("%s has mode %04o, which lets other users at it", path, mode), Fix: "chmod 600 " + path,
	}
}

// StartTLSFile is a PEM file of a setting such as "--tls-cert" that cannot be
// read or holds nothing of use.
func StartTLSFile(setting, path string, err error) *StartError {
	return &StartError{Code: startTLSFile, Setting: setting, Problem: "cannot use " + path, Err: pathCause(err)}
}

// StartTLSPair is a certificate and a key that do not belong together.
func StartTLSPair(cert, key string, err error) *StartError {
	return &StartError{
		Code: startTLSPair, Setting: "--tls-cert, --tls-key",
		Problem: cert + " and " + key + " are not a pair", Err: err,
	}
}

// StartTLSMade is a self-signed pair that cannot be written to or read from
// dir.
func StartTLSMade(dir string, err error) *StartError {
	return &StartError{
		Code: startTLSMade, Setting: "--tls-dir",
		Problem: "cannot keep the self-signed pair in " + dir, Err: pathCause(err),
	}
}

// StartPolicy is a rule of the policy that cannot be read.
func StartPolicy(setting string, err error) *StartError {
	return &StartError{Code: startValue, Setting: setting, Err: err, Problem: "is not a rule", Fix: "see tunic help policy"}
}

// StartOtherKey is a key file that did not make the ledger.
func StartOtherKey(path string) *StartError {
	return &StartError{Code: startOtherKey, Setting: "--key", Problem: path + " is not the key file of the protected tables of this database"}
}

// StartKeyAbsent is a database with a ledger, and no key file.
func StartKeyAbsent() *StartError { return &StartError{Code: startKeyAbsent, Setting: "--key"} }

// LedgerProblem is why a ledger cannot be used.
type LedgerProblem Code

// The problems.
const (
	LedgerHeld        = LedgerProblem(startHeld)
	LedgerUnreachable = LedgerProblem(startLedger)
	LedgerDamaged     = LedgerProblem(startDamaged)
	LedgerForm        = LedgerProblem(startForm)
	LedgerUnexplained = LedgerProblem(startUnexplained)
	LedgerAbsent      = LedgerProblem(startUninitialized)
	LedgerOther       = LedgerProblem(startOtherProject)
	LedgerOlder       = LedgerProblem(startOlder)
	LedgerFailed      = LedgerProblem(startLedgerFailed)
	LedgerGone        = LedgerProblem(startStored)
)

// StartLedger is a ledger that cannot be used; err says more, or is nil.
func StartLedger(p LedgerProblem, err error) *StartError {
	return &StartError{Code: Code(p), Err: err}
}

// StartStateFile is a state file that cannot be read or written.
func StartStateFile(path string, err error) *StartError {
	return &StartError{Code: startStateFile, Setting: "--project-state-file", Problem: "cannot use " + path, Err: pathCause(err)}
}

// StartInternal is any other reason not to start.
func StartInternal(err error) *StartError { return &StartError{Code: startInternal, Err: err} }

// rootCause strips what net adds before the reason: the address is already in
// the line.
func rootCause(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		err = op.Err
	}
	return syscallCause(err)
}

// pathCause strips the operation and path that os adds before the reason.
func pathCause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// syscallCause strips the name of the system call.
func syscallCause(err error) error {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	return err
}
