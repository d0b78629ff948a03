package server

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// adoptions are statements after which views read something protected that were made when it was
// plain, or not there; ask is answered then as a plain server does.
var adoptions = []struct {
	name       string
	statements []string
	asks       []string
}{
	{"a dump", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name, 1 AS city", "CREATE VIEW a AS SELECT name, CONCAT(city, '-') AS c FROM b WHERE city = 'Rome' AND id > 1",
		"DROP VIEW b", "CREATE VIEW b AS SELECT id, name, city FROM person",
	}, []string{"SELECT * FROM a", "SHOW CREATE VIEW a", "SHOW COLUMNS FROM a"}},
	{"a chain, and one that reads both", []string{
		"CREATE VIEW d AS SELECT 1 AS id, 1 AS name, 1 AS city", "CREATE VIEW c AS SELECT id, name FROM d WHERE city <> 'Oslo'",
		"CREATE VIEW a AS SELECT c.name AS one, d.city AS two FROM c JOIN d ON c.id = d.id", "CREATE VIEW b AS SELECT COUNT(*) AS n FROM a",
		"DROP VIEW d", "CREATE VIEW d AS SELECT id, name, city FROM person",
	}, []string{"SELECT * FROM c ORDER BY id", "SELECT * FROM a ORDER BY one", "SELECT n FROM b", "SHOW CREATE VIEW a"}},
	{"positions of columns, which MariaDB does not show once b is gone", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name, 1 AS city", "CREATE VIEW a AS SELECT name, '' AS e, X'42' AS x FROM b WHERE name <> ''",
		"CREATE VIEW c AS SELECT city, COUNT(*) AS n FROM b WHERE city <> '' GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
		"CREATE VIEW d AS SELECT x.name AS n FROM (SELECT name, id FROM b ORDER BY 2 DESC LIMIT 2) AS x",
		"DROP VIEW b", "CREATE VIEW b AS SELECT id, name, city FROM person",
	}, []string{"SELECT name, e FROM a ORDER BY name", "SHOW CREATE VIEW a", "SELECT * FROM c", "SELECT n FROM d ORDER BY n"}},
	{"what a view is made with", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name, 1 AS city", "CREATE ALGORITHM = TEMPTABLE SQL SECURITY INVOKER VIEW a (x, `y``z`) AS SELECT name, city FROM b UNION SELECT 'é', ''",
		"DROP VIEW b", "CREATE VIEW b AS SELECT id, name, city FROM person",
	}, []string{"SELECT x FROM a ORDER BY x", "SHOW CREATE VIEW a"}},
	{"OR REPLACE, and a plain table beside", []string{
		"CREATE TABLE bare (id INT)", "INSERT INTO bare VALUES (2), (3)",
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name, 1 AS city", "CREATE VIEW a AS SELECT b.name FROM b JOIN bare ON bare.id = b.id",
		"CREATE OR REPLACE VIEW b AS SELECT id, name, city FROM person",
	}, []string{"SELECT * FROM a ORDER BY name", "SHOW CREATE VIEW a"}},
	{"ALTER VIEW", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name", "CREATE VIEW a AS SELECT name FROM b WHERE name = 'Bob'", "ALTER VIEW b AS SELECT id, name FROM person",
	}, []string{"SELECT * FROM a"}},
	{"RENAME of a view", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name", "CREATE VIEW a AS SELECT name FROM b", "DROP VIEW b",
		"CREATE VIEW other AS SELECT id, name FROM person", "RENAME TABLE other TO b",
	}, []string{"SELECT * FROM a ORDER BY name"}},
	{"RENAME of a table", []string{
		"CREATE TABLE b (id INT, name VARCHAR(20))", "CREATE VIEW e AS SELECT 1 AS id, 1 AS name", "CREATE VIEW a AS SELECT name FROM e", "DROP VIEW e",
		"INSERT INTO b VALUES (7, 'Cleo')", "RENAME TABLE b TO e",
	}, []string{"SELECT * FROM a"}},
	{"CREATE TABLE", []string{
		"CREATE TABLE b (id INT COMMENT 'tunic: plain', name VARCHAR(20) COMMENT 'tunic: plain')",
		"CREATE ALGORITHM = MERGE VIEW a AS SELECT id, name FROM b WHERE id > 1 WITH CHECK OPTION", "DROP TABLE b",
		"CREATE TABLE b (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO b VALUES (1, 'Dora'), (2, 'Emil')", "DELETE FROM a WHERE name = 'Dora'",
	}, []string{"SELECT * FROM a", "SHOW CREATE VIEW a"}},
	{"CREATE TABLE of rows", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name", "CREATE VIEW a AS SELECT name FROM b", "DROP VIEW b", "CREATE TABLE b AS SELECT id, name FROM person",
	}, []string{"SELECT * FROM a ORDER BY name"}},
	{"gone again, and plain again", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name", "CREATE VIEW a AS SELECT name FROM b", "DROP VIEW b", "CREATE VIEW b AS SELECT id, name FROM person",
		"DROP VIEW b", "CREATE VIEW b AS SELECT 5 AS id, 'plain' AS name",
	}, []string{
		"SELECT * FROM a", "SELECT COUNT(*) FROM a JOIN person", "SHOW CREATE VIEW a",
		"SELECT name, COUNT(*) FROM a GROUP BY name HAVING COUNT(*) > 0", "SELECT * FROM a WHERE name LIKE 'p%' ORDER BY 1 LIMIT 1", "SELECT * FROM a FOR UPDATE", "SELECT UPPER(x.name) FROM a AS x",
		"SELECT id FROM person WHERE id NOT IN (SELECT COUNT(*) FROM a) ORDER BY id", "WITH x AS (SELECT * FROM a) SELECT * FROM x UNION SELECT 'q' ORDER BY 1", "SHOW COLUMNS FROM a",
		"SELECT nothing FROM a", "SELECT EXISTS (SELECT * FROM a)",
	}},
	{"gone", []string{
		"CREATE VIEW b AS SELECT 1 AS id, 1 AS name", "CREATE VIEW a AS SELECT name FROM b", "DROP VIEW b", "CREATE VIEW b AS SELECT id, name FROM person", "DROP VIEW b",
	}, []string{"SELECT * FROM a", "SELECT 1 FROM person, a", "SHOW CREATE VIEW a", "DROP VIEW a", "SELECT * FROM a"}},
}

