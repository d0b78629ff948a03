package server

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// unreadGuarded are statements that give a guarded column a value, or compare it with one, and that tunic cannot read, or of
// which it has to look for the table: {t} is the table, {c} the column, § a file.
var unreadGuarded = map[sandbox.Flavor][]string{
	sandbox.MariaDB: {
		"INSERT INTO {t} (id, {c}) SELECT 1, 'kanari' FROM dual LIMIT ROWS EXAMINED 500",
		"UPDATE {t} SET {c} = 'kanari' WHERE EXISTS (SELECT 1 OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY)",
		"SELECT id FROM {t} WHERE {c} = 'kanari' FOR UPDATE WAIT 50",
		"SELECT id FROM {t} FOR SYSTEM_TIME ALL WHERE {c} = 'kanari'",
		"DELETE FROM {t} WHERE {c} = 'kanari' AND EXISTS (SELECT 1 OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY)",
		"EXPLAIN UPDATE {t} SET {c} = 'kanari' WHERE EXISTS (SELECT 1 OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY)",
		"ANALYZE FORMAT='json' UPDATE {t} SET {c} = 'kanari'",
		"SET STATEMENT max_statement_time = 9 FOR UPDATE {t} SET {c} = 'kanari'",
		"SET STATEMENT max_statement_time = 9 FOR SELECT id FROM {t} WHERE {c} = 'kanari' FOR UPDATE WAIT 50",
		"CREATE TABLE made AS SELECT id FROM {t} WHERE {c} = 'kanari' LIMIT ROWS EXAMINED 500",
		"CREATE VIEW told AS SELECT id FROM {t} WHERE {c} = 'kanari' LIMIT ROWS EXAMINED 500",
		"BEGIN NOT ATOMIC UPDATE {t} SET {c} = 'kanari' WHERE EXISTS (SELECT 1 OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY); END",
		"CREATE EVENT later ON SCHEDULE EVERY 1 DAY DO UPDATE {t} SET {c} = 'kanari'",
		"PREPARE p FROM \"SELECT id FROM {t} WHERE {c} = 'kanari' FOR UPDATE WAIT 50\"",
		"EXECUTE IMMEDIATE \"SELECT id FROM {t} WHERE {c} = 'kanari' FOR UPDATE WAIT 50\"",
		"INSERT INTO log (id) VALUES (7) RETURNING (SELECT MAX(id) FROM {t} WHERE {c} = 'kanari')",
		"KILL QUERY ID (SELECT id FROM {t} WHERE {c} = 'kanari')",
	},
	sandbox.MySQL: {
		"UPDATE {t} SET {c} = CAST(CONCAT('kanari') AS YEAR)",
		"SELECT id FROM {t} WHERE {c} = 'kanari' AND id = CAST('2001' AS YEAR) FOR UPDATE",
		"EXPLAIN INTO @told FORMAT=JSON UPDATE {t} SET {c} = 'kanari'",
		"EXPLAIN FORMAT='json' UPDATE {t} SET {c} = 'kanari'",
		"ANALYZE TABLE {t} UPDATE HISTOGRAM ON {c} USING DATA '{\"buckets\": [[\"kanari\", 1.0]]}'",
		"CREATE TABLE made AS SELECT id FROM {t} WHERE {c} = 'kanari' AND id = CAST('2001' AS YEAR)",
		"CREATE VIEW told AS SELECT id FROM {t} WHERE {c} = 'kanari' AND id = CAST('2001' AS YEAR)",
		"WITH RECURSIVE u AS (SELECT id FROM {t} WHERE {c} = 'kanari'), {t} AS (SELECT 1) SELECT id FROM u",
		"CREATE PROCEDURE keep() UPDATE {t} SET {c} = 'kanari' WHERE id = CAST('2001' AS YEAR)",
		"PREPARE p FROM \"UPDATE {t} SET {c} = 'kanari' WHERE id = CAST('2001' AS YEAR)\"",
	},
	"": {
		"INSERT INTO {t} (id, {c}) WITH {t} AS (SELECT 1 AS id, 'kanari' AS {c}) SELECT id, {c} FROM {t}",
		"WITH {t} AS (SELECT id FROM {t} WHERE {c} = 'kanari') SELECT * FROM {t}",
		"USE test; INSERT INTO {t} (id, {c}) VALUES (1, 'kanari')",
		"SELECT 1; USE test; UPDATE {t} SET {c} = 'kanari'",
		"DO 1; USE test; DO (SELECT MAX(id) FROM {t} WHERE {c} = 'kanari')",
		"UPDATE {t} SET {c} = 'kanari', id = AES_ENCRYPT('x', 'k')",
		"CREATE TRIGGER comes BEFORE INSERT ON {t} FOR EACH ROW SET NEW.{c} = 'kanari'",
	},
}

