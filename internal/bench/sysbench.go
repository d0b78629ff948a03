package bench

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"time"

	"tunic/internal/sandbox"
)

// Limits on one run of sysbench, beyond the time it was asked to run: connecting
// 1,000 threads through a slow hop, and transactions that wait for locks, take a
// while; more than this means that it hangs.
const (
	overrunMax = 60 * time.Second
	prepareMax = 30 * time.Minute
	countedMax = 6 * time.Hour // for a number of transactions
)

// load is one command of sysbench, or of another client that gets along with less.
type load struct {
	Script, Command string
	Addr, Database  string
	PSMode          string
	Threads         int
	Seconds         int
	Transactions    int // it ends with them, and not with the seconds; 0 for none
	Tables, Rows    int
	Seed            int
	Intervals       bool // report every second as well
	Keyless         bool // through a tunic without a key file, which refuses annotations
}

// args returns the command line. Rows are picked uniformly: sysbench's default
// picks a few of them most of the time, and the waits for their locks say more of
// the server than of the hop.
func (l load) args() ([]string, error) {
	host, port, err := net.SplitHostPort(l.Addr)
	if err != nil {
		return nil, fmt.Errorf("address of the target: %w", err)
	}
	seconds := l.Seconds
	if l.Transactions > 0 {
		seconds = 0 // for as long as it takes
	}
	args := []string{
		"--db-driver=mysql",
		"--mysql-host=" + host,
		"--mysql-port=" + port,
		"--mysql-user=" + sandbox.AppUser,
		"--mysql-password=" + sandbox.AppPassword,
		"--mysql-db=" + l.Database,
		"--mysql-ssl=off",
		"--db-ps-mode=" + l.PSMode,
		"--tables=" + strconv.Itoa(l.Tables),
		"--table-size=" + strconv.Itoa(l.Rows),
		"--threads=" + strconv.Itoa(l.Threads),
		"--time=" + strconv.Itoa(seconds),
		"--rand-type=uniform",
		"--rand-seed=" + strconv.Itoa(l.Seed),
		"--percentile=95",
		"--histogram=off",
	}
	if l.Transactions > 0 {
		args = append(args, "--events="+strconv.Itoa(l.Transactions))
	}
	if l.Intervals {
		args = append(args, "--report-interval=1")
	}
	return append(args, l.Script, l.Command), nil
}

// limit is how long the command may take.
func (l load) limit() time.Duration {
	switch {
	case l.Command == "prepare":
		return prepareMax
	case l.Transactions > 0:
		return countedMax
	}
	return time.Duration(l.Seconds)*time.Second + overrunMax
}

// sysbench is the program; without a path no workload is its own.
type sysbench struct{ path string }

// findSysbench returns an error that wraps sandbox.ErrUnavailable where there is
// none.
func findSysbench() (sysbench, error) {
	path, err := exec.LookPath("sysbench")
	if err != nil {
		return sysbench{}, fmt.Errorf("sysbench is %w; run `make deps`", sandbox.ErrUnavailable)
	}
	return sysbench{path}, nil
}

// run runs the command and returns its standard output. onLine sees each line as
// it comes; sysbench writes line by line into a pipe too.
func (s sysbench) run(ctx context.Context, l load, onLine func(line string)) (string, error) {
	args, err := l.args()
	if err != nil {
		return "", err
	}
	return client{"sysbench", s.path}.run(ctx, args, l.limit(), onLine)
}
