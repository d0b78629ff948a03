package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// stopLimit is how long a process may take to end after SIGTERM before it is
// killed: longer than a database server with a busy buffer pool takes on a busy machine.
const stopLimit = 2 * time.Minute

// process is a child that dies with its parent.
type process struct {
	name string
	cmd  *exec.Cmd
	tail *tailWriter
	done chan struct{} // closed once the child has been waited for
	err  error         // how it ended; read after done
}

// command says what to start.
type command struct {
	path string
	args []string
	dir  string   // working directory
	env  []string // added to the parent's environment, less the settings of tunic
	log  io.Writer
}

// startProcess starts a child in a process group of its own, so that a Ctrl-C
// at the terminal reaches the parent alone, which then stops its children in
// order.
func startProcess(c command) (*process, error) {
	p := &process{name: filepath.Base(c.path), tail: &tailWriter{}, done: make(chan struct{})}
	p.cmd = exec.Command(c.path, c.args...)
	p.cmd.Dir = c.dir
	p.cmd.Env = append(WithoutSettings(p.cmd.Environ()), c.env...)
	p.cmd.SysProcAttr = childAttributes()
	p.cmd.WaitDelay = time.Second
	out := io.Writer(p.tail)
	if c.log != nil {
		out = io.MultiWriter(p.tail, c.log)
	}
	p.cmd.Stdout, p.cmd.Stderr = out, out

	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	return p, nil
}

// WithoutSettings drops the variables that tunic reads: what a developer has set
// for a tunic of their own must not steer the one under test.
func WithoutSettings(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, "TUNIC_") })
}

// run starts the child and waits for it on one locked thread: the kernel's
// parent-death signal fires when the *thread* that forked ends, and an unlocked
// thread may end long before the process does.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	close(p.done)
}

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// stop asks the child to end and insists after stopLimit.
func (p *process) stop() error {
	if !p.running() {
		return nil
	}
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(stopLimit):
	}
	if err := p.kill(); err != nil {
		return err
	}
	return fmt.Errorf("%s did not end within %v of SIGTERM and was killed", p.name, stopLimit)
}

func (p *process) kill() error {
	err := p.signal(syscall.SIGKILL)
	<-p.done
	return err
}

func (p *process) signal(s syscall.Signal) error {
	err := p.cmd.Process.Signal(s)
	if err != nil && p.running() {
		return fmt.Errorf("signal %s: %w", p.name, err)
	}
	return nil
}

// await calls ready every few milliseconds until it returns nil. It gives up
// when the child ends or ctx does; the error then carries what the child said
// last.
func (p *process) await(ctx context.Context, ready func(context.Context) error) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return &StartError{Name: p.name, Cause: p.exitError(), Output: p.tail.String()}
		case <-ctx.Done():
			return &StartError{Name: p.name, Cause: errors.Join(ctx.Err(), err), Output: p.tail.String()}
		case <-tick.C:
		}
	}
}

func (p *process) exitError() error {
	if p.err == nil {
		return errors.New("exit status 0")
	}
	return p.err
}

// StartError reports a process that ended, or did not answer in time, while it
// was being started.
type StartError struct {
	Name   string // the program
	Cause  error
	Output string // the last lines it wrote
}

func (e *StartError) Error() string {
	text := fmt.Sprintf("%s did not start: %v", e.Name, e.Cause)
	if e.Output != "" {
		text += "; its last lines were:\n" + indent(e.Output)
	}
	return text
}

func (e *StartError) Unwrap() error { return e.Cause }

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}

// tailBytesMax bounds what tailWriter keeps; an error shows tailLinesMax lines.
const (
	tailBytesMax = 16 << 10
	tailLinesMax = 12
)

// tailWriter keeps the end of what is written to it.
type tailWriter struct {
	mu  sync.Mutex
	buf []byte
}

func (w *tailWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = append(w.buf, b...)
	if extra := len(w.buf) - tailBytesMax; extra > 0 {
		w.buf = append(w.buf[:0], w.buf[extra:]...)
	}
	return len(b), nil
}

// String returns the last lines.
func (w *tailWriter) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := strings.Split(strings.TrimRight(string(w.buf), "\n"), "\n")
	if extra := len(lines) - tailLinesMax; extra > 0 {
		lines = lines[extra:]
	}
	return strings.Join(lines, "\n")
}