// unnamedGuarded are the same for values that come without a column's name.
var unnamedGuarded = map[sandbox.Flavor][]string{
	sandbox.MariaDB: {
		"INSERT INTO {t} SELECT 1, 'kanari' FROM dual LIMIT ROWS EXAMINED 500",
		"REPLACE {t} SELECT 1, 'kanari' FROM dual LIMIT ROWS EXAMINED 500",
		"SELECT id FROM log WHERE (1, 'kanari') IN (SELECT * FROM {t}) LIMIT ROWS EXAMINED 500",
		"SELECT 1, 'kanari' UNION SELECT * FROM {t} LIMIT ROWS EXAMINED 500",
		"SET STATEMENT max_statement_time = 9 FOR INSERT INTO {t} VALUES (1, 'kanari')",
		"BEGIN NOT ATOMIC INSERT INTO {t} VALUES (1, 'kanari'); END",
		"EXECUTE IMMEDIATE \"INSERT INTO {t} SELECT 1, 'kanari' FROM dual LIMIT ROWS EXAMINED 500\"",
		"CREATE TABLE made AS SELECT id FROM log WHERE (1, 'kanari') IN (SELECT * FROM {t}) LIMIT ROWS EXAMINED 500",
	},
	sandbox.MySQL: {
		"INSERT INTO {t} SELECT 1, CAST(CONCAT('kanari') AS YEAR)",
		"SELECT id FROM log WHERE (1, 'kanari') IN (TABLE {t})",
		"TABLE {t} UNION VALUES ROW(1, 'kanari')",
	},
	"": {
		"LOAD XML LOCAL INFILE '§' INTO TABLE {t}",
		"LOAD DATA LOCAL INFILE '§' INTO TABLE {t} PARTITION (p0)",
		"USE test; INSERT INTO {t} VALUES (1, 'kanari')",
		"CREATE PROCEDURE keep() INSERT INTO {t} VALUES (1, 'kanari')",
		"CREATE VIEW told AS SELECT id FROM log WHERE (1, 'kanari') IN (SELECT * FROM {t})",
		"CREATE TABLE made AS SELECT id FROM log WHERE (1, 'kanari') IN (SELECT * FROM {t})",
		"SET @a = (1, 'kanari') IN (SELECT * FROM {t})",
		"DO (1, 'kanari') IN (SELECT * FROM {t})",
		"INSERT INTO {t} WITH {t} AS (SELECT 1, 'kanari') SELECT * FROM {t}",
		"HANDLER {t} READ `PRIMARY` = ('kanari')",
	},
}

// TestGuardedUnread: a statement that tunic cannot read, or not wholly, is refused where it may be about a table that a rule
// guards, as one that can be read is: nothing of it is in the server's log, nor in the table.
func TestGuardedUnread(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		for _, empty := range []bool{true, false} {
			name := string(flavor) + ", nothing protected"
			if !empty {
				name = string(flavor)
			}
			t.Run(name, func(t *testing.T) { guardsUnread(t, flavor, empty) })
		}
	}
}

