package secret

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// denyAndCrash is the child of TestDenyDumps.
func denyAndCrash() {
	limit := unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit) // so that there is something to deny, if it is allowed
	if err := DenyDumps(); err != nil {
		fmt.Println(err)
	}
	dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		fmt.Println(err)
	}
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("dumpable %d limit %d %d\n", dumpable, limit.Cur, limit.Max)
	_ = unix.Kill(os.Getpid(), syscall.SIGABRT)
	select {} // until the signal is delivered
}
