package sandbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

type starter struct {
	name  string
	start func(context.Context, Options) (*Server, error)
}

var flavors = []starter{{"MariaDB", StartMariaDB}, {"MySQL", StartMySQL}}

// eachFlavor runs a test on every flavor that is installed.
func eachFlavor(t *testing.T, run func(t *testing.T, start func(Options) *Server)) {
	for _, f := range flavors {
		t.Run(f.name, func(t *testing.T) {
			run(t, func(o Options) *Server {
				s, err := f.start(t.Context(), o)
				if errors.Is(err, ErrUnavailable) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if err := s.Stop(); err != nil {
						t.Errorf("stop: %v", err)
					}
				})
				return s
			})
		})
	}
}

// query returns the single value of a query over TCP.
func query(t *testing.T, dsn, text string) string {
	t.Helper()
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var value string
	if err := db.QueryRow(text).Scan(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func TestAccounts(t *testing.T) {
	eachFlavor(t, func(t *testing.T, start func(Options) *Server) {
		s := start(Options{})
		for _, account := range [][2]string{{"root", "root"}, {ServiceUser, ServicePassword}, {AppUser, AppPassword}} {
			got := query(t, s.DSN(account[0], account[1], "test"), "SELECT CONCAT(USER(), ' ', DATABASE())")
			if want := account[0] + "@127.0.0.1 test"; got != want {
				t.Errorf("logged in as %q, want %q", got, want)
			}
		}
		if got := query(t, s.DSN(AppUser, AppPassword, ""), "SELECT VERSION()"); !strings.HasPrefix(got, s.Version) {
			t.Errorf("server says version %q, Version is %q", got, s.Version)
		}
		refused := query(t, s.DSN("root", "root", "mysql"),
			"SELECT CONCAT(Super_priv, Create_user_priv, Grant_priv, Reload_priv, File_priv) FROM user WHERE User = 'app'")
		if refused != "NNNNN" {
			t.Errorf("administrative privileges of app: %s", refused)
		}
		anonymous := query(t, s.DSN("root", "root", "mysql"), "SELECT COUNT(*) FROM user WHERE User = ''")
		if anonymous != "0" {
			t.Errorf("%s anonymous accounts", anonymous)
		}
	})
}

func TestWrongPasswordIsRefused(t *testing.T) {
	eachFlavor(t, func(t *testing.T, start func(Options) *Server) {
		s := start(Options{})
		db, err := sql.Open("mysql", s.DSN("root", "", ""))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var refused *mysql.MySQLError
		if err := db.Ping(); !errors.As(err, &refused) || refused.Number != 1045 {
			t.Errorf("root without a password: %v, want error 1045", err)
		}
	})
}

// A kill must lose no committed row, and a restart must keep address and folder:
// tests of crashes stand on both, and on a server that does not wait for the disk.
func TestKillAndRestart(t *testing.T) {
	eachFlavor(t, func(t *testing.T, start func(Options) *Server) {
		s := start(Options{NoSync: true})
		if got := query(t, s.DSN("root", "root", ""), "SELECT @@innodb_flush_method"); got != "nosync" {
			t.Errorf("InnoDB flushes by %s, want nosync", got)
		}
		if err := s.Exec(t.Context(), "CREATE TABLE test.t (a INT)", "INSERT INTO test.t VALUES (7)"); err != nil {
			t.Fatal(err)
		}
		addr, pid := s.Addr, s.PID
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := s.Exec(t.Context(), "DO 1"); err == nil {
			t.Fatal("a killed server answers")
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.Addr != addr || s.PID == pid {
			t.Errorf("restarted as %s pid %d, was %s pid %d", s.Addr, s.PID, addr, pid)
		}
		if got := query(t, s.DSN("app", "app", "test"), "SELECT a FROM t"); got != "7" {
			t.Errorf("after the restart the row is %s", got)
		}
	})
}

func TestStopRemovesTheTemporaryFolder(t *testing.T) {
	eachFlavor(t, func(t *testing.T, start func(Options) *Server) {
		s := start(Options{})
		for range 2 {
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(s.Dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("folder after Stop: %v", err)
		}
		if err := s.Restart(t.Context()); err == nil {
			t.Error("restarted without a folder")
		}
	})
}

// The path of a test's own folder is often longer than a socket's may be.
func TestNamedFolderIsKept(t *testing.T) {
	eachFlavor(t, func(t *testing.T, start func(Options) *Server) {
		dir := t.TempDir() + "/" + strings.Repeat("long", 30)
		s := start(Options{Dir: dir})
		if err := s.Exec(t.Context(), "CREATE TABLE test.kept (a INT)"); err != nil {
			t.Fatal(err)
		}
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		again := start(Options{Dir: dir})
		if err := again.Exec(t.Context(), "SELECT a FROM test.kept"); err != nil {
			t.Errorf("the table did not survive: %v", err)
		}
	})
}

func TestArgsOverrideDefaults(t *testing.T) {
	eachFlavor(t, func(t *testing.T, start func(Options) *Server) {
		s := start(Options{Args: []string{"--max-allowed-packet=8M"}})
		if got := query(t, s.DSN("app", "app", ""), "SELECT @@max_allowed_packet"); got != "8388608" {
			t.Errorf("max_allowed_packet %s", got)
		}
		if got := query(t, s.DSN("app", "app", ""), "SELECT @@local_infile"); got != "1" {
			t.Errorf("local_infile %s", got)
		}
	})
}

func TestTLS(t *testing.T) {
	eachFlavor(t, func(t *testing.T, start func(Options) *Server) {
		s := start(Options{TLS: true})
		text, err := os.ReadFile(s.CAFile)
		if err != nil {
			t.Fatal(err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(text) {
			t.Fatal("no certificate in CAFile")
		}
		config := clientConfig("tcp", s.Addr, "app", "app", "")
		config.TLS = &tls.Config{RootCAs: pool, ServerName: "localhost"}
		connector, err := mysql.NewConnector(config)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		defer db.Close()
		var name, cipher string
		if err := db.QueryRow("SHOW STATUS LIKE 'Ssl_cipher'").Scan(&name, &cipher); err != nil || cipher == "" {
			t.Errorf("cipher %q, error %v", cipher, err)
		}
	})
}

func TestBadOptionIsExplained(t *testing.T) {
	_, err := StartMariaDB(t.Context(), Options{Args: []string{"--no-such-option=1"}})
	if err == nil || !strings.Contains(err.Error(), "no-such-option") {
		t.Errorf("error %v, want one that names the option", err)
	}
}

func TestTakenPort(t *testing.T) {
	first, err := StartMariaDB(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Stop()
	_, err = StartMariaDB(t.Context(), Options{Port: first.port})
	if !portTaken(err) {
		t.Errorf("error %v, want one about the port", err)
	}
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	if s, err := StartMariaDB(ctx, Options{Dir: dir}); err == nil {
		t.Error("started under a cancelled context")
		_ = s.Stop()
	}
}

func TestServersShareNothing(t *testing.T) {
	const servers = 3
	ctx := t.Context()
	results := make(chan error, servers)
	for range servers {
		go func() {
			s, err := StartMariaDB(ctx, Options{})
			if err != nil {
				results <- err
				return
			}
			err = s.Exec(ctx, "CREATE TABLE test.mine (a INT)")
			results <- errors.Join(err, s.Stop())
		}()
	}
	for range servers {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

func TestHAProxyRelays(t *testing.T) {
	s, err := StartMariaDB(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	for _, backend := range []string{s.Addr, "unix:" + s.Socket} {
		p, err := StartHAProxy(t.Context(), HAProxyOptions{Backend: backend})
		if err != nil {
			t.Fatal(err)
		}
		if got := query(t, p.DSN("app", "app", "test"), "SELECT 41+1"); got != "42" {
			t.Errorf("answer through HAProxy: %s", got)
		}
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	}
}

func TestUsage(t *testing.T) {
	s, err := StartMariaDB(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	before, err := CPU(s.PID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Exec(t.Context(), "DO BENCHMARK(2000000, MD5('x'))"); err != nil {
		t.Fatal(err)
	}
	after, err := CPU(s.PID)
	if err != nil {
		t.Fatal(err)
	}
	if after <= before {
		t.Errorf("processor time went from %v to %v over work", before, after)
	}
	if rss, err := RSS(s.PID); err != nil || rss < 20<<20 || rss > 8<<30 {
		t.Errorf("resident memory %d bytes, error %v", rss, err)
	}
}

func TestUsageOfNobody(t *testing.T) {
	const nobody = 1 << 30 // above every pid_max
	if _, err := CPU(nobody); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("CPU: %v", err)
	}
	if _, err := RSS(nobody); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("RSS: %v", err)
	}
}