// guardsUnread is TestGuardedUnread on a server; empty says that no table is protected.
func guardsUnread(t *testing.T, flavor sandbox.Flavor, empty bool) {
	server, kek, cfg := protecting(t, flavor)
	cfg.Policy.Default = config.PolicyPlain
	cfg.Policy.Rules = []config.Rule{
		{Columns: "test.*.*ssn", Protection: "equality"}, {Columns: "test.whole.phone", Protection: "sealed"},
		{Columns: "test.mine.name", Protection: "sealed"}, {Columns: "test.mine.id", Protection: "plain"}, {Columns: "test.later.phone", Protection: "sealed", Waits: true},
	}
	root := client(t, server.Addr, "root", "root", nil)
	t.Cleanup(func() { _ = root.Close() })
	proxy, _ := serveWith(t, cfg, kek)
	db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName, c.MultiStatements, c.AllowAllFiles = "test", true, true })
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	if !empty {
		mustExec(t, db, "CREATE TABLE mine (id INT PRIMARY KEY, name VARCHAR(20))")
	}
	for _, table := range []string{"bare (id INT PRIMARY KEY, ssn VARCHAR(20))", "less (id INT PRIMARY KEY, a VARCHAR(20))", "whole (id INT PRIMARY KEY, a VARCHAR(20))",
		"log (id INT PRIMARY KEY, a VARCHAR(20))", "later (id INT PRIMARY KEY, phone VARCHAR(20))"} {
		mustExec(t, root, "CREATE TABLE test."+table)
	}
	mustExec(t, root, "CREATE DATABASE IF NOT EXISTS aside", "GRANT ALL ON *.* TO app@'%'", "SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = 1")
	file := filepath.Join(t.TempDir(), "kanari")
	if err := os.WriteFile(file, []byte("9\tkanari\tkanari\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := func(text string) {
		text = strings.ReplaceAll(text, "§", file)
		mustExec(t, db, "USE test")
		if strings.Contains(text, "USE ") {
			mustExec(t, db, "USE aside")
		}
		wantKept(t, text, doneBy(db.ExecContext(t.Context(), text)))
		if !strings.Contains(text, ";") && !strings.HasPrefix(text, "PREPARE") && !strings.HasPrefix(text, "EXECUTE") {
			st, err := db.PrepareContext(t.Context(), text)
			if err == nil { // it is planned when it is executed
				err = doneBy(st.ExecContext(t.Context()))
				_ = st.Close()
			}
			wantKept(t, "prepared: "+text, err)
		}
	}
	for _, text := range slices.Concat(unreadGuarded[flavor], unreadGuarded[""]) {
		for table, column := range map[string]string{"bare": "ssn", "less": "ssn", "whole": "phone"} {
			refused(strings.NewReplacer("{t}", table, "{c}", column).Replace(text))
		}
	}
	for _, text := range slices.Concat(unnamedGuarded[flavor], unnamedGuarded[""]) {
		refused(strings.ReplaceAll(text, "{t}", "whole"))
		refused(strings.ReplaceAll(text, "{t}", "bare"))
	}
	guardsInModes(t, db, flavor)
	if !empty {
		mustExec(t, db, "INSERT INTO mine VALUES (1, 'a')")
		for _, text := range []string{"INSERT INTO whole SELECT id, 'kanari' FROM mine", "REPLACE INTO test.whole SELECT id, AES_ENCRYPT(a, 'kanari') FROM log"} {
			refused(text)
		}
		mustExec(t, db, "INSERT INTO whole (id, a) SELECT id, 'passes' FROM mine", "INSERT INTO log SELECT id, 'passes' FROM mine", "DELETE FROM log", "DELETE FROM whole")
	}
	if flavor == sandbox.MySQL { // which tells such names apart
		refused("WITH BARE AS (SELECT 1 AS ssn) SELECT id FROM bare WHERE ssn = 'kanari'")
	}
	mustExec(t, db, "USE test")
	mustExec(t, db, passGuarded[flavor]...)
	mustExec(t, db, passGuarded[""]...)
	mustExec(t, root, "SET GLOBAL general_log = 0")
	var seen, passed, rows int
	err := root.QueryRowContext(t.Context(), "SELECT SUM(argument LIKE '%kanari%'), SUM(argument LIKE '%passes%'), (SELECT COUNT(*) FROM test.bare) + "+
		"(SELECT COUNT(*) FROM test.less) + (SELECT COUNT(*) FROM test.whole) FROM mysql.general_log").Scan(&seen, &passed, &rows)
	if err != nil || seen > 0 || passed == 0 || rows > 0 {
		t.Errorf("%d statements in the server's log have a value, %d are of what may pass, %d rows are there, %v", seen, passed, rows, err)
	}
}