// TestViewAdopted: a view of the server's becomes tunic's before what it reads does, and answers as a
// plain server's would; at the server it has no rows.
func TestViewAdopted(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		for _, prepared := range []bool{false, true} {
			t.Run(fmt.Sprint(flavor, ", prepared ", prepared), func(t *testing.T) {
				server, kek, cfg := protecting(t, flavor)
				proxy, _ := serveWith(t, cfg, kek)
				for i, c := range adoptions {
					t.Run(c.name, func(t *testing.T) { adopts(t, server, proxy.Addr().String(), i, prepared) })
				}
			})
		}
	}
}

// adopts runs a case through tunic and at a plain server.
func adopts(t *testing.T, server *sandbox.Server, addr string, i int, prepared bool) {
	t.Helper()
	c := adoptions[i]
	open := func(addr, schema string) *sql.DB {
		if err := server.Exec(t.Context(), "CREATE DATABASE "+schema, "GRANT ALL ON "+schema+".* TO app"); err != nil {
			t.Fatal(err)
		}
		db := client(t, addr, "app", "app", func(cfg *mysql.Config) { cfg.DBName = schema })
		mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(20), city VARCHAR(20))", "INSERT INTO person VALUES (1, 'Alice', 'Rome'), (2, 'Bob', 'Rome'), (3, 'Zoe', 'Oslo')")
		return db
	}
	number := fmt.Sprintf("%d_%v", i, prepared)
	plain, sealed := open(server.Addr, "plain"+number), open(addr, "sealed"+number)
	for _, s := range c.statements {
		want, got := errorText(execAs(t, plain, s, prepared)), errorText(execAs(t, sealed, s, prepared))
		if got != want {
			t.Fatalf("%s: %q, want %q", s, got, want)
		}
		if want != "" {
			return // as MySQL has it of a prepared ALTER VIEW
		}
	}
	for _, ask := range c.asks {
		want, got := answerOf(t, plain, ask), strings.ReplaceAll(answerOf(t, sealed, ask), "sealed"+number, "plain"+number)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", ask, got, want)
		}
	}
	if c.name == "gone" {
		return
	}
	direct := client(t, server.Addr, "app", "app", nil)
	definition := answerOf(t, direct, "SHOW CREATE VIEW sealed"+number+".a")
	if !strings.Contains(definition, "`tunic$") || !strings.Contains(definition, "`sealed"+number+"`.") {
		t.Errorf("the server's view does not read what the view is over: %s", definition)
	}
	if rows := answerOf(t, direct, "SELECT * FROM sealed"+number+".a"); rows != "" {
		t.Errorf("the server's view has rows: %s", rows)
	}
}

// execAs runs a statement, as a text or prepared.
func execAs(t *testing.T, db *sql.DB, text string, prepared bool) error {
	t.Helper()
	if !prepared {
		_, err := db.ExecContext(t.Context(), text)
		return err
	}
	st, err := db.PrepareContext(t.Context(), text)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	_, err = st.ExecContext(t.Context())
	return err
}

// answerOf are the rows of a query, or its error.
func answerOf(t *testing.T, db *sql.DB, text string) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text)
	if err != nil {
		return err.Error()
	}
	return strings.Join(linesOf(t, rows), "\n")
}

