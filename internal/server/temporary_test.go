package server

import (
	"database/sql"
	"database/sql/driver"
	"strings"
	"testing"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/wire"
)

// TestPlainTemporary: a plain temporary table does not come to stand in the place of a protected table, and
// where the protected one comes later, nothing that names it reaches the server but what drops the other.
func TestPlainTemporary(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			direct := through(t, server.Addr)
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE held (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO held VALUES (1, 'one')",
				"CREATE VIEW over_held AS SELECT id, name FROM held")
			t.Run("does not take the name", func(t *testing.T) { takesNoName(t, db) })
			for name, made := range map[string][]string{
				"made":     {"CREATE TEMPORARY TABLE late " + bareColumns},
				"prepared": {"PREPARE s FROM 'CREATE TEMPORARY TABLE late (id INT PRIMARY KEY COMMENT ''tunic: plain'', name VARCHAR(20) COMMENT ''tunic: plain'')'", "EXECUTE s"},
				"renamed":  {"CREATE TEMPORARY TABLE early " + bareColumns, "ALTER TABLE early RENAME TO late"},
				"moved":    {"CREATE TEMPORARY TABLE early " + bareColumns, "ALTER TABLE early COMMENT 'x', RENAME late"},
				"alike":    {"CREATE TEMPORARY TABLE early " + bareColumns, "CREATE TEMPORARY TABLE late LIKE early"},
				"selected": {"CREATE TEMPORARY TABLE early " + bareColumns, "CREATE TEMPORARY TABLE late " + bareColumns + " SELECT 5 AS id, 'x' AS name"},
			} {
				t.Run(name, func(t *testing.T) { hidesLater(t, db, direct, made) })
			}
		})
	}
}

const bareColumns = "(id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(20) COMMENT 'tunic: plain')"

// ownSession is a session of its own.
func ownSession(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Raw(func(any) error { return driver.ErrBadConn }); _ = conn.Close() })
	return conn
}

func does(t *testing.T, conn *sql.Conn, statements ...string) {
	t.Helper()
	for _, text := range statements {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func refusedForm(t *testing.T, conn *sql.Conn, text string) {
	t.Helper()
	_, err := conn.ExecContext(t.Context(), text)
	wantForm(t, text, err)
}

func wantForm(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "TUNIC-2049") {
		t.Errorf("%s: %v", what, err)
	}
}

// takesNoName: no plain temporary table gets the name of a protected table that is there.
func takesNoName(t *testing.T, db *sql.DB) {
	conn := ownSession(t, db)
	does(t, conn, "CREATE TEMPORARY TABLE early "+bareColumns)
	for _, text := range []string{
		"ALTER TABLE early RENAME TO held", "ALTER TABLE early COMMENT 'x', RENAME TO held", "RENAME TABLE early TO held", "RENAME TABLE early TO over_held",
		"CREATE TEMPORARY TABLE held LIKE early", "CREATE TEMPORARY TABLE over_held " + bareColumns,
		"CREATE TEMPORARY TABLE held " + bareColumns + " SELECT 5 AS id, 'x' AS name",
	} {
		refusedForm(t, conn, text)
	}
	var name string
	if err := conn.QueryRowContext(t.Context(), "SELECT name FROM held WHERE id = 1").Scan(&name); err != nil || name != "one" {
		t.Errorf("held has %q, %v", name, err)
	}
	does(t, conn, "ALTER TABLE early RENAME TO other", "INSERT INTO other VALUES (1, 'x')")
}

// TestViewOverTemporary: there is no view over a temporary table, protected or not, and the error names the table.
func TestViewOverTemporary(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			conn := ownSession(t, through(t, proxy.Addr().String()))
			does(t, conn, "CREATE TEMPORARY TABLE sealed (id INT PRIMARY KEY)", "CREATE TEMPORARY TABLE bare "+bareColumns)
			for _, table := range []string{"sealed", "bare"} {
				_, err := conn.ExecContext(t.Context(), "CREATE VIEW vw AS SELECT id FROM "+table)
				if wantNumber(t, err, 1352); err == nil || !strings.HasSuffix(err.Error(), "temporary table '"+table+"'") {
					t.Errorf("over %s: %v", table, err)
				}
			}
		})
	}
}

