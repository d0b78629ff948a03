package clients

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// A route is a way to the server: nothing between, or a tunic.
type route struct {
	name string
	addr string
	ca   string // PEM file that the certificate shown on this route verifies against
	// otherCA is one that it does not verify against.
	otherCA string
}

// A fixture is a server, filled with what the scenarios need, and the routes to it.
type fixture struct {
	server *sandbox.Server
	flavor string // mariadb or mysql, as the scenarios spell it
	direct route
	tunic  route
	proxy  *sandbox.Proc // that the route tunic goes through
}

// startTime bounds the start of the processes of a fixture.
const startTime = 2 * time.Minute

// mustHave skips the test, or fails it where everything must be there.
func mustHave(t *testing.T, have bool, why ...any) {
	t.Helper()
	switch {
	case have:
	case os.Getenv("TUNIC_REQUIRE_CLIENTS") == "1":
		t.Fatal(why...)
	default:
		t.Skip(why...)
	}
}

func newFixture(t *testing.T, flavor sandbox.Flavor) *fixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	f := &fixture{server: startServer(ctx, t, flavor), flavor: strings.ToLower(string(flavor))}
	f.proxy, f.tunic = f.startTunic(ctx, t, "tunic", f.server.Addr)
	f.direct = route{"direct", f.server.Addr, f.server.CAFile, f.tunic.ca}
	return f
}

// newProtectedFixture is a server before which a tunic protects every column that it
// can by default.
func newProtectedFixture(t *testing.T, flavor sandbox.Flavor, flags ...string) *fixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	f := &fixture{server: startServer(ctx, t, flavor), flavor: strings.ToLower(string(flavor))}
	f.proxy, f.tunic = f.start(ctx, t, "tunic", sandbox.TunicOptions{Backend: f.server.Addr, Protect: true, Args: flags})
	f.direct = route{"direct", f.server.Addr, f.server.CAFile, f.tunic.ca}
	return f
}

// startServer starts a server with room for values of 20 MiB in one transaction
// and with the tables of connection attributes.
func startServer(ctx context.Context, t *testing.T, flavor sandbox.Flavor) *sandbox.Server {
	t.Helper()
	redo := "--innodb-log-file-size=256M"
	if flavor == sandbox.MySQL {
		redo = "--innodb-redo-log-capacity=512M"
	}
	server := sandboxtest.Own(t, flavor, sandboxtest.TLS, sandboxtest.Args(redo, "--performance-schema=ON"))
	if flavor == sandbox.MySQL {
		// The functions that read query attributes.
		if err := server.Exec(ctx, "INSTALL COMPONENT 'file://component_query_attributes'"); err != nil {
			t.Fatal(err)
		}
	}
	return server
}

// startTunic starts a tunic, which makes the certificate it shows by itself, with
// a server's address and flags, and returns the route through it.
func (f *fixture) startTunic(ctx context.Context, t *testing.T, name, backend string, flags ...string) (*sandbox.Proc, route) {
	t.Helper()
	return f.start(ctx, t, name, sandbox.TunicOptions{Backend: backend, Args: flags})
}

// start is startTunic with all that may be said of a tunic.
func (f *fixture) start(ctx context.Context, t *testing.T, name string, o sandbox.TunicOptions) (*sandbox.Proc, route) {
	t.Helper()
	dir := t.TempDir()
	// By its end all clients have gone.
	o.Args = append([]string{"--tls-dir", dir, "--drain", "1s"}, o.Args...)
	proxy, err := sandbox.StartTunic(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last lines of %s:\n%s", name, proxy.Output())
		}
		stop(t, proxy)
	})
	return proxy, route{name, proxy.Addr, filepath.Join(dir, "server-cert.pem"), f.server.CAFile}
}

func stop(t *testing.T, p interface{ Stop() error }) {
	t.Helper()
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
}

// fillNumbers makes the table that the scenarios stream.
func (f *fixture) fillNumbers(ctx context.Context, t *testing.T) {
	t.Helper()
	const digits = "(SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION " +
		"SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
	err := f.server.Exec(ctx,
		"CREATE DATABASE clients",
		"CREATE TABLE clients.numbers (n INT PRIMARY KEY, label VARCHAR(100) NOT NULL)",
		fmt.Sprintf(`INSERT INTO clients.numbers SELECT n, CONCAT('row ', n, REPEAT('.', 80)) FROM
			(SELECT a.d + b.d * 10 + c.d * 100 + e.d * 1000 + f.d * 10000 AS n
			FROM %[1]s a, %[1]s b, %[1]s c, %[1]s e, %[1]s f) AS all_numbers`, digits))
	if err != nil {
		t.Fatal(err)
	}
}

// accountPassword has what a program may forget to quote.
const accountPassword = `p4ss w0rd'"\x`

// accounts are the login accounts of a scenario: the end of the name, and how the
// server knows its password.
func (f *fixture) accounts() map[string]string {
	quoted := `'p4ss w0rd''"\\x'`
	with := func(plugin string) string { return "IDENTIFIED WITH " + plugin + " BY " + quoted }
	if f.flavor == "mysql" {
		return map[string]string{
			"empty": "", "sha2": with("caching_sha2_password"),
			"sha2_rsa": with("caching_sha2_password"), "sha256": with("sha256_password"),
		}
	}
	via := func(plugin string) string { return "IDENTIFIED VIA " + plugin + " USING PASSWORD(" + quoted + ")" }
	return map[string]string{"empty": "", "native": via("mysql_native_password"), "ed25519": via("ed25519")}
}

// prepare makes the database and the accounts of one run of a scenario. They are
// new for every run: a password that the server has in its cache is no test of the
// long way in.
func (f *fixture) prepare(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	statements := []string{"SET NAMES utf8mb4", "CREATE DATABASE " + name + " CHARACTER SET utf8mb4"}
	for plugin, how := range f.accounts() {
		account := fmt.Sprintf("'%s_%s'@'%%'", name, plugin)
		statements = append(statements, "CREATE USER "+account+" "+how,
			"GRANT ALL ON "+name+".* TO "+account, "GRANT SELECT ON clients.* TO "+account)
	}
	if err := f.server.Exec(ctx, statements...); err != nil {
		t.Fatal(err)
	}
}

// environment is what a scenario is told.
func (f *fixture) environment(r route, name, scratch string) []string {
	host, port, _ := net.SplitHostPort(r.addr)
	return []string{
		"CLIENT_HOST=" + host, "CLIENT_PORT=" + port, "CLIENT_FLAVOR=" + f.flavor,
		"CLIENT_CA=" + r.ca, "CLIENT_OTHER_CA=" + r.otherCA,
		"CLIENT_USER=" + sandbox.AppUser, "CLIENT_PASSWORD=" + sandbox.AppPassword, "CLIENT_DATABASE=" + name,
		"CLIENT_ACCOUNT=" + name, "CLIENT_ACCOUNT_PASSWORD=" + accountPassword,
		"CLIENT_TYPES=" + scenarioPath("types.tsv"), "CLIENT_SCRATCH=" + scratch,
	}
}
