package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestGuarded: a plain table that somebody has put where a rule of the policy protects columns, with
// the columns or without, is
// used by no statement, and nothing that was meant for it is in the server's log. The same
// statements pass where the rule waits, and where no rule is about the table.
func TestGuarded(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			cfg.Policy.Rules = []config.Rule{
				{Columns: "test.*.free_ssn", Protection: "plain"},
				{Columns: "test.*.*ssn", Protection: "equality"},
				{Columns: "test.*.later", Protection: "sealed", Waits: true},
				{Columns: "test.replaced.phone", Protection: "sealed"},
			}
			root := client(t, server.Addr, "root", "root", nil)
			t.Cleanup(func() { _ = root.Close() })
			proxy, _ := serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName, c.MultiStatements, c.AllowAllFiles = "test", true, true })
			t.Cleanup(func() { _ = db.Close() })
			mustExec(t, db, "CREATE TABLE mine (id INT PRIMARY KEY, ssn VARCHAR(20))", "INSERT INTO mine VALUES (1, 'a')")
			mustExec(t, root, "CREATE TABLE test.bare (id INT PRIMARY KEY, ssn VARCHAR(20))", "CREATE VIEW test.seen AS SELECT id, ssn FROM test.bare",
				"CREATE TABLE test.less (id INT PRIMARY KEY, note VARCHAR(20))", "CREATE TABLE test.replaced (id INT PRIMARY KEY, number VARCHAR(20))",
				"CREATE TABLE test.free (id INT PRIMARY KEY, free_ssn VARCHAR(20), later VARCHAR(20))",
				"SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = 1")
			file := filepath.Join(t.TempDir(), "kanari")
			if err := os.WriteFile(file, []byte("9\tkanari\tkanari\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			refused := []string{
				"INSERT INTO {T} VALUES (1, 'kanari')", "REPLACE INTO test.{T} VALUES (1, 'kanari')", "SELECT * FROM {T} WHERE ssn = 'kanari'",
				"UPDATE {T} SET ssn = 'kanari'", "DELETE FROM {T} WHERE ssn = 'kanari'", "INSERT INTO free (id) SELECT id FROM {T} WHERE ssn = 'kanari'",
				"SELECT * FROM mine JOIN {T} ON {T}.ssn = 'kanari'", "INSERT INTO mine SELECT id + 5, 'kanari' FROM {T}",
				"SELECT 1 UNION SELECT ssn FROM {T} WHERE ssn = 'kanari'", "WITH q AS (SELECT * FROM {T} WHERE ssn = 'kanari') SELECT * FROM q",
				"EXPLAIN SELECT * FROM {T} WHERE ssn = 'kanari'", "SET @a = (SELECT MAX(id) FROM {T} WHERE ssn = 'kanari')",
				"DO (SELECT MAX(id) FROM {T} WHERE ssn = 'kanari')", "PREPARE p FROM \"INSERT INTO {T} VALUES (1, 'kanari')\"",
				"SELECT MAX(ssn) INTO @b FROM {T} WHERE ssn = 'kanari'", "CREATE TABLE made AS SELECT id FROM {T} WHERE ssn = 'kanari'",
				"CREATE VIEW told AS SELECT id FROM {T} WHERE ssn = 'kanari'", "CREATE PROCEDURE keep() INSERT INTO {T} VALUES (1, 'kanari')",
				"SELECT 1; INSERT INTO {T} VALUES (1, 'kanari')", "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE {T}",
			}
			for _, text := range refused {
				for _, table := range []string{"bare", "seen"} {
					if table == "seen" && strings.HasPrefix(text, "LOAD") {
						continue
					}
					text := strings.ReplaceAll(text, "{T}", table)
					wantPlain(t, text, func() error { _, err := db.ExecContext(t.Context(), text); return err }())
				}
			}
			// What is there says nothing of what was meant for it: neither table has the column.
			for _, text := range []string{
				"INSERT INTO less (id, ssn) VALUES (1, 'kanari')", "UPDATE less SET ssn = 'kanari'", "SELECT * FROM less l WHERE l.ssn = 'kanari'",
				"INSERT INTO replaced (phone) VALUES ('kanari')", "INSERT INTO replaced VALUES (1, 'kanari')", "REPLACE INTO test.replaced SELECT 1, 'kanari'",
				"SELECT 1 FROM replaced WHERE 'kanari' IN (phone)", "SELECT ('1', 'kanari') IN (SELECT * FROM replaced)",
				"SET @a = (SELECT MAX(id) FROM replaced WHERE phone = 'kanari')", "PREPARE p FROM \"UPDATE replaced SET phone = 'kanari'\"",
				"CREATE PROCEDURE keep() INSERT INTO replaced (phone) VALUES ('kanari')", "INSERT INTO free (id) SELECT id FROM less WHERE ssn = 'kanari'",
				"SET @a = (SELECT MAX(id) FROM less WHERE ssn = 'kanari')", "DO (SELECT MAX(id) FROM less WHERE ssn = 'kanari')",
				"CREATE TABLE made AS SELECT id FROM less WHERE ssn = 'kanari'", "CREATE VIEW told AS SELECT id FROM less WHERE ssn = 'kanari'",
				"CREATE PROCEDURE keep() UPDATE less SET ssn = 'kanari'", "REPLACE INTO less SET ssn = 'kanari'",
				"SELECT MAX(id) INTO @b FROM less WHERE ssn = 'kanari'",
				"LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE less (id, ssn, @x)", "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE replaced",
			} {
				wantPlain(t, text, func() error { _, err := db.ExecContext(t.Context(), text); return err }())
			}
			for _, text := range []string{ // beside a protected table columns are looked for before anything is sent
				"UPDATE less JOIN mine USING (id) SET less.ssn = 'kanari'", "INSERT INTO mine (id) SELECT id FROM less WHERE ssn = 'kanari'",
				"DELETE less FROM less JOIN mine ON less.ssn = 'kanari'", "SELECT * FROM mine JOIN less ON less.ssn = 'kanari'",
				"SELECT * FROM mine NATURAL JOIN less WHERE less.ssn = 'kanari'", "UPDATE mine SET ssn = 'x' WHERE id IN (SELECT id FROM less WHERE less.ssn = 'kanari')",
			} {
				if _, err := db.ExecContext(t.Context(), text); err == nil {
					t.Errorf("%s is done", text)
				}
			}
			mustExec(t, db, "INSERT INTO less VALUES (1, 'passes')", "SET @a = (SELECT MAX(note) FROM less)", "SELECT id FROM less JOIN mine USING (id) WHERE mine.ssn = 'kanari'",
				"INSERT INTO replaced (id, number) VALUES (1, 'passes')", "SELECT * FROM replaced WHERE EXISTS (SELECT * FROM replaced)")
			for _, text := range []string{"INSERT INTO bare VALUES (?, 'kanari')", "INSERT INTO less (ssn) VALUES (?)", "INSERT INTO replaced VALUES (?, 'kanari')", "SELECT * FROM mine JOIN bare USING (id) WHERE bare.ssn = 'kanari'"} {
				st, err := db.PrepareContext(t.Context(), text)
				if err == nil {
					_ = st.Close()
				}
				wantPlain(t, "prepared: "+text, err)
			}
			mustExec(t, db, "INSERT INTO free VALUES (1, 'passes', 'passes')", "SET @a = (SELECT MAX(id) FROM free)", "DROP TABLE bare")
			mustExec(t, root, "SET GLOBAL general_log = 0")
			var seen, plain int
			err := root.QueryRowContext(t.Context(), "SELECT SUM(argument LIKE '%kanari%'), SUM(argument LIKE '%passes%') FROM mysql.general_log").Scan(&seen, &plain)
			if err != nil || seen > 0 || plain == 0 {
				t.Errorf("%d statements in the server's log have a value, %d are of the table that waits, %v", seen, plain, err)
			}
		})
	}
}

