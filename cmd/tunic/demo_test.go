package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// demoProcess starts `tunic demo` as a user would, on a port of its own.
func demoProcess(t *testing.T, addr string, env ...string) *exec.Cmd {
	t.Helper()
	binary, err := sandbox.TunicBinary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	demo := exec.CommandContext(t.Context(), binary, "demo", "--listen", addr)
	demo.Env = append(demo.Environ(), env...)
	return demo
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestDemoEndsAfterItsSession(t *testing.T) {
	racetest.InOrder(t)
	out, err := demoProcess(t, freeAddr(t), "DEMO_EXIT=1").CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, want := range []string{"sql> SELECT name, balance", "| Alice | 130.50  |", "| 张伟", "At the server", "… (50 bytes)"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	_, stored, _ := strings.Cut(string(out), "At the server")
	if strings.Contains(stored, "Alice") || strings.Contains(stored, "130.50") {
		t.Errorf("the server shows plaintext:\n%s", stored)
	}
}

// A program that was installed has no checkout around it.
func TestDemoOutsideOfACheckout(t *testing.T) {
	racetest.InOrder(t)
	home := t.TempDir()
	demo := demoProcess(t, freeAddr(t), "DEMO_EXIT=1", "HOME="+home)
	demo.Dir = t.TempDir()
	out, err := demo.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	if !strings.Contains(string(out), filepath.Join(demo.Dir, ".tunic")) {
		t.Errorf("its folder is not below the working directory:\n%s", out)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) != 0 {
		t.Errorf("left in the home folder: %v, %v", left, err)
	}
}

func TestDemoSaysThatItsPortIsTaken(t *testing.T) {
	racetest.InOrder(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	out, err := demoProcess(t, l.Addr().String()).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("error %v, want an exit status", err)
	}
	text := strings.TrimSpace(string(out))
	if !strings.Contains(text, "taken") || strings.Contains(text, "\n") {
		t.Errorf("want one line about the port, got:\n%s", text)
	}
}

// TestWorthALook: the demo's folder stays only for logs that say something.
func TestWorthALook(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{portFree("192.0.2.1:1"), false},
		{fmt.Errorf("mariadbd: %w", sandbox.ErrUnavailable), false},
		{errors.New("the database server ended by itself"), true},
	} {
		if worthALook(c.err) != c.want {
			t.Errorf("%v: %v, want %v", c.err, !c.want, c.want)
		}
	}
}

// TestOpenLogs: a file that cannot be made leaves the one before it closed.
func TestOpenLogs(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tunic.log"), 0o700); err != nil {
		t.Fatal(err)
	}
	logs, err := openLogs(dir)
	if err == nil {
		t.Fatal("a folder was opened as a file")
	}
	if err := logs.mariaDB.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("mariadb.log is still open: closing it ends with %v", err)
	}
}

// Ctrl-C must end everything that the demo started, and in order.
func TestDemoStopsOnInterrupt(t *testing.T) {
	racetest.InOrder(t)
	addr := freeAddr(t)
	demo := demoProcess(t, addr)
	var stderr bytes.Buffer
	demo.Stderr = &stderr
	stdout, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	direct := awaitInvitation(t, stdout)
	if err := demo.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, stdout); err != nil {
		t.Error(err)
	}
	if err := demo.Wait(); err != nil {
		t.Errorf("after the interrupt: %v\n%s", err, &stderr)
	}
	for _, a := range []string{addr, direct} {
		if conn, err := net.DialTimeout("tcp", a, time.Second); err == nil {
			conn.Close()
			t.Errorf("somebody still listens on %s", a)
		}
	}
}

// awaitInvitation reads until the demo waits, and returns the address of the
// database server.
func awaitInvitation(t *testing.T, out io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(out)
	direct := ""
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "The same server directly:"); ok {
			words := strings.Fields(rest) // mariadb -h HOST -P PORT …
			direct = net.JoinHostPort(words[2], words[4])
		}
		if strings.HasPrefix(lines.Text(), "Ctrl-C") && direct != "" {
			return direct
		}
	}
	t.Fatalf("the demo ended before it invited anybody: %v", lines.Err())
	return ""
}
