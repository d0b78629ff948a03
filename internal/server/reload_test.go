package server

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/sandbox"
	"tunic/internal/status"
)

// changed is a configuration as another one, changed.
func changed(c *config.Config, change func(*config.Config)) *config.Config {
	next := *c
	change(&next)
	return &next
}

// TestReloadAccounts: a rule that takes a right away holds for sessions that are open, from their next
// command on: for what they have prepared, and for a cursor. One that keeps its rights goes on.
func TestReloadAccounts(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Clients.Others = config.OthersPlain
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(40))", "INSERT INTO person VALUES (1, 'Canary')")
	open := map[string]func() error{}
	for _, how := range []string{"a statement", "a prepared statement", "a transaction"} {
		conn, err := through(t, proxy.Addr().String()).Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		st, err := conn.PrepareContext(t.Context(), "SELECT name FROM person WHERE id = ?")
		if err != nil {
			t.Fatal(err)
		}
		var name string
		if err := st.QueryRowContext(t.Context(), 1).Scan(&name); err != nil {
			t.Fatal(err)
		}
		open[how] = func() error {
			if how == "a prepared statement" {
				return st.QueryRowContext(t.Context(), 1).Scan(&name)
			}
			return conn.QueryRowContext(t.Context(), "SELECT name FROM person WHERE id = 1").Scan(&name)
		}
	}
	reload := func(next *config.Config) {
		t.Helper()
		if err := proxy.Reload(next); err != nil {
			t.Fatal(err)
		}
	}
	reload(changed(cfg, func(c *config.Config) { c.Clients.Accounts = []config.ClientAccount{{User: "app", Host: "*"}} }))
	for how, do := range open {
		if err := do(); err != nil {
			t.Errorf("%s of an account that is listed: %v", how, err)
		}
	}
	reload(changed(cfg, func(c *config.Config) { c.Clients.Accounts = []config.ClientAccount{{User: "other", Host: "*"}} }))
	for how, do := range open {
		if err := do(); err == nil || !strings.Contains(err.Error(), "TUNIC-6007") {
			t.Errorf("%s of an account that is listed no more: %v, want TUNIC-6007", how, err)
		}
	}
	again := through(t, proxy.Addr().String())
	if err := again.QueryRowContext(t.Context(), "SELECT name FROM person").Scan(new(string)); err == nil || !strings.Contains(err.Error(), "TUNIC-6006") {
		t.Errorf("a new login: %v, want TUNIC-6006", err)
	}
	reload(changed(cfg, func(c *config.Config) {
		c.Clients = config.Clients{Accounts: []config.ClientAccount{{User: "other", Host: "*"}}, Others: config.OthersRefuse}
	}))
	if err := through(t, proxy.Addr().String()).PingContext(t.Context()); err == nil || !strings.Contains(err.Error(), "TUNIC-6005") {
		t.Errorf("a new login where others are refused: %v, want TUNIC-6005", err)
	}
}