// TestGuardedColumn: a rule that comes after a table was protected guards a column of it that is plain. No statement over the
// table is carried out, by text, prepared before or later, or over a view, unless the rule waits; it can be shown and changed.
func TestGuardedColumn(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			proxy, _ := serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
			t.Cleanup(func() { _ = db.Close() })
			mustExec(t, db, "CREATE TABLE late (id INT PRIMARY KEY COMMENT 'tunic: plain', ssn VARCHAR(20) COMMENT 'tunic: sealed', age INT)",
				"CREATE VIEW older AS SELECT id, age FROM late")
			before, err := db.PrepareContext(t.Context(), "INSERT INTO late VALUES (?, 'a', 7)")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = before.Close() }()
			guard := func(waits bool) {
				t.Helper()
				err := proxy.Reload(changed(cfg, func(c *config.Config) {
					c.Policy.Rules = []config.Rule{{Columns: "test.late.age", Protection: "order", Waits: waits, From: "here"}}
				}))
				if err != nil {
					t.Fatal(err)
				}
			}
			tries := map[string]func() error{
				"prepared before": func() error { return doneBy(before.ExecContext(t.Context(), 1)) },
				"prepared":        func() error { return doneBy(db.ExecContext(t.Context(), "INSERT INTO late VALUES (?, 'a', 7)", 2)) },
			}
			for _, text := range []string{
				"INSERT INTO late VALUES (3, 'a', 7)", "SELECT id FROM late", "SELECT * FROM older", "UPDATE late SET ssn = 'b'", "DELETE FROM late WHERE age = 7",
			} {
				tries[text] = func() error { return doneBy(db.ExecContext(t.Context(), text)) }
			}
			guard(false)
			for name, try := range tries {
				if err := try(); err == nil || !strings.Contains(err.Error(), "TUNIC-2020") {
					t.Errorf("%s: %v", name, err)
				}
			}
			mustExec(t, db, "SHOW CREATE TABLE late", "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_NAME = 'late'", "ALTER TABLE late MODIFY ssn VARCHAR(30)")
			guard(true)
			for name, try := range tries {
				if err := try(); err != nil {
					t.Errorf("%s, while the rule waits: %v", name, err)
				}
			}
			guard(false)
			mustExec(t, db, "ALTER TABLE late DROP COLUMN age", "INSERT INTO late (id) VALUES (4)")
		})
	}
}

func wantPlain(t *testing.T, text string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "TUNIC-2009") {
		t.Errorf("%s: %v", text, err)
	}
}
