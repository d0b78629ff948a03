package server

import (
	"context"
	dbsql "database/sql"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/metrics"
	"tunic/internal/plan"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sql"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// database returns the server of a flavor that this package's tests share.
func database(t *testing.T, flavor sandbox.Flavor) *sandbox.Server {
	t.Helper()
	return sandboxtest.Start(t, flavor, sandboxtest.TLS)
}

// mariaDB is database for the tests to which it does not matter.
func mariaDB(t *testing.T) *sandbox.Server {
	t.Helper()
	return database(t, sandbox.MariaDB)
}

// proxySettings are the settings of a test's proxy before it changes them.
func proxySettings(t *testing.T, backend string) *config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.Listen = "127.0.0.1:0"
	cfg.Backend.Address = backend
	cfg.Backend.TLS = config.TLSDisabled
	cfg.Service.User = "tunic_service"
	cfg.Service.Password = config.NewSecret("service")
	cfg.TLS.Dir = filepath.Join(t.TempDir(), "tls")
	cfg.Policy.Default = config.PolicyPlain
	cfg.Limits.Drain = 5 * time.Second
	return cfg
}

// testMetrics are metrics with the lists of statements; the names do not matter
// here, the numbers must fit.
func testMetrics() *metrics.Metrics {
	o := metrics.Options{StatementActions: plan.ActionNames()}
	for _, kind := range sql.Kinds() {
		o.StatementKinds = append(o.StatementKinds, kind.String())
	}
	return metrics.New(o)
}

// startProxy serves until the test ends and returns the address.
func startProxy(t *testing.T, cfg *config.Config) (*Server, string) {
	t.Helper()
	proxy, addr, _ := startLoggedProxy(t, cfg)
	return proxy, addr
}

// logged is what a proxy has written to its log.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements [io.Writer].
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is what was written so far.
func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// startLoggedProxy is startProxy for a test that reads the log.
func startLoggedProxy(t *testing.T, cfg *config.Config) (*Server, string, *logged) {
	t.Helper()
	return startChangedProxy(t, cfg, func(*Server) {})
}

// startChangedProxy is startLoggedProxy for a test that changes what no setting does,
// before the first session.
func startChangedProxy(t *testing.T, cfg *config.Config, change func(*Server)) (*Server, string, *logged) {
	t.Helper()
	lines := new(logged)
	ctx, cancel := context.WithCancel(context.Background())
	proxy, err := New(ctx, cfg, nil, testMetrics(), slog.New(slog.NewTextHandler(lines, nil)))
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	change(proxy)
	if err := proxy.Listen(); err != nil {
		cancel()
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- proxy.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return proxy, proxy.Addr().String(), lines
}

// client opens a pool through addr.
func client(t *testing.T, addr, user, password string, change func(*mysql.Config)) *dbsql.DB {
	t.Helper()
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr, cfg.User, cfg.Passwd = "tcp", addr, user, password
	cfg.AllowCleartextPasswords = true
	cfg.Logger = log.New(io.Discard, "", 0)
	if change != nil {
		change(cfg)
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := dbsql.OpenDB(connector)
	t.Cleanup(func() { _ = db.Close() })
	return db
}
