package sandboxtest

import (
	"database/sql"
	"errors"
	"testing"

	"go.uber.org/goleak"

	"tunic/internal/sandbox"
)

// shared is the pool of this process.
var shared = newPool()

// flavors are the servers that tests run on, in the order in which they do.
var flavors = []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL}

// Main is for TestMain: it runs the tests, stops the servers that they have
// started, and returns the exit status. The checks are made after that if all has
// gone well; one that returns an error fails the run.
func Main(m *testing.M, checks ...func() error) int { return shared.main(m.Run, checks) }

// NoLeaks is a check of Main: that no goroutine has outlived the tests. The one it
// passes over is started by a library's init and never ends.
func NoLeaks() error {
	return goleak.Find(goleak.IgnoreTopFunction("github.com/golang/glog.(*fileSink).flushDaemon"))
}

// Find returns the server of a flavor and options that the tests of this process
// share, and false where it is not installed.
func Find(tb testing.TB, flavor sandbox.Flavor, options ...Option) (server *sandbox.Server, ok bool) {
	tb.Helper()
	server, err := shared.get(flavor, collect(options))
	if errors.Is(err, sandbox.ErrUnavailable) {
		tb.Log(err)
		return nil, false
	}
	demand(tb, err)
	return server, true
}

// Start is Find for a test that is skipped where the server is not installed.
func Start(tb testing.TB, flavor sandbox.Flavor, options ...Option) *sandbox.Server {
	tb.Helper()
	server, err := shared.get(flavor, collect(options))
	demand(tb, err)
	return server
}

// MariaDB is Start for a MariaDB server.
func MariaDB(tb testing.TB, options ...Option) *sandbox.Server {
	tb.Helper()
	return Start(tb, sandbox.MariaDB, options...)
}

// MySQL is Start for a MySQL server.
func MySQL(tb testing.TB, options ...Option) *sandbox.Server {
	tb.Helper()
	return Start(tb, sandbox.MySQL, options...)
}

// Each runs a test on the shared server of each flavor, as a subtest of its name. They run at the same
// time, as most of a test's time goes by while a server or a lease is waited for.
func Each(t *testing.T, run func(t *testing.T, s *sandbox.Server), options ...Option) {
	t.Helper()
	for _, flavor := range flavors {
		t.Run(string(flavor), func(t *testing.T) {
			t.Parallel()
			run(t, Start(t, flavor, options...))
		})
	}
}

// Available returns the shared servers of all flavors that are installed, MariaDB
// first. Where there is none the test is skipped.
func Available(tb testing.TB, options ...Option) []*sandbox.Server {
	tb.Helper()
	var found []*sandbox.Server
	for _, flavor := range flavors {
		if s, ok := Find(tb, flavor, options...); ok {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		tb.Skip("no server is installed; run `make deps`")
	}
	return found
}

// Own starts a server for one test alone, and stops it when that ends. Where it is
// not installed the test is skipped.
func Own(tb testing.TB, flavor sandbox.Flavor, options ...Option) *sandbox.Server {
	tb.Helper()
	start, ok := shared.starters[flavor]
	if !ok {
		tb.Fatalf("no server is called %q: there are %s and %s", flavor, sandbox.MariaDB, sandbox.MySQL)
	}
	demand(tb, leftOut())
	server, err := start(tb.Context(), collect(options).Options)
	demand(tb, err)
	tb.Cleanup(func() {
		if err := server.Stop(); err != nil {
			tb.Errorf("stop %s: %v", flavor, err)
		}
	})
	return server
}

// Open is a pool of connections by a data source name of go-sql-driver's, which is closed behind the test.
func Open(tb testing.TB, dsn string) *sql.DB {
	tb.Helper()
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db
}
