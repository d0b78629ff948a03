package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/metrics"
	"tunic/internal/sandbox"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// account is one of a server's, with the password that lets it in.
type account struct{ name, plugin, password string }

var mysqlAccounts = []account{
	{"sha2_fresh", "caching_sha2_password", "first s€cret"},
	{"sha2_empty", "caching_sha2_password", ""},
	{"sha256", "sha256_password", "second secret"},
	{"sha256_empty", "sha256_password", ""},
}

// path is how a test reaches the server: on each side of tunic secured or not.
type path struct {
	clientTLS bool
	backend   string // "tcp", "tls", "unix"
}

func (p path) String() string {
	return fmt.Sprintf("client TLS %t, backend %s", p.clientTLS, p.backend)
}

func paths() []path {
	var all []path
	for _, clientTLS := range []bool{false, true} {
		for _, backend := range []string{"tcp", "tls", "unix"} {
			all = append(all, path{clientTLS, backend})
		}
	}
	return all
}

// through starts a proxy of that path before the server.
func (p path) through(t *testing.T, server *sandbox.Server) string {
	t.Helper()
	cfg := proxySettings(t, server.Addr)
	switch p.backend {
	case "tls":
		cfg.Backend.TLS, cfg.Backend.CA = config.TLSVerifyFull, server.CAFile
	case "unix":
		cfg.Backend.Address = "unix:" + server.Socket
	}
	_, addr := startProxy(t, cfg)
	return addr
}

// configure makes the client take the path.
func (p path) configure(c *mysql.Config) {
	if p.clientTLS {
		c.TLS = &tls.Config{InsecureSkipVerify: true}
	}
}

func TestMySQLPlugins(t *testing.T) {
	server := database(t, sandbox.MySQL)
	for _, a := range mysqlAccounts {
		err := server.Exec(t.Context(), fmt.Sprintf("CREATE USER '%s'@'%%' IDENTIFIED WITH %s BY '%s'", a.name, a.plugin, a.password))
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range paths() {
		t.Run(p.String(), func(t *testing.T) {
			addr := p.through(t, server)
			for _, a := range mysqlAccounts {
				// The server forgets what it knows of passwords, so the next login is a full one.
				if err := server.Exec(t.Context(), "FLUSH PRIVILEGES"); err != nil {
					t.Fatal(err)
				}
				for _, round := range []string{"full", "fast"} {
					checkLogin(t, p, addr, a, round)
				}
				checkDenied(t, p, addr, a)
			}
		})
	}
}

// challenged repeats what logs in if the driver cannot take the server's challenge:
// one in 256 of ed25519's ends in a zero, which the driver cuts off, and then the
// challenge is too short for it.
func challenged(login func() error) (err error) {
	for range 5 {
		if err = login(); !errors.Is(err, mysql.ErrMalformPkt) {
			return err
		}
	}
	return err
}

// checkLogin wants the account to get in, as itself.
func checkLogin(t *testing.T, p path, addr string, a account, round string) {
	t.Helper()
	db := client(t, addr, a.name, a.password, p.configure)
	defer db.Close()
	var user string
	if err := challenged(func() error { return db.QueryRow("SELECT USER()").Scan(&user) }); err != nil {
		t.Errorf("%s, %s login: %v", a.name, round, err)
		return
	}
	if want := a.name + "@"; len(user) < len(want) || user[:len(want)] != want {
		t.Errorf("%s, %s login: logged in as %s", a.name, round, user)
	}
}

// checkDenied wants another password to be refused by the server.
func checkDenied(t *testing.T, p path, addr string, a account) {
	t.Helper()
	db := client(t, addr, a.name, a.password+"?", p.configure)
	defer db.Close()
	err := challenged(db.Ping)
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); !ok || refusal.Number != 1045 {
		t.Errorf("%s with a wrong password: %v, want error 1045", a.name, err)
	}
}

var mariadbAccounts = []account{
	{"native", "mysql_native_password USING PASSWORD('third secret')", "third secret"},
	{"native_empty", "mysql_native_password", ""},
	{"ed25519", "ed25519 USING PASSWORD('fourth secret')", "fourth secret"},
}