// hidesLater: the protected table late comes behind a plain temporary one of that name.
func hidesLater(t *testing.T, db, direct *sql.DB, made []string) {
	conn := ownSession(t, db)
	does(t, conn, made...)
	does(t, conn, "INSERT INTO late VALUES (7, 'mine')")
	before, err := conn.PrepareContext(t.Context(), "INSERT INTO late VALUES (?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	does(t, conn, "PREPARE p FROM 'SELECT * FROM late'")
	if _, err := conn.ExecContext(t.Context(), "CREATE TABLE late (id INT PRIMARY KEY, name VARCHAR(20))"); err == nil {
		t.Error("the session has made a protected table behind its own")
	}
	mustExec(t, db, "CREATE TABLE late (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO late VALUES (1, 'one'), (2, 'two')",
		"CREATE VIEW over_late AS SELECT id, name FROM late")
	defer mustExec(t, db, "DROP VIEW over_late", "DROP TABLE late")
	for _, text := range []string{
		"SELECT id, name FROM late", "SELECT COUNT(*) FROM late a", "SELECT name FROM over_late", "INSERT INTO late (id, name) VALUES (8, 'canary')",
		"UPDATE late SET name = 'canary'", "DELETE FROM late", "TRUNCATE TABLE late", "REPLACE INTO late VALUES (7, 'canary')",
		"SHOW COLUMNS FROM late", "SHOW CREATE TABLE late", "DESCRIBE late", "EXPLAIN SELECT * FROM late", "CREATE TABLE lk LIKE late", "CREATE TABLE ct AS SELECT * FROM late",
		"CREATE VIEW vw AS SELECT id FROM late", "CREATE VIEW vw AS SELECT id FROM over_late", "ALTER TABLE late ADD COLUMN extra INT", "ALTER TABLE late RENAME TO zq",
		"RENAME TABLE late TO zq", "CREATE INDEX ii ON late (id)", "ANALYZE TABLE late", "LOCK TABLES late WRITE", "SET @a = (SELECT name FROM late LIMIT 1)",
		"SET @a = (SELECT name FROM over_late LIMIT 1)", "PREPARE q FROM 'SELECT name FROM late'", "DROP TABLE late, nothing", "CREATE TEMPORARY TABLE late (id INT)",
		"SELECT h.id FROM held h WHERE h.id IN (SELECT id FROM late)",
	} {
		refusedForm(t, conn, text)
	}
	if _, err := conn.PrepareContext(t.Context(), "SELECT name FROM late WHERE id = ?"); err == nil || !strings.Contains(err.Error(), "TUNIC-2049") {
		t.Errorf("preparing: %v", err)
	}
	if _, err := before.ExecContext(t.Context(), 9, "canary"); err == nil {
		t.Error("what was prepared before is executed")
	}
	if _, err := conn.ExecContext(t.Context(), "EXECUTE p"); err == nil {
		t.Error("EXECUTE of what was prepared before is done")
	}
	does(t, conn, "SELECT id FROM held")
	drop := "DROP TABLE late"
	if len(made)%2 == 0 {
		drop = "DROP TEMPORARY TABLE IF EXISTS late"
	}
	does(t, conn, drop)
	var name string
	if err := conn.QueryRowContext(t.Context(), "SELECT GROUP_CONCAT(name ORDER BY id) FROM late").Scan(&name); err != nil || name != "one,two" {
		t.Errorf("late has %q, %v", name, err)
	}
	if in := storedIn(t, direct, "late"); strings.Contains(in, "canary") {
		t.Errorf("the server stores %q", in)
	}
	does(t, conn, "INSERT INTO late VALUES (3, 'three')")
}

// TestPlainTemporaryBelow: neither a statement that is prepared by number, nor a cascade, comes by a table that hides
// another one; and a program that may have made one has all its words doubted.
func TestPlainTemporaryBelow(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			conn := ownSession(t, db)
			define, err := conn.PrepareContext(t.Context(), "CREATE TEMPORARY TABLE child (id INT)")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := define.ExecContext(t.Context()); err != nil {
				t.Fatal(err)
			}
			if flavor == sandbox.MariaDB {
				does(t, conn, "BEGIN NOT ATOMIC CREATE TEMPORARY TABLE grown (id INT); END")
			}
			mustExec(t, db, "CREATE TABLE parent (id INT PRIMARY KEY, k INT COMMENT 'tunic: equality', UNIQUE KEY (k))", "INSERT INTO parent VALUES (1, 1)",
				"CREATE TABLE child (id INT PRIMARY KEY, k INT COMMENT 'tunic: equality', FOREIGN KEY (k) REFERENCES parent (k) ON DELETE SET NULL)",
				"CREATE TABLE grown (id INT PRIMARY KEY, k INT COMMENT 'tunic: equality')", "INSERT INTO child VALUES (1, 1)")
			refusedForm(t, conn, "SELECT * FROM child")
			refusedForm(t, conn, "DELETE FROM parent")
			does(t, conn, "DROP TABLE child", "DELETE FROM parent")
			if flavor == sandbox.MariaDB {
				refusedForm(t, conn, "SELECT * FROM grown")
				does(t, conn, "DROP TABLE grown")
			}
			does(t, conn, "SELECT * FROM grown", "DROP TABLE grown")
			if _, err := conn.ExecContext(t.Context(), "SELECT * FROM grown"); err == nil {
				t.Error("the protected table is not dropped")
			}
			if flavor == sandbox.MariaDB {
				does(t, conn, "BEGIN NOT ATOMIC CREATE TEMPORARY TABLE brief (id INT); DROP TEMPORARY TABLE brief; END")
				mustExec(t, db, "CREATE TABLE brief (id INT PRIMARY KEY, k INT COMMENT 'tunic: equality')")
				refusedForm(t, conn, "SELECT * FROM brief")
				does(t, conn, "DROP TABLE IF EXISTS brief") // there is only the protected one
				mustExec(t, db, "CREATE TABLE brief (id INT PRIMARY KEY, k INT COMMENT 'tunic: equality')")
				does(t, conn, "SELECT * FROM brief")
			}
		})
	}
}

// TestPlainTemporaryForgotten: a session that is reset has no temporary table any more.
func TestPlainTemporaryForgotten(t *testing.T) {
	racetest.InOrder(t)
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, _ := serveWith(t, cfg, kek)
	addr := proxy.Addr().String()
	db := through(t, addr)
	p := app(t, addr)
	run(t, p, "CREATE TEMPORARY TABLE late "+bareColumns)
	mustExec(t, db, "CREATE TABLE late (id INT PRIMARY KEY, name VARCHAR(20))")
	if _, err := p.Query("SELECT * FROM late"); err == nil || !strings.Contains(err.Error(), "TUNIC-2049") {
		t.Errorf("before: %v", err)
	}
	if err := p.Command(append([]byte{byte(wire.ComFieldList)}, "late\x00"...)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.ReadAnswer(wire.ComFieldList, nil); err == nil || !strings.Contains(err.Error(), "TUNIC-2049") {
		t.Errorf("COM_FIELD_LIST: %v", err)
	}
	if err := p.Command([]byte{byte(wire.ComResetConnection)}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.ReadAnswer(wire.ComResetConnection, nil); err != nil {
		t.Fatal(err)
	}
	run(t, p, "SELECT * FROM late")
}
