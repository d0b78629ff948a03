package server

import (
	"database/sql"
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// secretStatements have a value, kanari or 7654321, where the template of a statement
// keeps literals, or close to it. Some are refused; no one may reach the server.
var secretStatements = []string{
	"SELECT a FROM t WHERE a = /*+ x */'kanari'", "SELECT a FROM t WHERE a = /*!50000 'kanari' */", "SELECT a FROM t WHERE a = /*!*/'kanari'",
	"SELECT a FROM t WHERE a = /*!99999 z */'kanari'", "SELECT a FROM t WHERE a = /*! n'kanari' */", "SELECT a FROM t WHERE a = /*M!50000 */'kanari'",
	"SELECT a FROM t WHERE CONCAT(a, '') = /*+ x */'kanari'", "SELECT a FROM t WHERE a IN (/*+ x */'kanari', 'x')",
	"SELECT a FROM t ORDER BY CONCAT(a, /*+ x */'kanari')", "SELECT IF(a = /*+ x */'kanari', 1, 0) FROM t", "SELECT COALESCE(a, /*+ x */'kanari') FROM t",
	"SELECT SQL_NO_CACHE 'kanari' = a FROM t", "SELECT STRAIGHT_JOIN 'kanari' = a FROM t", "SELECT HIGH_PRIORITY 'kanari', a FROM t",
	"SELECT SQL_BIG_RESULT 'kanari' = a FROM t", "SELECT SQL_BUFFER_RESULT 'kanari' = a FROM t", "SELECT /*!40001 SQL_NO_CACHE */ 'kanari' = a FROM t",
	"SELECT a FROM t WHERE a = TRIM(LEADING 'kanari' FROM a)", "SELECT a FROM t WHERE a = TRIM(BOTH 'kanari' FROM 'kanari2')",
	"SELECT EXTRACT(YEAR FROM 'kanari'), a FROM t", "SELECT GROUP_CONCAT(a SEPARATOR 'kanari') FROM t", "SELECT a, CHAR(7654321 USING utf8mb4) FROM t",
	"SELECT a FROM t WHERE n = /*+ x */7654321", "SELECT a FROM t ORDER BY 'kanari'", "SELECT a FROM t GROUP BY a, 'kanari'", "SELECT a AS 'kanari' FROM t WHERE a = /*+ x */'kanari'",
	"INSERT /*+ foo('kanari') */ INTO t (a) VALUES ('kanari')", "INSERT INTO t (a) VALUES (/*+ x */'kanari')", "UPDATE t SET a = /*+ x */'kanari' WHERE n = /*+ x */7654321",
	"DELETE FROM t WHERE a = /*+ x */'kanari'", "DELETE /* kanari */ FROM t WHERE a = 'kanari'", "SELECT /* kanari */ a FROM t", "SELECT a FROM t -- kanari",
	"INSERT INTO t (a) VALUES (CONCAT('kan', /*+ x */'kanari'))", "REPLACE INTO t (id, a) VALUES (1, UPPER('kanari'))",
	"INSERT INTO t (id, a) VALUES (1, 'kanari') ON DUPLICATE KEY UPDATE a = CONCAT(/*+ x */'kanari', n)",
	"ALTER TABLE t MODIFY nosuch ENUM('kanari')", "ALTER TABLE t CHANGE nosuch x VARCHAR(20) DEFAULT 'kanari' COMMENT 'kanari'", "ALTER TABLE t ALTER nosuch SET DEFAULT 'kanari'",
	"ALTER TABLE nosuch ADD COLUMN x ENUM('kanari') DEFAULT 'kanari' COMMENT 'kanari'", "CREATE INDEX ix ON nosuch (a) COMMENT 'kanari'",
	"ALTER TABLE t ADD COLUMN b VARCHAR(20) DEFAULT 'kanari' COMMENT 'kanari'", "ALTER TABLE t ADD COLUMN a VARCHAR(20) DEFAULT 'kanari' COMMENT 'kanari'",
	"CREATE TABLE t (a ENUM('kanari') DEFAULT 'kanari' COMMENT 'kanari')", "CREATE TABLE u (a ENUM('kanari') DEFAULT 'other' COMMENT 'kanari')", "CREATE TABLE u (a NOSUCH COMMENT 'kanari')",
	"CREATE PROCEDURE p() CREATE TABLE byproc (a VARCHAR(20) DEFAULT 'kanari')", "BEGIN NOT ATOMIC CREATE TABLE bna (a VARCHAR(20) DEFAULT 'kanari'); INSERT INTO bna VALUES ('kanari'); END",
	"IF 1 THEN CREATE TABLE bif (a VARCHAR(20) DEFAULT 'kanari'); END IF", "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO CREATE TABLE bye (a VARCHAR(20) DEFAULT 'kanari')",
	"CREATE PROCEDURE p(q TEXT) BEGIN EXECUTE IMMEDIATE q; END",
	"EXPLAIN SELECT a FROM t WHERE a = 'kanari'", "EXPLAIN FORMAT=JSON SELECT a FROM t WHERE a = /*+ x */'kanari'",
	"SHOW COLUMNS FROM nosuch WHERE Field = 'x'", "SELECT a INTO @v FROM t WHERE a = 'kanari'", "SET @v = (SELECT a FROM t WHERE a = 'kanari')", "DO (SELECT a = 'kanari' FROM t)",
	"CREATE VIEW named AS SELECT CONCAT(a, 'kanari') FROM t", "CREATE VIEW named AS SELECT 'kanari', id FROM t", "CREATE VIEW named AS SELECT * FROM (SELECT CONCAT(a, 'kanari') FROM t) d",
	"CREATE VIEW listed (x) AS SELECT CONCAT(a, 'kanari') FROM t", "CREATE VIEW aliased AS SELECT CONCAT(a, 'kanari') AS x FROM t", "CREATE OR REPLACE VIEW aliased AS SELECT UPPER('kanari') FROM t",
	"CREATE TABLE copied AS SELECT CONCAT(a, 'kanari') FROM t", "CREATE TABLE copied SELECT 'kanari' FROM t", "CREATE TABLE copied AS SELECT 'kanari' AS x FROM t",
	"INSERT INTO \"t\" (a) VALUES ('kanari')", "INSERT INTO 't' (a) VALUES ('kanari')", "INSERT IGNORE \"t\" (a) VALUES ('kanari')", "REPLACE \"test\".\"t\" (a) VALUES ('kanari')",
	"UPDATE \"t\" SET a = 'kanari'", "UPDATE t, \"t\" SET a = 'kanari'", "DELETE FROM \"t\" WHERE a = 'kanari'", "SELECT a FROM \"t\" WHERE a = 'kanari'", "SELECT 1 FROM \"test\".t WHERE a = 'kanari'",
}

// TestNoValueReachesTheServer: whatever is done with these statements, the server's
// log of all that it gets has none of their values.
func TestNoValueReachesTheServer(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			root := client(t, server.Addr, "root", "root", nil)
			t.Cleanup(func() { _ = root.Close() })
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(50), n INT)", "INSERT INTO t (a, n) VALUES ('x', 1)")
			mustExec(t, root, "SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = 1")
			before := 0
			for _, s := range secretStatements {
				for _, prepared := range []bool{false, true} {
					attempt(t, db, s, prepared)
					var seen int
					err := root.QueryRowContext(t.Context(),
						"SELECT COUNT(*) FROM mysql.general_log WHERE LOWER(CONVERT(argument USING utf8mb4)) REGEXP 'kanari|7654321' AND argument NOT LIKE '%REGEXP%'").Scan(&seen)
					if err != nil || seen > before {
						t.Errorf("prepared %v: %s: in %d lines of the server's log, %v", prepared, s, seen-before, err)
					}
					before = seen
				}
			}
		})
	}
}