// TestViewNotAdopted: where the client's account may not replace one of several views, the definition
// is refused with its name, and all of them answer as before.
func TestViewNotAdopted(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			app := through(t, proxy.Addr().String())
			mustExec(t, app, "CREATE TABLE person (name VARCHAR(20))", "INSERT INTO person VALUES ('Alice')", "CREATE VIEW c AS SELECT 'x' AS name")
			if err := server.Exec(t.Context(), "CREATE VIEW test.b AS SELECT name FROM test.c"); err != nil {
				t.Fatal(err)
			}
			mustExec(t, app, "CREATE VIEW a AS SELECT name FROM b")
			for _, text := range []string{"CREATE OR REPLACE VIEW c AS SELECT name FROM person", "CREATE VIEW c AS SELECT name FROM person", "RENAME TABLE person TO c"} {
				if _, err := app.ExecContext(t.Context(), text); !strings.Contains(errorText(err), "TUNIC-2059: c cannot get protected columns while view b of the server reads it") {
					t.Errorf("%s: %v", text, err)
				}
				for _, view := range []string{"a", "b", "c"} {
					is(t, view, textOf(t, app, "SELECT name FROM "+view), "x")
				}
			}
		})
	}
}

// TestViewAdoptedMeanwhile: a view becomes tunic's once the transactions are over that have used it,
// which go on with it as it was; a statement that was prepared before is of the new one afterwards.
func TestViewAdoptedMeanwhile(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			app := through(t, proxy.Addr().String())
			mustExec(t, app, "CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO person VALUES (1, 'Alice')",
				"CREATE VIEW b AS SELECT 1 AS id, 'x' AS name", "CREATE VIEW a AS SELECT name FROM b", "CREATE VIEW d AS SELECT a.name FROM a JOIN b ON a.name = b.name")
			st, err := app.PrepareContext(t.Context(), "SELECT name FROM a WHERE name <> ?")
			if err != nil {
				t.Fatal(err)
			}
			is(t, "prepared, plain", preparedText(t, st, "q"), "x")
			tx, err := app.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			is(t, "in a transaction", txText(t, tx, "SELECT name FROM a"), "x")
			done := make(chan error, 1)
			go func() {
				_, err := app.ExecContext(t.Context(), "CREATE OR REPLACE VIEW b AS SELECT id, name FROM person")
				done <- err
			}()
			select {
			case err := <-done:
				t.Fatal("the view is replaced within a transaction that uses it: ", err)
			case <-time.After(300 * time.Millisecond):
			}
			is(t, "in the same transaction", txText(t, tx, "SELECT name FROM a"), "x")
			// It does not wait for the change, which waits for it.
			if _, err := tx.ExecContext(t.Context(), "SELECT name FROM d"); err != nil && !strings.Contains(err.Error(), "1205") {
				t.Error("another view that becomes tunic's: ", err)
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			is(t, "prepared, of tunic's", preparedText(t, st, "q"), "Alice")
		})
	}
}

// preparedText are the rows of a prepared statement.
func preparedText(t *testing.T, st *sql.Stmt, args ...any) []string {
	t.Helper()
	rows, err := st.QueryContext(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return linesOf(t, rows)
}

// txText are the rows of a query in a transaction.
func txText(t *testing.T, tx *sql.Tx, text string) []string {
	t.Helper()
	rows, err := tx.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return linesOf(t, rows)
}

// TestViewNotAdoptedUnderPrograms: a program of the server's would read no rows of a view that becomes
// tunic's, also by another view; the definition is refused with the program's name.
func TestViewNotAdoptedUnderPrograms(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			app := through(t, proxy.Addr().String())
			mustExec(t, app, "CREATE TABLE person (name VARCHAR(20))", "INSERT INTO person VALUES ('Alice')", "CREATE TABLE bare (name VARCHAR(20) COMMENT 'tunic: plain')",
				"CREATE VIEW c AS SELECT 'x' AS name", "CREATE VIEW b AS SELECT name FROM c", "CREATE VIEW a AS SELECT name FROM b")
			for kind, body := range map[string]string{
				"function p":  "CREATE FUNCTION p() RETURNS VARCHAR(20) READS SQL DATA RETURN (SELECT MAX(name) FROM a)",
				"procedure p": "CREATE PROCEDURE p() SELECT name FROM b",
				"trigger p":   "CREATE TRIGGER p BEFORE INSERT ON bare FOR EACH ROW SET NEW.name = (SELECT MAX(name) FROM a)",
				"event p":     "CREATE EVENT p ON SCHEDULE EVERY 1 DAY DO INSERT INTO bare SELECT name FROM a",
			} {
				mustExec(t, app, body)
				for _, text := range []string{"CREATE OR REPLACE VIEW c AS SELECT name FROM person", "ALTER VIEW c AS SELECT name FROM person"} {
					if _, err := app.ExecContext(t.Context(), text); !strings.Contains(errorText(err), "TUNIC-2061") || !strings.Contains(errorText(err), kind) {
						t.Errorf("%s: %v", text, err)
					}
				}
				is(t, "a", textOf(t, app, "SELECT name FROM a"), "x")
				mustExec(t, app, "DROP "+kind)
			}
			mustExec(t, app, "CREATE OR REPLACE VIEW c AS SELECT name FROM person")
			is(t, "a", textOf(t, app, "SELECT name FROM a"), "Alice")
		})
	}
}