// TestReloadPolicy: another policy holds for the next definition, and for the next statement of every
// session, whether it was planned or prepared before.
func TestReloadPolicy(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			proxy, _ := serveWith(t, cfg, kek)
			conn, err := through(t, proxy.Addr().String()).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			exec := func(text string) error {
				_, err := conn.ExecContext(t.Context(), text)
				return err
			}
			for _, text := range []string{"CREATE TABLE open (id INT PRIMARY KEY, ssn VARCHAR(20))", "INSERT INTO open VALUES (1, 'a')", "PREPARE p FROM 'INSERT INTO open VALUES (9, ?)'"} {
				if err := exec(text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			st, err := conn.PrepareContext(t.Context(), "INSERT INTO open (id, ssn) VALUES (?, ?)")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := st.ExecContext(t.Context(), 2, "b"); err != nil {
				t.Fatal(err)
			}
			next := changed(cfg, func(c *config.Config) {
				c.Policy.Rules = []config.Rule{{Columns: "test.*.ssn", Protection: "equality", From: "here"}}
			})
			if err := proxy.Reload(next); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"INSERT INTO open VALUES (3, 'canary')", "SELECT ssn FROM open", "INSERT INTO open (id, ssn) VALUES (4, 'canary')", "SET @a = 'canary'; EXECUTE p USING @a"} {
				for _, one := range strings.Split(text, "; ") {
					err = exec(one)
				}
				if err == nil {
					t.Errorf("%s: not refused", text)
				}
			}
			if _, err := st.ExecContext(t.Context(), 5, "canary"); err == nil {
				t.Error("a statement that was prepared before is not refused")
			}
			root := client(t, server.Addr, "root", "root", func(c *mysql.Config) { c.DBName = "test" })
			is(t, "rows at the server", textOf(t, root, "SELECT COUNT(*) FROM open"), "2")
			if err := exec("CREATE TABLE shut (id INT PRIMARY KEY, ssn VARCHAR(20))"); err != nil {
				t.Fatal(err)
			}
			if err := exec("INSERT INTO shut VALUES (1, 'canary')"); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(textOf(t, root, "SELECT ssn FROM shut"), ""); strings.Contains(got, "canary") {
				t.Error("a column that the new policy protects is plain")
			}
			if err := proxy.Reload(cfg); err != nil { // and back
				t.Fatal(err)
			}
			if err := exec("INSERT INTO open VALUES (6, 'c')"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReloadLimits: limits hold at once; a configuration that cannot be used changes nothing.
func TestReloadLimits(t *testing.T) {
	cfg := proxySettings(t, mariaDB(t).Addr)
	proxy, addr := startProxy(t, cfg)
	open := app(t, addr)
	tight := changed(cfg, func(c *config.Config) { c.Limits.Connections, c.Limits.PreparedStatements = 1, 1 })
	wrong := changed(tight, func(c *config.Config) { c.TLS.ClientCA = "/none" })
	if err := proxy.Reload(wrong); err == nil || !strings.Contains(err.Error(), "TUNIC-1501") {
		t.Errorf("a file that is not there: %v", err)
	}
	wrong = changed(tight, func(c *config.Config) { c.Policy.Rules = []config.Rule{{Columns: "a.b.c", Protection: "much"}} })
	if err := proxy.Reload(wrong); err == nil || !strings.Contains(err.Error(), "TUNIC-1003") {
		t.Errorf("a rule that cannot be read: %v", err)
	}
	run(t, app(t, addr), "SELECT 1")
	if err := proxy.Reload(tight); err != nil {
		t.Fatal(err)
	}
	if err := client(t, addr, "app", "app", nil).PingContext(t.Context()); err == nil || !strings.Contains(err.Error(), "TUNIC-4001") {
		t.Errorf("one connection too many: %v", err)
	}
	run(t, open, "SELECT 1")
	idle := changed(tight, func(c *config.Config) { c.Limits.IdleTimeout = 1 })
	if err := proxy.Reload(idle); err != nil {
		t.Fatal(err)
	}
	wantFarewell(t, open, 4031)
}

// TestReloadGone: a rule that is no more is told of, since the file may have been cut; one that was changed is not.
func TestReloadGone(t *testing.T) {
	cfg := proxySettings(t, mariaDB(t).Addr)
	cfg.Policy.Rules = []config.Rule{{Columns: "a.b.c", Protection: "sealed", From: "here"}, {Columns: "a.b.d", Protection: "sealed", From: "here"}}
	var log bytes.Buffer
	proxy, err := New(t.Context(), cfg, nil, testMetrics(), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	err = proxy.Reload(changed(cfg, func(c *config.Config) {
		c.Policy.Rules = []config.Rule{{Columns: "a.b.c", Protection: "order", From: "here"}}
	}))
	if said := log.String(); err != nil || strings.Count(said, "is gone") != 1 || !strings.Contains(said, "columns=a.b.d") {
		t.Errorf("%v, %s", err, said)
	}
}

// TestReloadStatus: the status shows the limits and the rules that hold now, and not those of the start.
func TestReloadStatus(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Policy.Rules = []config.Rule{{Columns: "test.*.ssn", Protection: "equality", Waits: true, From: "here"}}
	proxy, _ := serveWith(t, cfg, kek)
	gatherer := proxy.Status("v1", "abc", func() bool { return false })
	waits := func() bool {
		return slices.ContainsFunc(gatherer.Gather(t.Context(), status.Ask{}).Warnings, func(w status.Warning) bool { return w.Name == "rule_waits" })
	}
	if !waits() {
		t.Error("no warning of a rule that waits")
	}
	next := changed(cfg, func(c *config.Config) {
		c.Limits.Connections = 7
		c.Policy.Rules = []config.Rule{{Columns: "test.*.ssn", Protection: "equality", From: "here"}}
	})
	if err := proxy.Reload(next); err != nil {
		t.Fatal(err)
	}
	if got := gatherer.Gather(t.Context(), status.Ask{}).Sessions.Limit; got != 7 {
		t.Errorf("the limit is %d, and was set to 7", got)
	}
	if waits() {
		t.Error("a warning of a rule that waits no more")
	}
}
