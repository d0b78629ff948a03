package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sqlerr"
	"tunic/internal/waittest"
)

// protecting is a server of its own, as its ledger is, and a key.
func protecting(t *testing.T, flavor sandbox.Flavor, options ...sandboxtest.Option) (*sandbox.Server, *keys.KEK, *config.Config) {
	t.Helper()
	if options == nil {
		options = append(options, sandboxtest.Volatile)
	}
	server := sandboxtest.Own(t, flavor, options...)
	kek, err := keys.NewKEK()
	if err != nil {
		t.Fatal(err)
	}
	cfg := proxySettings(t, server.Addr)
	cfg.Policy.Default, cfg.Policy.Ceiling = config.PolicyProtect, config.CeilingOrder
	cfg.Key.File = "the key file"
	return server, kek, cfg
}

// tryInit makes the ledger, if there is none and may be.
func tryInit(t *testing.T, cfg *config.Config, kek *keys.KEK) error {
	t.Helper()
	d, err := OpenDatabase(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	_, _, err = d.InitLedger(t.Context(), kek)
	return err
}

// initLedger makes the ledger, if there is none.
func initLedger(t *testing.T, cfg *config.Config, kek *keys.KEK) keys.Project {
	t.Helper()
	d, err := OpenDatabase(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	p, _, err := d.InitLedger(t.Context(), kek)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// serveWith serves with a key until the test ends or stop is called.
func serveWith(t *testing.T, cfg *config.Config, kek *keys.KEK) (proxy *Server, stop func()) {
	t.Helper()
	initLedger(t, cfg, kek)
	return serveKnown(t, cfg, kek)
}

// serveKnown is serveWith before a ledger that is there.
func serveKnown(t *testing.T, cfg *config.Config, kek *keys.KEK) (proxy *Server, stop func()) {
	t.Helper()
	return serveChanged(t, cfg, kek, func(*Server) {})
}

// serveChanged is serveKnown of a server that is changed before it serves.
func serveChanged(t *testing.T, cfg *config.Config, kek *keys.KEK, change func(*Server)) (proxy *Server, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	proxy, err := New(ctx, cfg, kek, testMetrics(), slog.New(slog.DiscardHandler))
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
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return proxy, stop
}

// through is a pool of an application's connections.
func through(t *testing.T, addr string) *sql.DB {
	t.Helper()
	db := client(t, addr, "app", "app", func(c *mysql.Config) { c.DBName = "test" })
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func mustExec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// TestProtected: with protection by default a client sees its rows, and the server
// holds none of their values.
func TestProtected(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, stop := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(40) UNIQUE)", "INSERT INTO person VALUES (1, 'Canary')")
			var name string
			if err := db.QueryRowContext(t.Context(), "SELECT name FROM person WHERE name = ?", "canary").Scan(&name); err != nil || name != "Canary" {
				t.Fatalf("%q, %v", name, err)
			}
			var stored []byte
			direct := through(t, server.Addr)
			if err := direct.QueryRowContext(t.Context(), "SELECT `row$form` FROM person").Scan(&stored); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.ToLower(string(stored)), "canary") || len(stored) < 40 {
				t.Errorf("stored as %d bytes: %q", len(stored), stored)
			}
			for _, column := range []string{"name", "`row$form`"} {
				if _, err := direct.ExecContext(t.Context(), "UPDATE person SET "+column+" = 'written around tunic, by somebody else'"); err == nil {
					t.Errorf("the server takes plaintext as %s", column)
				}
			}
			stop()
			again, _ := serveWith(t, cfg, kek)
			if err := through(t, again.Addr().String()).QueryRowContext(t.Context(), "SELECT name FROM person").Scan(&name); err != nil || name != "Canary" {
				t.Errorf("after a restart: %q, %v", name, err)
			}
		})
	}
}

// TestDroppedAround: a protected table that somebody has dropped at the server keeps
// tunic from nothing but itself.
func TestDroppedAround(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, stop := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE stays (id INT PRIMARY KEY)", "CREATE TABLE goes (id INT PRIMARY KEY)", "INSERT INTO stays VALUES (1)")
	stop()
	mustExec(t, through(t, server.Addr), "DROP TABLE goes")
	again, _ := serveWith(t, cfg, kek)
	db = through(t, again.Addr().String())
	var id int
	if err := db.QueryRowContext(t.Context(), "SELECT id FROM stays").Scan(&id); err != nil || id != 1 {
		t.Errorf("%d, %v", id, err)
	}
	wantNumber(t, db.QueryRowContext(t.Context(), "SELECT id FROM goes").Scan(&id), 1146)
	mustExec(t, db, "DROP TABLE IF EXISTS goes", "CREATE TABLE goes (id INT PRIMARY KEY)", "INSERT INTO goes VALUES (2)")
}

