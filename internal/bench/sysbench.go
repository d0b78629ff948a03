package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tunic/internal/sandbox"
)

// Limits on one run of sysbench, beyond the time it was asked to run: connecting
// 1,000 threads through a slow hop, and transactions that wait for locks, take a
// while; more than this means that it hangs.
const (
	overrunMax = 60 * time.Second
	prepareMax = 30 * time.Minute
)

// load is one command of sysbench.
type load struct {
	Script, Command string
	Addr, Database  string
	PSMode          string
	Threads         int
	Seconds         int
	Tables, Rows    int
	Seed            int
	Intervals       bool // report every second as well
}

// args returns the command line. Rows are picked uniformly: sysbench's default
// picks a few of them most of the time, and the waits for their locks say more of
// the server than of the hop.
func (l load) args() ([]string, error) {
	host, port, err := net.SplitHostPort(l.Addr)
	if err != nil {
		return nil, fmt.Errorf("address of the target: %w", err)
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
		"--time=" + strconv.Itoa(l.Seconds),
		"--rand-type=uniform",
		"--rand-seed=" + strconv.Itoa(l.Seed),
		"--percentile=95",
		"--histogram=off",
	}
	if l.Intervals {
		args = append(args, "--report-interval=1")
	}
	return append(args, l.Script, l.Command), nil
}

// limit is how long the command may take.
func (l load) limit() time.Duration {
	if l.Command == "prepare" {
		return prepareMax
	}
	return time.Duration(l.Seconds)*time.Second + overrunMax
}

// sysbench is the program.
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
// it comes; sysbench writes line by line into a pipe too. The error of a command
// that failed is sysbench's own reason.
func (s sysbench) run(ctx context.Context, l load, onLine func(line string)) (string, error) {
	args, err := l.args()
	if err != nil {
		return "", err
	}
	limited, cancel := context.WithTimeoutCause(ctx, l.limit(), fmt.Errorf("sysbench hung: not finished after %v", l.limit()))
	defer cancel()
	cmd := exec.CommandContext(limited, s.path, args...)
	// Ctrl-C at the terminal must reach tunic only, which ends its children itself.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("sysbench: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("sysbench: %w", err)
	}
	output := readLines(stdout, onLine)
	err = cmd.Wait()
	switch {
	case limited.Err() != nil:
		return output, context.Cause(limited)
	case err != nil:
		return output, commandError(err, output+complaints.String())
	}
	return output, nil
}

func commandError(err error, output string) error {
	if reason := failure(output); reason != "" {
		return errors.New(reason)
	}
	return fmt.Errorf("sysbench: %w", err)
}

// readLines reads to the end and returns it all.
func readLines(r io.Reader, onLine func(string)) string {
	var all strings.Builder
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		all.WriteString(line)
		if line != "" && onLine != nil {
			onLine(strings.TrimSpace(line))
		}
		if err != nil {
			return all.String()
		}
	}
}