// attempt runs a statement, whatever comes of it.
func attempt(t *testing.T, db *sql.DB, statement string, prepared bool) {
	t.Helper()
	query := func() (*sql.Rows, error) { return db.QueryContext(t.Context(), statement) }
	if prepared {
		st, err := db.PrepareContext(t.Context(), statement)
		if err != nil {
			return
		}
		defer st.Close()
		query = func() (*sql.Rows, error) { return st.QueryContext(t.Context()) }
	}
	rows, err := query()
	if err != nil {
		return
	}
	for rows.Next() { // they are only read
	}
	_, _ = rows.Err(), rows.Close()
}

// TestProgramAround: a procedure that was made around tunic gives no client what is stored in a
// table that it names, text or prepared, whatever else it answers with.
func TestProgramAround(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			root := client(t, server.Addr, "root", "root", nil)
			t.Cleanup(func() { _ = root.Close() })
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE later (id INT PRIMARY KEY COMMENT 'tunic: plain', s INT)", "INSERT INTO later VALUES (1, 7)")
			mustExec(t, root, "CREATE TABLE test.plain_too (n INT)", "INSERT INTO test.plain_too VALUES (1), (2)",
				"CREATE PROCEDURE test.p() SELECT s FROM later", "CREATE PROCEDURE test.several() BEGIN SELECT n FROM plain_too; SELECT id, s FROM later; SELECT 3; END",
				"CREATE PROCEDURE test.harmless() BEGIN SELECT n FROM plain_too; SELECT id FROM later; END")
			for _, prepared := range []bool{false, true} {
				for text, want := range map[string]string{"CALL p()": "TUNIC-2008", "CALL several()": "TUNIC-2008", "CALL harmless()": ""} {
					err := called(t, db, text, prepared)
					if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
						t.Errorf("%s, prepared %t: %v, want %q", text, prepared, err, want)
					}
				}
			}
			mustExec(t, db, "UPDATE later SET s = 8 WHERE id = 1") // the connections are in step
		})
	}
}

// called runs a statement with results, and returns what went wrong in any of them.
func called(t *testing.T, db *sql.DB, text string, prepared bool) error {
	t.Helper()
	query := func() (*sql.Rows, error) { return db.QueryContext(t.Context(), text) }
	if prepared {
		st, err := db.PrepareContext(t.Context(), text)
		if err != nil {
			return err
		}
		defer st.Close()
		query = func() (*sql.Rows, error) { return st.QueryContext(t.Context()) }
	}
	rows, err := query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for more := true; more; more = rows.NextResultSet() {
		for rows.Next() { // they are only read
		}
	}
	return rows.Err()
}