// TestUnknownResults: in a character set that tunic cannot convert, nobody is shown
// what is stored in the place of what was defined.
func TestUnknownResults(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MySQL)
	proxy, _ := serveWith(t, cfg, kek)
	conn, err := through(t, proxy.Addr().String()).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, s := range []string{"CREATE TABLE shown (id INT PRIMARY KEY)", "SET NAMES gb18030"} {
		if _, err := conn.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	for _, s := range []string{"SHOW COLUMNS FROM shown", "DESCRIBE shown", "SHOW INDEX FROM shown"} {
		rows, err := conn.QueryContext(t.Context(), s)
		if err == nil {
			_ = rows.Close()
		}
		wantNumber(t, err, 1235)
	}
}

// TestPreparedDefinition: the server does not see the text of a definition that is
// prepared, one of plain tables included, before it is executed.
func TestPreparedDefinition(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, _ := serveWith(t, cfg, kek)
	root := client(t, server.Addr, "root", "root", nil)
	t.Cleanup(func() { _ = root.Close() })
	mustExec(t, root, "SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = 1")
	conn, err := through(t, proxy.Addr().String()).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, text := range []string{
		"CREATE TABLE made (id INT PRIMARY KEY, v VARCHAR(40) DEFAULT 'kanari' COMMENT 'kanari')",
		"ALTER TABLE made ALTER v SET DEFAULT 'kanari too'", "DROP TABLE made", "DROP TABLE IF EXISTS plain",
	} {
		st, err := conn.PrepareContext(t.Context(), text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if _, err := st.ExecContext(t.Context()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
	mustExec(t, root, "SET GLOBAL general_log = 0")
	var seen, logged int
	err = root.QueryRowContext(t.Context(), "SELECT SUM(argument LIKE '%kanari%'), COUNT(*) FROM mysql.general_log WHERE argument NOT LIKE '%general_log%'").Scan(&seen, &logged)
	if err != nil || seen > 0 || logged < 10 {
		t.Errorf("of %d statements in the server's log %d have a value, %v", logged, seen, err)
	}
}

// TestMissingTable: what is said to a table that is not there, and that would have
// been protected, does not reach the server.
func TestMissingTable(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	root := client(t, server.Addr, "root", "root", nil)
	t.Cleanup(func() { _ = root.Close() })
	mustExec(t, root, "CREATE TABLE test.plain (id INT)", "CREATE TABLE test.asked (id INT)", "SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = 1")
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	asks := "SELECT 1 FROM asked WHERE ROW_COUNT() = 7 AND id = 7"
	if _, err := db.ExecContext(t.Context(), asks); err == nil || !strings.Contains(err.Error(), "TUNIC-2003") {
		t.Errorf("the first to name a table: %v", err)
	}
	for _, c := range []struct {
		text string
		want uint16
	}{
		{"INSERT INTO mising VALUES ('kanari')", 1146},
		{"UPDATE test.mising SET a = 'kanari' WHERE b = 'kanari'", 1146},
		{"SELECT * FROM plain JOIN mising ON a = 'kanari'", 1146},
		{"DELETE FROM nowhere.mising WHERE a = 'kanari'", 1146},
		{"INSERT INTO mising VALUES ('an error: kanari', 'a warning, row_count() and found_rows')", 1146},
		{"INSERT INTO mising VALUES (ROW_COUNT(), 'kanari')", 1146},
		{"SELECT * FROM plain WHERE id = 7", 0},
		{asks, 0},
		{"INSERT INTO plain SELECT 8", 0},
		{"WITH mising AS (SELECT 1 AS a) SELECT a FROM mising", 0},
		{"SELECT 1 FROM dual", 0},
		{"SELECT 1 FROM information_schema.schemata LIMIT 1", 0},
	} {
		mustExec(t, db, "DO 0") // what comes first after a missing table may not ask for counts
		_, err := db.ExecContext(t.Context(), c.text)
		var number uint16
		if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
			number = e.Number
		}
		if number != c.want {
			t.Errorf("%s: %v, want %d", c.text, err, c.want)
		}
		if _, err := db.PrepareContext(t.Context(), c.text); (err != nil) != (c.want != 0) {
			t.Errorf("prepared: %s: %v", c.text, err)
		}
	}
	mustExec(t, root, "SET GLOBAL general_log = 0")
	var seen, plain int
	err := root.QueryRowContext(t.Context(), "SELECT SUM(argument LIKE '%kanari%'), SUM(argument LIKE '%id = 7%') FROM mysql.general_log").Scan(&seen, &plain)
	if err != nil || seen > 0 || plain == 0 {
		t.Errorf("%d statements in the server's log have a value, %d are of the plain table, %v", seen, plain, err)
	}
}

// TestLedgerMistakes: a tunic that must not serve a database says why.
func TestLedgerMistakes(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	start := func(cfg *config.Config, kek *keys.KEK) error {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		s, err := New(ctx, cfg, kek, testMetrics(), slog.New(slog.NewTextHandler(io.Discard, nil)))
		if err == nil {
			s.Close()
		}
		return err
	}
	wantStart(t, "no ledger", start(cfg, kek), 1608)
	if err := server.Exec(t.Context(), "SHOW TABLES FROM _tunic"); err == nil {
		t.Error("a start without a ledger has made the schema")
	}
	_, stop := serveWith(t, cfg, kek)
	if err := start(cfg, kek); err != nil {
		t.Errorf("beside another tunic: %v", err)
	}
	stop()
	other, err := keys.NewKEK()
	if err != nil {
		t.Fatal(err)
	}
	wantStart(t, "another key", start(cfg, other), 1601)
	wantStart(t, "no key", start(cfg, nil), 1602)
	rules := *cfg
	rules.Policy.Rules = []config.Rule{{Columns: "a.b", Protection: "sealed", From: "rule 1"}}
	wantStart(t, "a rule of two parts", start(&rules, kek), 1003)
	if err := start(cfg, kek); err != nil {
		t.Errorf("the right key: %v", err)
	}
}

// TestLedgerTakenAway: a tunic that knows its project does not start without it, nor with another one or an
// older copy of it; what it would take for plain tables it has not looked at.
func TestLedgerTakenAway(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Project.ID = initLedger(t, cfg, kek)
	cfg.Project.StateFile = filepath.Join(t.TempDir(), "state")
	proxy, stop := serveWith(t, cfg, kek)
	mustExec(t, through(t, proxy.Addr().String()), "CREATE TABLE test.first (a INT PRIMARY KEY)")
	stop()
	start := func() error {
		s, err := New(t.Context(), cfg, kek, testMetrics(), slog.New(slog.DiscardHandler))
		if err == nil {
			s.Close()
		}
		return err
	}
	const copied = "CREATE TABLE kept.%[1]s AS SELECT * FROM _tunic.%[1]s"
	const restored = "REPLACE INTO _tunic.%[1]s SELECT * FROM kept.%[1]s"
	ofLedger := []string{"project", "master", "object", "journal", "job"}
	run := func(texts ...string) {
		if err := server.Exec(t.Context(), texts...); err != nil {
			t.Fatal(err)
		}
	}
	run("CREATE DATABASE kept")
	for _, table := range ofLedger {
		run(fmt.Sprintf(copied, table))
	}
	proxy, stop = serveWith(t, cfg, kek)
	mustExec(t, through(t, proxy.Addr().String()), "CREATE TABLE test.second (a INT PRIMARY KEY)")
	stop()
	for _, table := range ofLedger {
		run("DELETE FROM _tunic."+table, fmt.Sprintf(restored, table))
	}
	wantStart(t, "an older copy", start(), 1610)
	unseen := *cfg
	unseen.Project.StateFile = ""
	if s, err := New(t.Context(), &unseen, kek, testMetrics(), slog.New(slog.DiscardHandler)); err != nil {
		t.Errorf("an older copy, which nobody has seen a newer one of: %v", err)
	} else {
		s.Close()
	}
	run("DROP DATABASE _tunic")
	wantStart(t, "none", start(), 1608)
	other := *cfg
	other.Project.ID = [16]byte{}
	wantStart(t, "a new ledger beside stored tables", tryInit(t, &other, kek), 1613)
	for _, table := range textOf(t, client(t, server.Addr, "root", "root", nil), "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_COMMENT LIKE 'tunic %' AND TABLE_SCHEMA = 'test'") {
		run("ALTER TABLE test." + table + " COMMENT = ''")
	}
	initLedger(t, &other, kek)
	wantStart(t, "another project", start(), 1609)
	if err := os.WriteFile(cfg.Project.StateFile, []byte("tunic-state 1 00 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantStart(t, "a damaged state file", start(), 1611)
}

func wantNumber(t *testing.T, err error, number uint16) {
	t.Helper()
	if e, ok := errors.AsType[*mysql.MySQLError](err); !ok || e.Number != number {
		t.Errorf("%v, want %d", err, number)
	}
}

func wantStart(t *testing.T, what string, err error, code sqlerr.Code) {
	t.Helper()
	e, ok := errors.AsType[*sqlerr.StartError](err)
	if !ok || e.Code != code {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// TestLedgerReread: a tunic that has lost its connection to the ledger reads it anew,
// and carries out statements that it has planned before.
func TestLedgerReread(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE again (id INT PRIMARY KEY, v VARCHAR(40))", "INSERT INTO again VALUES (1, 'x')")
	prepared, err := db.PrepareContext(t.Context(), "SELECT v FROM again WHERE id = ?")
	if err != nil {
		t.Fatal(err)
	}
	root := client(t, server.Addr, "root", "root", nil)
	t.Cleanup(func() { _ = root.Close() })
	before := proxy.protection.ledger.Catalog()
	id, err := proxy.protection.ledger.Link(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mustExec(t, root, fmt.Sprintf("KILL %d", id))
	waittest.Until(t, "the ledger is read again", func() bool {
		l := proxy.protection.ledger
		return l.Usable() == nil && l.Catalog() != before
	})
	mustExec(t, db, "INSERT INTO again VALUES (2, 'x')")
	var v string
	if err := prepared.QueryRowContext(t.Context(), 2).Scan(&v); err != nil || v != "x" {
		t.Errorf("%q, %v", v, err)
	}
}

// TestDefinitionsUnderLoad: while definitions of a table change, every row that was
// acknowledged is there and is found by its value, and no statement sees a table
// between two definitions.
func TestDefinitionsUnderLoad(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Policy.Ceiling = config.CeilingEquality
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE load_t (id INT PRIMARY KEY, k INT NOT NULL COMMENT 'tunic: equality', v VARCHAR(20))")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	over := make(chan struct{})
	var next atomic.Int64
	var kept sync.Map
	var writers sync.WaitGroup
	for w := range 6 {
		prepared := w%2 == 0
		random := rand.New(rand.NewPCG(1, uint64(w)))
		writers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				if err := writeOne(ctx, db, &next, &kept, prepared, random); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 8 {
		for _, s := range []string{
			fmt.Sprintf("ALTER TABLE load_t ADD COLUMN x%d INT", i), "ALTER TABLE load_t ADD KEY by_k (k)",
			fmt.Sprintf("ALTER TABLE load_t DROP COLUMN x%d", i), "DROP INDEX by_k ON load_t",
		} {
			if _, err := db.ExecContext(ctx, s); err != nil {
				t.Errorf("%s: %v", s, err)
			}
		}
	}
	close(over)
	writers.Wait()
	rows := 0
	kept.Range(func(id, k any) bool {
		rows++
		var found int
		if err := db.QueryRowContext(ctx, "SELECT id FROM load_t WHERE id = ? AND k = ?", id, k).Scan(&found); err != nil {
			t.Errorf("row %d with k = %d: %v", id, k, err)
		}
		return !t.Failed()
	})
	if rows < 10 {
		t.Errorf("only %d rows were written", rows)
	}
}

// writeOne writes one row, in a transaction of two statements or alone.
func writeOne(ctx context.Context, db *sql.DB, next *atomic.Int64, kept *sync.Map, prepared bool, random *rand.Rand) error {
	id, k := int(next.Add(1)), random.IntN(1<<30)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert := func() error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO load_t (id, k, v) VALUES (%d, %d, 'x')", id, k+1))
		return err
	}
	if prepared {
		insert = func() error {
			_, err := tx.ExecContext(ctx, "INSERT INTO load_t (id, k, v) VALUES (?, ?, ?)", id, k+1, "x")
			return err
		}
	}
	for _, step := range []func() error{
		insert,
		func() error {
			_, err := tx.ExecContext(ctx, "SET @note = 1")
			return err
		},
		func() error {
			_, err := tx.ExecContext(ctx, "SAVEPOINT here")
			return err
		},
		func() error {
			_, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE load_t SET k = %d WHERE id = %d", k, id))
			return err
		},
		tx.Commit,
	} {
		switch err := step(); {
		case mayRetry(err):
			return nil
		case err != nil:
			return err
		}
	}
	kept.Store(id, k)
	return nil
}

// mayRetry reports whether a plain server under changes of definitions says such an
// error as well: that the definition has changed since the transaction began, a
// statement is to be prepared again, or a deadlock.
func mayRetry(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (e.Number == 1412 || e.Number == 1615 || e.Number == 1213)
}
