package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tunic/internal/sqlerr"
)

const typedPassphrase = "correct horse battery staple"

// TestPassphraseIsHidden types a passphrase when it is asked for, and reads
// what the terminal showed.
func TestPassphraseIsHidden(t *testing.T) {
	console, file := startKeygen(t)
	console.await(t, "Passphrase: ")
	console.send(t, typedPassphrase+"\n")
	console.await(t, "The same again: ")
	console.send(t, typedPassphrase+"\n")
	if err := console.program.Wait(); err != nil {
		t.Fatalf("%v: %s", err, console.stderr.String())
	}
	if shown := console.shown.String(); strings.Contains(shown, "staple") {
		t.Errorf("the terminal showed %q", shown)
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte("wrap argon2id")) {
		t.Errorf("the key file is %q, %v", text, err)
	}
	if console.hides(t) {
		t.Error("the terminal shows nothing any more")
	}
}

// TestInterruptedPrompt leaves the prompt as people do, by Ctrl-C and by a
// signal: the terminal must show again what is typed.
func TestInterruptedPrompt(t *testing.T) {
	for name, interrupt := range map[string]func(*console){
		"Ctrl-C":  func(c *console) { c.send(t, "\x03") },
		"SIGTERM": func(c *console) { _ = c.program.Process.Signal(syscall.SIGTERM) },
	} {
		console, file := startKeygen(t)
		console.await(t, "Passphrase: ")
		console.awaitHidden(t)
		interrupt(console)
		err := console.program.Wait()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != sqlerr.ExitInternal {
			t.Errorf("%s: ended with %v", name, err)
		}
		if console.hides(t) {
			t.Errorf("%s: the terminal shows nothing any more", name)
		}
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a key file was made: %v", name, err)
		}
	}
}

// console is a terminal with a program on it.
type console struct {
	outer   *os.File // what a terminal emulator holds
	program *exec.Cmd
	shown   bytes.Buffer
	stderr  bytes.Buffer
}

// startKeygen starts tunic keygen --passphrase on a terminal of its own.
func startKeygen(t *testing.T) (*console, string) {
	t.Helper()
	dir := t.TempDir()
	tunic := link(t, "tunic")
	outer, inner := openTerminal(t)
	file := filepath.Join(dir, "key")
	c := &console{outer: outer, program: exec.CommandContext(t.Context(), tunic, "keygen", "--passphrase", "--out", file)}
	c.program.Stdin, c.program.Stderr = inner, &c.stderr
	c.program.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.program.Start(); err != nil {
		t.Fatal(err)
	}
	return c, file
}

// TestLinesAreNotShared reads on terminals of several kinds what a program writes that logs while
// it shows how far it is.
func TestLinesAreNotShared(t *testing.T) {
	for name, test := range map[string]struct {
		env     []string
		columns uint16
		bar     bool
	}{
		"wide":     {columns: 200, bar: true},
		"narrow":   {columns: 40, bar: true},
		"no width": {bar: true},
		"NO_COLOR": {env: []string{"NO_COLOR=1"}, columns: 100, bar: true},
		"dumb":     {env: []string{"TERM=dumb"}, columns: 100},
	} {
		t.Run(name, func(t *testing.T) {
			outer, inner := openTerminal(t)
			onTerminal(t, inner, func(fd int) error {
				return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: test.columns})
			})
			c := &console{outer: outer, program: exec.CommandContext(t.Context(), link(t, "works"))}
			c.program.Stderr, c.program.Env = inner, append([]string{"TERM=xterm"}, test.env...)
			if err := c.program.Start(); err != nil {
				t.Fatal(err)
			}
			c.await(t, "done\r\n")
			if err := c.program.Wait(); err != nil {
				t.Fatal(err)
			}
			checkLines(t, c.shown.String(), int(test.columns), test.bar)
		})
	}
	var out bytes.Buffer
	program := exec.CommandContext(t.Context(), link(t, "works"))
	program.Stderr = &out
	if err := program.Run(); err != nil || strings.ContainsAny(out.String(), "\x1b\r") || strings.Count(out.String(), "something to say\"\n") != 100 {
		t.Errorf("where no terminal is: %v, %q", err, out.String())
	}
}

// checkLines checks what a terminal was sent: log lines that are whole and alone, and a bar that
// is as wide as the terminal at most and gone at the end.
func checkLines(t *testing.T, sent string, columns int, bar bool) {
	t.Helper()
	if !strings.Contains(sent, "[1/2] ") || bar != strings.Contains(sent, eraseLine) {
		t.Errorf("a bar is to be there: %t; %q", bar, sent[:min(len(sent), 300)])
	}
	if rest := strings.ReplaceAll(sent, eraseLine, ""); strings.Contains(rest, "\x1b") {
		t.Errorf("the terminal is sent colours, or more: %q", rest[:min(len(rest), 300)])
	}
	lines := strings.Split(sent, "\r\n")
	said := 0
	for i, line := range lines {
		pieces := strings.Split(line, eraseLine)
		for _, piece := range pieces {
			if bar && columns > 0 && strings.Contains(piece, "[1/2]") && len(piece) >= columns {
				t.Errorf("the bar fills the line: %q", piece)
			}
		}
		last := pieces[len(pieces)-1] // what is left there
		switch {
		case strings.HasPrefix(last, "time=") && strings.HasSuffix(last, `msg="something to say"`) && strings.Count(last, "time=") == 1:
			said++
		case i == len(lines)-2 && last == "done", i == len(lines)-1 && last == "", !bar && strings.HasPrefix(last, "[1/2] "):
		default:
			t.Errorf("line %d shows %q", i, last)
		}
	}
	if said != 100 {
		t.Errorf("%d lines of the log, want 100", said)
	}
}

// openTerminal makes a pseudo-terminal (pts(4)).
func openTerminal(t *testing.T) (outer, inner *os.File) {
	t.Helper()
	outer, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { outer.Close() })
	var number int
	onTerminal(t, outer, func(fd int) error {
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		return err
	})
	inner, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { inner.Close() })
	return outer, inner
}

// onTerminal leaves the file in the mode in which reads can have a deadline,
// which File.Fd does not.
func onTerminal(t *testing.T, f *os.File, do func(fd int) error) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
}

// await reads until the terminal has shown text.
func (c *console) await(t *testing.T, text string) {
	t.Helper()
	if err := c.outer.SetReadDeadline(time.Now().Add(scriptDeadline)); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 256)
	for !strings.Contains(c.shown.String(), text) {
		n, err := c.outer.Read(buf)
		c.shown.Write(buf[:n])
		if err != nil {
			t.Fatalf("waiting for %q: %v; shown so far: %q %s", text, err, c.shown.String(), c.stderr.String())
		}
	}
}

// send types text once the terminal hides it: what is typed before is shown,
// by the terminal and not by the program.
func (c *console) send(t *testing.T, text string) {
	t.Helper()
	c.awaitHidden(t)
	if _, err := c.outer.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func (c *console) awaitHidden(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(scriptDeadline); !c.hides(t); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the terminal never hid what is typed")
		}
	}
}

// hides reports whether the terminal does not show what is typed.
func (c *console) hides(t *testing.T) bool {
	t.Helper()
	var state *unix.Termios
	onTerminal(t, c.outer, func(fd int) (err error) {
		state, err = unix.IoctlGetTermios(fd, unix.TCGETS)
		return err
	})
	return state.Lflag&unix.ECHO == 0
}
