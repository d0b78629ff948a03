package sandboxtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"tunic/internal/sandbox"
)

func TestMain(m *testing.M) { os.Exit(Main(m, NoLeaks)) }

// TestShared: who asks for the same gets the same, who asks for another does not,
// and what is returned answers.
func TestShared(t *testing.T) {
	Each(t, func(t *testing.T, s *sandbox.Server) {
		if again := Start(t, s.Flavor); again != s {
			t.Errorf("a second %s, at %s and at %s", s.Flavor, s.Addr, again.Addr)
		}
		own := Own(t, s.Flavor)
		if own == s {
			t.Errorf("a %s of one's own is the shared one", s.Flavor)
		}
		for _, s := range []*sandbox.Server{s, own} {
			if err := s.Exec(t.Context(), "DO 1"); err != nil {
				t.Error(err)
			}
		}
	})
	for i, s := range Available(t) {
		if i == 0 && s != MariaDB(t) || i == 1 && s != MySQL(t) {
			t.Errorf("server %d that is available is %s at %s", i, s.Flavor, s.Addr)
		}
	}
}

// counting is a pool whose servers are none, with the options of each start.
func counting() (p *pool, starts *[]sandbox.Options) {
	p, starts = newPool(), new([]sandbox.Options)
	p.open = true
	p.starters[sandbox.MariaDB] = func(_ context.Context, o sandbox.Options) (*sandbox.Server, error) {
		*starts = append(*starts, o)
		return &sandbox.Server{}, nil
	}
	return p, starts
}

// TestIdentity: which options make another server, and which do not.
func TestIdentity(t *testing.T) {
	for _, c := range []struct {
		name    string
		options []Option
		another bool
	}{
		{"none", nil, false},
		{"log", []Option{Log(os.Stderr)}, false},
		{"copy 0", []Option{Copy(0)}, false},
		{"copy 1", []Option{Copy(1)}, true},
		{"arguments", []Option{Args("--a", "--b")}, true},
		{"volatile", []Option{Volatile}, true},
		{"TLS", []Option{TLS}, true},
	} {
		p, starts := counting()
		for _, options := range [][]Option{nil, c.options, c.options, nil} {
			if _, err := p.get(sandbox.MariaDB, collect(options)); err != nil {
				t.Fatal(err)
			}
		}
		if got := len(*starts) == 2; got != c.another {
			t.Errorf("%s: %d starts, another server %t", c.name, len(*starts), c.another)
		}
	}
}

// TestOptions: what is asked for is what the sandbox is asked for.
func TestOptions(t *testing.T) {
	p, starts := counting()
	if _, err := p.get(sandbox.MariaDB, collect([]Option{TLS, Args("--a"), Volatile, Args("--b")})); err != nil {
		t.Fatal(err)
	}
	o := (*starts)[0]
	if got, want := fmt.Sprint(o.TLS, o.Args), "true [--a --innodb-flush-log-at-trx-commit=0 --b]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOneStart: tests that ask at the same time wait for one start.
func TestOneStart(t *testing.T) {
	p, starts := counting()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := p.get(sandbox.MariaDB, settings{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(*starts) != 1 || len(p.started) != 1 {
		t.Errorf("%d starts, %d to stop", len(*starts), len(p.started))
	}
}

// TestStop: at the end what was started is stopped, and nothing else is started
// for that.
func TestStop(t *testing.T) {
	p := newPool()
	p.starters[sandbox.MySQL] = func(context.Context, sandbox.Options) (*sandbox.Server, error) {
		t.Error("MySQL is started, and nobody has asked for it")
		return nil, sandbox.ErrUnavailable
	}
	var server *sandbox.Server
	run := func() int {
		s, err := p.get(sandbox.MariaDB, settings{})
		demand(t, err)
		server = s
		return 0
	}
	if code := p.main(run, nil); code != 0 {
		t.Errorf("status %d", code)
	}
	select {
	case <-server.Done():
	default:
		t.Error("the server has not ended")
	}
	if _, err := p.get(sandbox.MariaDB, settings{}); !errors.Is(err, errNoMain) {
		t.Errorf("after the end: %v", err)
	}
}

// TestStatus: a check fails a run that has gone well, and is not made otherwise.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		tests int
		check error
		want  int
		made  bool
	}{
		{0, nil, 0, true},
		{0, errors.New("a goroutine is left (as this test has it)"), 1, true},
		{2, nil, 2, false},
	} {
		made := false
		check := func() error { made = true; return c.check }
		if got := newPool().main(func() int { return c.tests }, []func() error{check}); got != c.want || made != c.made {
			t.Errorf("%+v: status %d, check made %t", c, got, made)
		}
	}
}

// ended is a test that records how it was ended.
type ended struct {
	testing.TB
	how string
}

func (e *ended) Helper()      {}
func (e *ended) Skip(...any)  { e.how = "skipped" }
func (e *ended) Fatal(...any) { e.how = "failed" }

// TestDemand: only what is not installed is a reason to skip.
func TestDemand(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{fmt.Errorf("mariadbd is %w", sandbox.ErrUnavailable), "skipped"},
		{errors.New("mariadbd did not start"), "failed"},
		{errNoMain, "failed"},
	} {
		e := &ended{TB: t}
		if demand(e, c.err); e.how != c.want {
			t.Errorf("%v: %q, want %q", c.err, e.how, c.want)
		}
	}
}