// guardsInModes is guardsUnread for names in quotes, programs of Oracle's, texts from variables, and what no server reads.
func guardsInModes(t *testing.T, db *sql.DB, flavor sandbox.Flavor) {
	mustExec(t, db, "USE test", "SET sql_mode = 'ANSI_QUOTES'")
	quoted := "SELECT id FROM \"whole\" WHERE \"phone\" = 'kanari' AND id = CAST('2001' AS YEAR)"
	if flavor == sandbox.MariaDB {
		quoted = "INSERT INTO \"whole\" SELECT 1, 'kanari' FROM dual LIMIT ROWS EXAMINED 500"
	}
	wantKept(t, quoted, doneBy(db.ExecContext(t.Context(), quoted)))
	mustExec(t, db, "SET sql_mode = DEFAULT", "SET @text = \"INSERT INTO whole SELECT 1, 'kanari'\"")
	wantKept(t, "a text in a variable", doneBy(db.ExecContext(t.Context(), "PREPARE p FROM @text")))
	mustExec(t, db, "SET @text = NULL")
	if flavor == sandbox.MariaDB {
		mustExec(t, db, "SET sql_mode = 'ORACLE'")
		for _, text := range []string{
			"BEGIN INSERT INTO whole VALUES (1, 'kanari'); END", "DECLARE v INT; BEGIN UPDATE whole SET phone = 'kanari'; END",
			"CREATE PROCEDURE keep AS BEGIN INSERT INTO \"whole\" VALUES (1, 'kanari'); END", "SELECT id FROM bare WHERE ssn = 'kanari' FOR UPDATE WAIT 5",
		} {
			wantKept(t, text, doneBy(db.ExecContext(t.Context(), text)))
		}
		mustExec(t, db, "SET sql_mode = DEFAULT")
	}
	for _, text := range []string{ // whatever the error is, nobody sees the value
		"INSERT INTO whole VALUES (1, 'kanari", "INSERT INTO whole VALUES (1, 'ka\\'kanari", "INSERT INTO \"whole\" (phone) VALUES ('kanari')",
		"FROBNICATE whole phone = 'kanari'", "SELECT 1; INSERT INTO whole VALUES (1, 'kanari", "INSERT INTO bare SET ssn = 'kanari' WHERE ()",
		"/*!999999 INSERT INTO whole VALUES (1, 'kanari') */ DO 1", "SELECT 'kanari' FROM whole WHERE phone = caf\xc3\xa9'",
	} {
		_, _ = db.ExecContext(t.Context(), text)
	}
}

// passGuarded are statements that name no guarded table, or say nothing of a guarded column to one that has none.
var passGuarded = map[sandbox.Flavor][]string{
	sandbox.MariaDB: {
		"INSERT INTO log (id, a) SELECT 1, 'passes' FROM dual LIMIT ROWS EXAMINED 500", "INSERT INTO log SELECT 2, 'passes' FROM dual LIMIT ROWS EXAMINED 500",
		"SELECT * FROM whole WHERE a = 'passes' FOR UPDATE WAIT 50", "INSERT INTO whole (id, a) SELECT 7, 'passes' FROM dual LIMIT ROWS EXAMINED 500",
		"DELETE FROM whole WHERE EXISTS (SELECT 1 OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY)", "SELECT * FROM later WHERE phone = 'passes' FOR UPDATE WAIT 50",
		"SET STATEMENT max_statement_time = 9 FOR INSERT INTO whole (id, a) VALUES (7, 'passes')", "DELETE FROM whole WHERE id = 7 RETURNING id",
		"WITH BARE AS (SELECT 1 AS ssn) SELECT ssn FROM bare WHERE ssn = 'passes'", "WITH RECURSIVE u AS (SELECT * FROM bare), bare AS (SELECT 1) SELECT * FROM u",
		"INSERT INTO log (id) VALUES (9) RETURNING (SELECT COUNT(*) FROM later)",
	},
	sandbox.MySQL: {
		"INSERT INTO whole (id, a) VALUES (7, CAST('2001' AS YEAR))", "DELETE FROM whole WHERE a = CAST('2001' AS YEAR)",
		"INSERT INTO log SELECT 2, CAST('2002' AS YEAR)", "ANALYZE TABLE log UPDATE HISTOGRAM ON a WITH 4 BUCKETS",
	},
	"": {
		"WITH bare AS (SELECT 1 AS ssn) SELECT * FROM bare WHERE ssn = 'passes'",
		"INSERT INTO later (id, phone) WITH later AS (SELECT 1, 'passes') SELECT * FROM later",
		"CREATE PROCEDURE done() INSERT INTO later VALUES (2, 'passes')", "USE aside; SELECT 1",
		"USE test; INSERT INTO whole (id, a) VALUES (8, 'passes'); DELETE FROM whole",
	},
}

// wantKept is wantPlain for a statement that tunic may refuse before it is asked whether the table is guarded.
func wantKept(t *testing.T, text string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "TUNIC-2009") && !strings.Contains(err.Error(), "TUNIC-2002") {
		t.Errorf("%s: %v", text, err)
	}
}
