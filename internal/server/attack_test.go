package server

import (
	"database/sql"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// plainText is in each value that these tests protect, and nowhere else.
const plainText = "kanari"

// attack is a server whose owner is an enemy, and a tunic before it. What comes of it is the
// table of attacks in docs/security.md.
type attack struct {
	t      *testing.T
	server *sandbox.Server
	root   *sql.DB
	cfg    *config.Config
	kek    *keys.KEK
	proxy  *Server
	stop   func()
	app    *sql.DB
}

// TestAttacks has the owner of the server try to get at values, and to have tunic write them.
func TestAttacks(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			a := newAttack(t, flavor)
			a.tokenMoved()
			a.formMoved()
			a.programsBefore()
			a.programsSince()
			a.accountMade()
			a.tableReplaced()
			a.ledgerRolledBack()
			a.ledgerDropped()
			a.plainNowhere()
		})
	}
}

// newAttack has a protected table with rows in it, and the server log all that it is told.
func newAttack(t *testing.T, flavor sandbox.Flavor) *attack {
	t.Helper()
	server, kek, cfg := protecting(t, flavor)
	a := &attack{t: t, server: server, cfg: cfg, kek: kek}
	a.root = client(t, server.Addr, "root", "root", func(c *mysql.Config) { c.DBName = "test" })
	t.Cleanup(func() { _ = a.root.Close() })
	mustExec(t, a.root, "SET GLOBAL general_log_file = '"+a.logFile()+"'", "SET GLOBAL general_log = 1")
	mustExec(t, a.root, "CREATE TABLE told (x TEXT)")
	cfg.Project.ID = initLedger(t, cfg, kek)
	cfg.Project.StateFile = filepath.Join(t.TempDir(), "state")
	a.serve()
	mustExec(t, a.app, "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40) COMMENT 'tunic: apart', note VARCHAR(40) COMMENT 'tunic: apart', KEY (name))",
		"INSERT INTO person VALUES (1, 'alice kanari', 'one kanari'), (2, 'bob kanari', 'two kanari')")
	return a
}

func (a *attack) logFile() string { return filepath.Join(a.server.Dir, "general.log") }

// serve starts tunic anew, with the project that it knows.
func (a *attack) serve() {
	a.t.Helper()
	a.proxy, a.stop = serveKnown(a.t, a.cfg, a.kek)
	a.app = through(a.t, a.proxy.Addr().String())
}

// starts is what hinders tunic to start.
func (a *attack) starts() error {
	s, err := New(a.t.Context(), a.cfg, a.kek, testMetrics(), slog.New(slog.DiscardHandler))
	if err == nil {
		s.Close()
	}
	return err
}

// refused has a statement, text and prepared, answered with an error of tunic's own.
func (a *attack) refused(what string, db *sql.DB, text string, codes ...string) {
	a.t.Helper()
	for _, prepared := range []bool{false, true} {
		err := called(a.t, db, text, prepared)
		ok := false
		for _, code := range codes {
			ok = ok || err != nil && strings.Contains(err.Error(), code)
		}
		if !ok {
			a.t.Errorf("%s: %s, prepared %t: %v, want %v", what, text, prepared, err, codes)
		}
	}
}

// formMoved puts a sealed form into another column, and changes one.
func (a *attack) formMoved() {
	a.t.Helper()
	mustExec(a.t, a.app, "INSERT INTO person VALUES (3, 'cid kanari', 'three kanari'), (4, 'dan kanari', 'four kanari')")
	mustExec(a.t, a.root, "UPDATE person SET note = name WHERE id = 3", "UPDATE person SET name = INSERT(name, 20, 1, CHAR(ASCII(SUBSTRING(name, 20, 1)) ^ 1)) WHERE id = 4")
	a.refused("a form in another column", a.app, "SELECT note FROM person WHERE id = 3", "TUNIC-7001")
	a.refused("a changed form", a.app, "SELECT name FROM person WHERE id = 4", "TUNIC-7001")
	mustExec(a.t, a.root, "DELETE FROM person WHERE id > 2")
}

// programsBefore makes a program that waits for a table to become a protected one.
func (a *attack) programsBefore() {
	a.t.Helper()
	mustExec(a.t, a.root, "CREATE PROCEDURE early() INSERT INTO told SELECT name FROM coming")
	a.refused("a table that a procedure waits for", a.app, "CREATE TABLE coming (name VARCHAR(40))", "TUNIC-2061")
}

// programsSince makes programs of the server's around tunic.
func (a *attack) programsSince() {
	a.t.Helper()
	mustExec(a.t, a.root, "CREATE PROCEDURE late() SELECT name FROM person",
		"CREATE TRIGGER spy BEFORE UPDATE ON person FOR EACH ROW INSERT INTO told VALUES (HEX(NEW.name)), (HEX(NEW.note))",
		"CREATE EVENT later ON SCHEDULE EVERY 1 DAY DO INSERT INTO told SELECT HEX(name) FROM person")
	a.refused("a procedure since", a.app, "CALL late()", "TUNIC-2008")
	mustExec(a.t, a.app, "UPDATE person SET note = 'new kanari' WHERE id = 1")
	var told string
	if err := a.root.QueryRowContext(a.t.Context(), "SELECT GROUP_CONCAT(x) FROM told").Scan(&told); err != nil || told == "" {
		a.t.Errorf("the trigger has told nothing: %v", err)
	}
	mustExec(a.t, a.root, "DROP TRIGGER spy", "DROP EVENT later")
	for _, text := range []string{
		"CREATE PROCEDURE own() SELECT name FROM person WHERE name = 'eve kanari'",
		"CREATE TRIGGER own BEFORE INSERT ON person FOR EACH ROW SET NEW.name = 'eve kanari'",
		"CREATE EVENT own ON SCHEDULE EVERY 1 DAY DO DELETE FROM person WHERE name = 'eve kanari'",
		"CREATE FUNCTION own() RETURNS TEXT RETURN (SELECT name FROM person WHERE name = 'eve kanari')",
	} {
		a.refused("a program through tunic", a.app, text, "TUNIC-2")
	}
}

// plainNowhere looks for a value in what the server has been told and in its files.
func (a *attack) plainNowhere() {
	a.t.Helper()
	searched := 0
	err := filepath.WalkDir(a.server.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // the server removes files as it goes
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil //nolint:nilerr // the same
		}
		searched++
		if at := strings.Index(string(b), plainText); at >= 0 {
			a.t.Errorf("%s holds a value: %.120q", filepath.Base(path), b[max(0, at-80):])
		}
		return nil
	})
	b, failed := os.ReadFile(a.logFile())
	if err != nil || failed != nil || !strings.Contains(string(b), "person") || searched < 10 {
		a.t.Errorf("%d files are searched, and the log tells nothing of the table: %v, %v", searched, err, failed)
	}
}
