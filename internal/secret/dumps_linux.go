package secret

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// DenyDumps keeps the memory of this process from core dumps and from other
// processes of the same user, for as long as the process lives. A program calls
// it before it reads a secret. On an error the rest is done all the same.
//
// Both halves are needed. The resource limit does not bind a kernel that pipes
// dumps to a program (core(5)). The dumpable flag does, and it also denies
// ptrace and /proc/PID/mem to others (PR_SET_DUMPABLE in prctl(2)); but a
// program that this one executes starts with the flag set again, and inherits
// the limit. Root is not bound by either.
func DenyDumps() error {
	var failed []error
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		failed = append(failed, fmt.Errorf("RLIMIT_CORE: %w", err))
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		failed = append(failed, fmt.Errorf("PR_SET_DUMPABLE: %w", err))
	}
	return errors.Join(failed...)
}
