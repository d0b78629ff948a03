package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// pretend writes a program that stands in for sysbench.
func pretend(t *testing.T, script string) sysbench {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sysbench")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return sysbench{path}
}

var someLoad = load{
	Script: "oltp_read_write", Command: "run", Addr: "127.0.0.1:3307", Database: "sbtest", PSMode: "auto",
	Threads: 24, Seconds: 5, Tables: 5, Rows: 1000, Seed: 2,
}

func TestLoadArgs(t *testing.T) {
	got, err := someLoad.args()
	if err != nil {
		t.Fatal(err)
	}
	want := "--db-driver=mysql --mysql-host=127.0.0.1 --mysql-port=3307 --mysql-user=app --mysql-password=app" +
		" --mysql-db=sbtest --mysql-ssl=off --db-ps-mode=auto --tables=5 --table-size=1000 --threads=24 --time=5" +
		" --rand-type=uniform --rand-seed=2 --percentile=95 --histogram=off oltp_read_write run"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestLoadArgsIntervals(t *testing.T) {
	l := someLoad
	l.Intervals = true
	if got, err := l.args(); err != nil || !slices.Contains(got, "--report-interval=1") {
		t.Errorf("%v, %v", got, err)
	}
}

// TestLoadArgsTransactions: it ends with them, and with nothing else.
func TestLoadArgsTransactions(t *testing.T) {
	l := someLoad
	l.Transactions = 5000000
	got, err := l.args()
	if err != nil || !slices.Contains(got, "--events=5000000") || !slices.Contains(got, "--time=0") {
		t.Errorf("%v, %v", got, err)
	}
	if l.limit() < time.Hour {
		t.Errorf("it is ended after %s", l.limit())
	}
}

func TestLoadArgsBadAddress(t *testing.T) {
	l := someLoad
	l.Addr = "nowhere"
	if _, err := l.args(); err == nil {
		t.Error("an address without a port makes a command line")
	}
}

func TestRunShowsLinesAsTheyCome(t *testing.T) {
	var seen []string
	out, err := pretend(t, `echo "  one"; echo two; printf three`).run(t.Context(), someLoad, func(line string) { seen = append(seen, line) })
	if err != nil {
		t.Fatal(err)
	}
	if out != "  one\ntwo\nthree" || !slices.Equal(seen, []string{"one", "two", "three"}) {
		t.Errorf("output %q, lines %q", out, seen)
	}
}

func TestRunReportsWhySysbenchFailed(t *testing.T) {
	_, err := pretend(t, `cat <<'END'
`+recorded(t, "connection_lost")+`
END
exit 1`).run(t.Context(), someLoad, nil)
	if err == nil || !strings.Contains(err.Error(), "error 2013") {
		t.Errorf("got %v, want sysbench's own reason", err)
	}
	if err != nil && strings.Contains(err.Error(), "SELECT") {
		t.Errorf("the reason holds a statement: %v", err)
	}
	if _, err := pretend(t, "exit 3").run(t.Context(), someLoad, nil); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("without a reason: got %v, want the exit status", err)
	}
}

func TestRunEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := pretend(t, "echo started; exec sleep 600").run(ctx, someLoad, func(string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestLimitCoversTheRun(t *testing.T) {
	if limit := someLoad.limit(); limit <= 5*time.Second {
		t.Errorf("a run of 5 s is ended after %v", limit)
	}
	l := someLoad
	l.Command = "prepare"
	if l.limit() != prepareMax {
		t.Errorf("prepare is ended after %v, want %v", l.limit(), prepareMax)
	}
}