func TestMariaDBPlugins(t *testing.T) {
	server := mariaDB(t)
	for _, a := range mariadbAccounts {
		if err := server.Exec(t.Context(), fmt.Sprintf("CREATE USER '%s'@'%%' IDENTIFIED VIA %s", a.name, a.plugin)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range paths() {
		t.Run(p.String(), func(t *testing.T) {
			addr := p.through(t, server)
			for _, a := range mariadbAccounts {
				checkLogin(t, p, addr, a, "only")
				checkDenied(t, p, addr, a)
			}
		})
	}
}

// TestSocketAccounts: over a Unix socket the server may take tunic for the
// client, so only accounts that a password alone lets in are let in, whatever the
// case of the plugin's name or the client's character set.
func TestSocketAccounts(t *testing.T) {
	for _, c := range []struct {
		flavor   sandbox.Flavor
		user     string
		identify string
		want     uint16 // the error, or 0
	}{
		{sandbox.MariaDB, "either_way", "VIA unix_socket OR mysql_native_password USING PASSWORD('x')", 1698},
		{sandbox.MariaDB, "either_end", "VIA mysql_native_password USING PASSWORD('x') OR UNIX_SOCKET", 1698},
		{sandbox.MariaDB, "jür", "VIA mysql_native_password USING PASSWORD('x') OR UNIX_SOCKET", 1698},
		{sandbox.MariaDB, "two_passwords", "VIA mysql_native_password USING PASSWORD('x') OR ed25519 USING PASSWORD('y')", 0},
		{sandbox.MySQL, "plain_sha2", "WITH caching_sha2_password BY 'x'", 0},
	} {
		server := database(t, c.flavor)
		if err := server.Exec(t.Context(), "CREATE USER '"+c.user+"'@'%' IDENTIFIED "+c.identify); err != nil {
			t.Fatal(err)
		}
		for _, collation := range []string{"latin1_swedish_ci", "utf8mb4_general_ci"} {
			db := client(t, path{backend: "unix"}.through(t, server), c.user, "x", func(m *mysql.Config) { m.Collation = collation })
			err := db.Ping()
			got := uint16(0)
			if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok {
				got = refusal.Number
			}
			if foreign := c.user == "jür" && collation == "latin1_swedish_ci"; got != c.want && !(foreign && got == 1045) {
				t.Errorf("%s over the socket, %s: %v, want error %d", c.user, collation, err, c.want)
			}
		}
		db := client(t, path{backend: "tcp", clientTLS: true}.through(t, server), c.user, "x", path{clientTLS: true}.configure)
		if err := db.Ping(); err != nil {
			t.Errorf("%s over TCP with the right password: %v", c.user, err)
		}
	}
}

// TestLookupNeedsItsPrivilege: a service account that may not look accounts up is
// found at start and not at the first login.
func TestLookupNeedsItsPrivilege(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := database(t, flavor)
			if err := server.Exec(t.Context(), "CREATE USER IF NOT EXISTS powerless@'%' IDENTIFIED BY 'x'"); err != nil {
				t.Fatal(err)
			}
			cfg := proxySettings(t, server.Addr)
			cfg.Service.User, cfg.Service.Password = "powerless", config.NewSecret("x")
			cfg.Service.PasswordFrom = "TUNIC_SERVICE_PASSWORD"
			startProxy(t, cfg) // over TCP it needs none
			cfg.Backend.Address = "unix:" + server.Socket
			log := slog.New(slog.DiscardHandler)
			_, err := New(t.Context(), cfg, nil, testMetrics(), log)
			if err == nil || !strings.Contains(err.Error(), "TUNIC-1404: --service-user: the service account powerless may not look up") {
				t.Errorf("over the socket: %v", err)
			}
			cfg.Service.Password = config.NewSecret("y")
			_, err = New(t.Context(), cfg, nil, testMetrics(), log)
			if err == nil || !strings.Contains(err.Error(), "its password, which is from TUNIC_SERVICE_PASSWORD") {
				t.Errorf("with a wrong password: %v", err)
			}
		})
	}
}

// TestClientCertificate: asking clients for a certificate asks them for TLS.
func TestClientCertificate(t *testing.T) {
	server := mariaDB(t)
	cfg := proxySettings(t, server.Addr)
	cfg.TLS.ClientCA = server.CAFile
	_, addr := startProxy(t, cfg)
	err := client(t, addr, "app", "app", nil).Ping()
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); !ok || refusal.Number != 3159 {
		t.Errorf("without TLS: %v, want error 3159", err)
	}
	if err := client(t, addr, "app", "app", path{clientTLS: true}.configure).Ping(); err == nil {
		t.Error("let in without a certificate")
	}
}

