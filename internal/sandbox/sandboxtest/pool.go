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

// starter starts a server of one flavor. Its context bounds the start.
type starter func(context.Context, sandbox.Options) (*sandbox.Server, error)

// pool is the servers that the tests of a process share.
type pool struct {
	starters map[sandbox.Flavor]starter

	mu      sync.Mutex
	open    bool // main runs, and will stop what is started
	servers map[identity]func() (*sandbox.Server, error)
	started []*sandbox.Server
}

func newPool() *pool {
	return &pool{
		starters: map[sandbox.Flavor]starter{sandbox.MariaDB: sandbox.StartMariaDB, sandbox.MySQL: sandbox.StartMySQL},
		servers:  make(map[identity]func() (*sandbox.Server, error)),
	}
}

// errNoMain says that nobody would stop a server.
var errNoMain = errors.New("shared servers are stopped by sandboxtest.Main: call it in TestMain")

// get returns the server of these settings, which it starts if nobody has asked
// for it before. A start that failed is not tried again: the reason stays.
func (p *pool) get(flavor sandbox.Flavor, s settings) (*sandbox.Server, error) {
	p.mu.Lock()
	if !p.open {
		p.mu.Unlock()
		return nil, errNoMain
	}
	start := p.servers[s.identity(flavor)]
	if start == nil {
		start = sync.OnceValues(func() (*sandbox.Server, error) { return p.start(flavor, s) })
		p.servers[s.identity(flavor)] = start
	}
	p.mu.Unlock()
	return start()
}

// start starts a server that outlives the test that is the first to ask for it, so
// the context is not the test's. The sandbox has a limit of its own.
func (p *pool) start(flavor sandbox.Flavor, s settings) (*sandbox.Server, error) {
	if err := leftOut(); err != nil {
		return nil, err
	}
	server, err := p.starters[flavor](context.Background(), s.Options)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started = append(p.started, server)
	return server, nil
}

// main runs the tests, stops the servers they have started, and then makes the
// checks, unless something has failed: a test that failed may leave anything behind.
func (p *pool) main(run func() int, checks []func() error) int {
	p.open = true
	code := run()
	p.open = false
	if err := p.stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	for _, check := range checks {
		if code != 0 {
			break
		}
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	return code
}

// stop stops what was started.
func (p *pool) stop() error {
	var errs []error
	for _, s := range p.started {
		if err := s.Stop(); err != nil {
			errs = append(errs, fmt.Errorf("stop %s: %w", s.Flavor, err))
		}
	}
	p.started = nil
	return errors.Join(errs...)
}

// demand ends a test that cannot have its server.
func demand(tb testing.TB, err error) {
	tb.Helper()
	switch {
	case errors.Is(err, sandbox.ErrUnavailable):
		tb.Skip(err)
	case err != nil:
		tb.Fatal(err)
	}
}

// leftOut is the error of a run that is to be over in two minutes: `make check`. Tests that need a server
// are skipped in it.
func leftOut() error {
	if os.Getenv("TUNIC_SERVERS") == "none" {
		return fmt.Errorf("servers are left out by TUNIC_SERVERS=none, and so %w for this run", sandbox.ErrUnavailable)
	}
	return nil
}
