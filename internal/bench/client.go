package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// client is a program that loads a server.
type client struct{ name, path string }

// run runs the program and returns its standard output. onLine sees each line as it
// comes. The error of a run that failed is the program's own reason.
func (c client) run(ctx context.Context, args []string, limit time.Duration, onLine func(line string)) (string, error) {
	limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s hung: not finished after %v", c.name, limit))
	defer cancel()
	cmd := exec.CommandContext(limited, c.path, args...)
	// Ctrl-C at the terminal must reach tunic only, which ends its children itself.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.name, err)
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("%s: %w", c.name, err)
	}
	output := readLines(stdout, onLine)
	err = cmd.Wait()
	switch {
	case limited.Err() != nil:
		return output, context.Cause(limited)
	case err != nil:
		return output, c.failed(err, output+complaints.String())
	}
	return output, nil
}

func (c client) failed(err error, output string) error {
	if reason := failure(output); reason != "" {
		return errors.New(reason)
	}
	return fmt.Errorf("%s: %w", c.name, err)
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