// TestFailedLoginsAreLogged: logins that fail are in the log by the client's address and a number, and
// never by what the client has said; one that only leaves is not.
func TestFailedLoginsAreLogged(t *testing.T) {
	server := mariaDB(t)
	cfg := proxySettings(t, server.Addr)
	cfg.TLS.Mode = config.ClientTLSRequired
	_, addr, lines := startLoggedProxy(t, cfg)
	if err := connect(t, addr).Play(wiretest.ReadGreeting, wiretest.Send(wiretest.Plain(wire.Greeting{
		Capabilities: wire.ClientSSL | wire.ClientProtocol41,
	})), wiretest.HalfClose, wiretest.Drain); err != nil {
		t.Error(err)
	}
	checkDenied(t, path{clientTLS: true}, addr, account{name: "secret_name", password: "secret_word"})
	if err := client(t, addr, "app", "app", nil).Ping(); err == nil {
		t.Error("let in without TLS")
	}
	text := lines.String()
	for _, want := range []string{
		`level=INFO msg="the server denied a login" client=127.0.0.1:`, " error=1045\n",
		`level=INFO msg="connection refused" client=127.0.0.1:`, " code=TUNIC-6002\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, never := range []string{"secret", "TLS with the client failed"} {
		if strings.Contains(text, never) {
			t.Errorf("%q in\n%s", never, text)
		}
	}
}

// TestCertificateNotAccepted: a client that does not accept the certificate is in the
// log as one, and not as a failure of cryptography.
func TestCertificateNotAccepted(t *testing.T) {
	server := mariaDB(t)
	for name, version := range map[string]uint16{"TLS 1.2": tls.VersionTLS12, "TLS 1.3": tls.VersionTLS13} {
		t.Run(name, func(t *testing.T) {
			proxy, addr, lines := startLoggedProxy(t, proxySettings(t, server.Addr))
			strict := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost", MaxVersion: version}
			err := wiretest.Client{User: "app", Password: "app", TLS: strict}.Login(connect(t, addr))
			if _, ok := errors.AsType[*tls.CertificateVerificationError](err); !ok {
				t.Fatalf("%v, want a certificate that is not accepted", err)
			}
			sessions(t, proxy, 0)
			const want = `msg="TLS with the client failed" client=127.0.0.1:`
			if text := lines.String(); !strings.Contains(text, want) || !strings.Contains(text, "not accept the certificate (") {
				t.Errorf("the log has:\n%s", text)
			}
		})
	}
}

// TestRefusedGreetings: a client whom the server turns away with its greeting is in
// the log and in the numbers, as those whom it does not let in later.
func TestRefusedGreetings(t *testing.T) {
	var full atomic.Bool
	good := honest()
	server := &wiretest.Server{Script: func(n int) []wiretest.Step {
		if full.Load() {
			return []wiretest.Step{wiretest.Send(wiretest.Err(1040, "08004", "Too many connections"))}
		}
		return good(n)
	}}
	server.Start(t)
	proxy, addr, lines := startLoggedProxy(t, proxySettings(t, server.Addr))
	full.Store(true)
	if err := connect(t, addr).Play(wiretest.ExpectErr(1040), wiretest.ExpectGone); err != nil {
		t.Error(err)
	}
	sessions(t, proxy, 0)
	const want = `level=INFO msg="the server refused a connection" client=127.0.0.1:`
	if text := lines.String(); !strings.Contains(text, want) || !strings.Contains(text, " error=1040\n") {
		t.Errorf("no %q in\n%s", want, text)
	}
	if n := proxy.metrics.Connections.Refused(metrics.RefusedBackend).Value(); n != 1 {
		t.Errorf("counted %d times", n)
	}
}

// TestOldClient: a client from before plugins logs in with a native password.
func TestOldClient(t *testing.T) {
	server := mariaDB(t)
	_, addr := startProxy(t, proxySettings(t, server.Addr))
	for _, at := range []string{server.Addr, addr} {
		caps := wiretest.ClientCaps &^ (wire.ClientPluginAuth | wire.ClientPluginAuthLenenc)
		peer, err := wiretest.Client{User: "app", Password: "app", Caps: caps}.Dial(t.Context(), at)
		if err != nil {
			t.Errorf("at %s: %v", at, err)
			continue
		}
		run(t, peer, "SELECT 1")
		_ = peer.Close()
	}
}
