package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// TestMain makes this test binary, under other names, the programs that the
// scripts run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tunic": main,
		"await": awaitMain,
		"get":   getMain,
		"query": queryMain,
		"until": untilMain,
		"run":   runMain,
		"hold":  holdMain,
		"pair":  pairMain,
		"shows": showsMain,
		"works": worksMain,
	})
}

// scriptDeadline ends a script that hangs.
const scriptDeadline = 5 * time.Minute

// TestScripts runs the command as an operator does. Those that need a database
// are in testdata/script/server.
func TestScripts(t *testing.T) {
	racetest.InOrder(t)
	peers := startPeers(t)
	testscript.Run(t, testscript.Params{
		Dir:      filepath.Join("testdata", "script"),
		Deadline: time.Now().Add(scriptDeadline),
		Cmds:     scriptCommands,
		Setup:    peers.setup,
	})
}

// TestServerScripts runs the scripts that need a database server.
func TestServerScripts(t *testing.T) {
	racetest.InOrder(t)
	db := sandboxtest.Own(t, sandbox.MariaDB, sandboxtest.TLS)
	noTLS := sandboxtest.Own(t, sandbox.MariaDB)
	verified := sandboxtest.Own(t, sandbox.MariaDB) // one ledger a server, and one tunic that serves it
	rotated := sandboxtest.Own(t, sandbox.MariaDB)
	encrypted := sandboxtest.Own(t, sandbox.MariaDB)
	reported := sandboxtest.Own(t, sandbox.MariaDB)
	assessed := sandboxtest.Own(t, sandbox.MariaDB)
	peers := startPeers(t)
	testscript.Run(t, testscript.Params{
		Dir:      filepath.Join("testdata", "script", "server"),
		Deadline: time.Now().Add(scriptDeadline),
		Cmds:     scriptCommands,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DB", db.Addr)
			env.Setenv("DB_SOCKET", db.Socket)
			env.Setenv("DB_CA", db.CAFile)
			env.Setenv("DB_WITHOUT_TLS", noTLS.Addr)
			env.Setenv("DB_VERIFIED", verified.Addr)
			env.Setenv("DB_ROTATED", rotated.Addr)
			env.Setenv("DB_ENCRYPTED", encrypted.Addr)
			env.Setenv("DB_REPORTED", reported.Addr)
			env.Setenv("DB_ASSESSED", assessed.Addr)
			_, port := noTLS.HostPort()
			env.Setenv("DB_WITHOUT_TLS_PORT", port)
			return peers.setup(env)
		},
	})
}

// peers are what tunic meets instead of a usable server, or of a free address.
type peers struct{ taken, nobody, chatter, full, web string }

func startPeers(t *testing.T) peers {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }))
	t.Cleanup(web.Close)
	return peers{
		web:     web.Listener.Addr().String(),
		taken:   startPeer(t, ""),
		nobody:  freeAddr(t),
		chatter: startPeer(t, "HTTP/1.1 400 Bad Request\r\n\r\n"),
		full:    startPeer(t, "\x17\x00\x00\x00\xff\x10\x04Too many connections"),
	}
}

// startPeer listens, and greets everybody with text before it hangs up.
func startPeer(t *testing.T, text string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, text)
			c.Close()
		}
	}()
	return l.Addr().String()
}

// setup gives a script addresses, and a state folder of its own.
func (p peers) setup(env *testscript.Env) error {
	env.Setenv("TAKEN", p.taken)
	env.Setenv("NOBODY", p.nobody)
	env.Setenv("CHATTER", p.chatter)
	env.Setenv("FULL", p.full)
	env.Setenv("WEB", p.web)
	env.Setenv("STATE_DIRECTORY", filepath.Join(env.WorkDir, "state"))
	for _, name := range []string{"LISTEN", "ADMIN"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		env.Setenv(name, l.Addr().String())
		l.Close()
	}
	for _, name := range []string{"LISTEN", "ADMIN", "NOBODY", "CHATTER", "FULL"} {
		_, port, err := net.SplitHostPort(env.Getenv(name))
		if err != nil {
			return err
		}
		env.Setenv(name+"_PORT", port)
	}
	return nil
}

var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"mistake":  mistake,
	"signal":   signalProgram,
	"status":   exitStatus,
	"unfenced": unfenced,
}

// aFence is the name of a fence (docs/words.md), which is another one in each run.
var aFence = regexp.MustCompile(`tunic\$[0-9a-f]{12}\$[0-9]+`)

// unfenced is the script command `unfenced FILE1 FILE2`: the built-in cmp, with any fence in
// the first file where the second one has tunic$FENCE.
func unfenced(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 2 {
		ts.Fatalf("usage: unfenced FILE1 FILE2")
	}
	got, want := aFence.ReplaceAllLiteralString(ts.ReadFile(args[0]), "tunic$FENCE"), ts.ReadFile(args[1])
	if got != want {
		ts.Fatalf("%s and %s differ:\n%s", args[0], args[1], cmp.Diff(want, got))
	}
}

// signalProgram is the script command `signal NAME PROGRAM [ARG...]`: it sends a signal
// to every such program in the background that still runs, of those that have these
// arguments first. The built-in kill knows only INT and KILL.
func signalProgram(ts *testscript.TestScript, negated bool, args []string) {
	signals := map[string]os.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM}
	if negated || len(args) < 2 || signals[args[0]] == nil {
		ts.Fatalf("usage: signal HUP|INT|TERM PROGRAM [ARG...]")
	}
	for _, c := range ts.BackgroundCmds() {
		if filepath.Base(c.Args[0]) != args[1] || len(c.Args) < len(args)-1 || !slices.Equal(c.Args[1:len(args)-1], args[2:]) {
			continue
		}
		if err := c.Process.Signal(signals[args[0]]); !errors.Is(err, os.ErrProcessDone) {
			ts.Check(err)
		}
	}
}

// exitStatus is the script command `status STATUS PROGRAM ARGS...`: it runs a program that must end with
// the exit status, which may also be 0.
func exitStatus(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: status STATUS PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got, err = exit.ExitCode(), nil
	}
	ts.Check(err)
	if got != want {
		ts.Fatalf("ended with status %d, want %d", got, want)
	}
}

// mistake STATUS CODE PROGRAM ARGS... runs a program that must fail with the
// exit status, and must say why in one line with the code, and nothing else.
func mistake(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 3 {
		ts.Fatalf("usage: mistake STATUS CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[2], args[3:]...)
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != want {
		ts.Fatalf("ended with %v, want exit status %d", err, want)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output is not empty: %s", out)
	}
	if err := checkMistake(ts.ReadFile("stderr"), args[1]); err != nil {
		ts.Fatalf("%v", err)
	}
}

func checkMistake(line, code string) error {
	switch {
	case strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n"):
		return fmt.Errorf("not one line: %q", line)
	case !strings.HasPrefix(line, "tunic: "+code+": "):
		return fmt.Errorf("the line does not begin with %s", code)
	case !strings.Contains(line, "(see tunic help "+code+")"):
		return errors.New("the line does not name the command that explains it")
	case strings.Contains(line, "hunter2"):
		return errors.New("the line has the password")
	default:
		return nil
	}
}
