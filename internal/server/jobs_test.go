package server

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// failsAs runs a statement that is to fail with a number, and, if it is tunic's, a code.
func failsAs(t *testing.T, db *sql.DB, number uint16, code, statement string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement, args...)
	said, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok || said.Number != number || !strings.Contains(said.Message, code) || code == "" && strings.Contains(said.Message, "TUNIC-") {
		t.Errorf("%s %v: %v, want %d %s", statement, args, err, number, code)
	}
}

// stateOf waits until a job is in a state.
func stateOf(t *testing.T, db *sql.DB, id int64, want string) {
	t.Helper()
	var state string
	for end := time.Now().Add(60 * time.Second); state != want; time.Sleep(50 * time.Millisecond) {
		if err := db.QueryRowContext(context.Background(), "SELECT state FROM tunic.jobs WHERE id = ?", id).Scan(&state); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(end) {
			t.Fatalf("job %d is %s, not %s", id, state, want)
		}
	}
}

// textOf is what a question is answered, as linesOf has it.
func textOf(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return linesOf(t, rows)
}

// linesOf are rows as texts, their cells with spaces between them; NULL is "-".
func linesOf(t *testing.T, rows *sql.Rows) (out []string) {
	t.Helper()
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var line []string
		for _, c := range cells {
			if !c.Valid {
				c.String = "-"
			}
			line = append(line, c.String)
		}
		out = append(out, strings.Join(line, " "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func is(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLayersByCall: a client adds a layer and drops it, as text and prepared, and reads of
// it; the server never gets the reason.
func TestLayersByCall(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40), age INT COMMENT 'tunic: sealed', note INT COMMENT 'tunic: plain')",
				"INSERT INTO person VALUES (1, 'Canary', 7, 7), (2, 'Finch', 8, 8)")
			if err := server.Exec(t.Context(), "SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = 1"); err != nil {
				t.Fatal(err)
			}

			is(t, "no jobs", textOf(t, db, "CALL tunic.jobs()"))
			done, err := db.ExecContext(t.Context(), "CALL tunic.add_layer('test.person', 'name', 'equality', 'a seldom Heron')")
			if err != nil {
				t.Fatal(err)
			}
			first, _ := done.LastInsertId()
			stateOf(t, db, first, "done")
			done, err = db.ExecContext(t.Context(), "CALL tunic.add_layer(?, ?, ?, ?)", "person", "name", "order", nil)
			if err != nil {
				t.Fatal(err)
			}
			second, _ := done.LastInsertId()
			stateOf(t, db, second, "done")
			is(t, "layers", textOf(t, db, "SELECT table_name, column_name, layer, state, job FROM tunic.layers ORDER BY layer"),
				"person name equality ready -", "person name order ready -")
			is(t, "jobs", textOf(t, db, "SELECT jobs.kind, table_schema, column_name, layer, state, cause, `reason` FROM Tunic.jobs ORDER BY tunic.jobs.id"),
				"add_layer test name equality done - a seldom Heron", "add_layer test name order done - -")
			is(t, "by CALL", textOf(t, db, "CALL tunic.layers()"), textOf(t, db, "SELECT * FROM tunic.layers")...)
			is(t, "by a layer", textOf(t, db, "SELECT id FROM person WHERE name > 'D'"), "2")

			stmt, err := db.PrepareContext(t.Context(), "SELECT COUNT(*) FROM tunic.layers WHERE layer = ?")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = stmt.Close() }()
			count := func() (n int) {
				if err := stmt.QueryRowContext(t.Context(), "order").Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			before := count()
			done, err = db.ExecContext(t.Context(), "CALL tunic.drop_layer('person', 'NAME', 'Order')")
			if err != nil {
				t.Fatal(err)
			}
			third, _ := done.LastInsertId()
			stateOf(t, db, third, "done")
			if after := count(); before != 1 || after != 0 {
				t.Errorf("%d layers before, %d after", before, after)
			}
			is(t, "without the layer", textOf(t, db, "SELECT id FROM person WHERE name > 'D'"), "2")

			failsAs(t, db, 1305, "TUNIC-2070", "CALL tunic.fly()")
			failsAs(t, db, 1318, "TUNIC-2071", "CALL tunic.add_layer('person', 'name')")
			failsAs(t, db, 1318, "TUNIC-2071", "CALL tunic.add_layer('person', 'name', 'onion')")
			failsAs(t, db, 1318, "TUNIC-2071", "CALL tunic.add_layer('person', CONCAT('na', 'me'), 'order')")
			failsAs(t, db, 1318, "TUNIC-2071", "CALL tunic.jobs(1)")
			failsAs(t, db, 1318, "TUNIC-2071", "CALL tunic.pause('now')")
			failsAs(t, db, 1318, "TUNIC-2071", "CALL tunic.pause(?)", -1)
			failsAs(t, db, 1105, "TUNIC-2072", "CALL tunic.pause(?)", int64(1)<<60)
			failsAs(t, db, 1105, "TUNIC-2073", "CALL tunic.cancel(?)", first)
			failsAs(t, db, 1061, "TUNIC-2077", "CALL tunic.add_layer('person', 'name', 'equality')")
			failsAs(t, db, 1061, "TUNIC-2077", "CALL tunic.add_layer('`test`.`person`', '`Name`', 'equality')")
			failsAs(t, db, 1054, "", "CALL tunic.add_layer('person', '`name', 'equality')")
			failsAs(t, db, 1091, "TUNIC-2078", "CALL tunic.drop_layer('person', 'name', 'order')")
			failsAs(t, db, 1235, "TUNIC-2081", "CALL tunic.add_layer('person', 'age', 'order')")
			failsAs(t, db, 1105, "TUNIC-2082", "CALL tunic.add_layer('person', 'note', 'order')")
			failsAs(t, db, 1054, "", "CALL tunic.add_layer('person', 'none', 'order')")
			failsAs(t, db, 1146, "", "CALL tunic.add_layer('none', 'name', 'order')")
			mustExec(t, db, "CREATE TABLE heap (name VARCHAR(40))", "INSERT INTO heap VALUES ('x')", "CREATE TABLE keyed (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40) UNIQUE)")
			failsAs(t, db, 1173, "TUNIC-2079", "CALL tunic.add_layer('heap', 'name', 'order')")
			failsAs(t, db, 1553, "TUNIC-2080", "CALL tunic.drop_layer('keyed', 'name', 'equality')")
			failsAs(t, db, 1235, "TUNIC-", "SELECT p.id FROM person p JOIN tunic.jobs j")
			failsAs(t, db, 1288, "TUNIC-2084", "UPDATE tunic.jobs SET state = 'done'")
			failsAs(t, db, 1288, "TUNIC-2084", "DELETE FROM tunic.jobs WHERE id = ?", 1)
			failsAs(t, db, 1288, "TUNIC-2084", "INSERT INTO tunic.layers (layer) SELECT name FROM person")
			failsAs(t, db, 1235, "TUNIC-", "SELECT UPPER(reason) > 'B' FROM tunic.jobs WHERE reason LIKE 'a%'")

			root := client(t, server.Addr, "root", "root", func(*mysql.Config) {})
			defer func() { _ = root.Close() }()
			var sent, seen int
			if err := root.QueryRowContext(t.Context(), "SELECT SUM(argument LIKE '%seldom%'), SUM(argument LIKE '%add_layer%') FROM mysql.general_log WHERE argument NOT LIKE '%general_log%'").Scan(&sent, &seen); err != nil || sent != 0 || seen == 0 {
				t.Errorf("the reason was sent %d times, the kind of the job %d times, %v", sent, seen, err)
			}
		})
	}
}

// TestJobsAreForWhoMay: an account without a privilege on a table sees none of its jobs and
// layers; one that may read it sees them, and may ask for nothing; nor does a temporary
// table of the same name help it.
func TestJobsAreForWhoMay(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))", "INSERT INTO person VALUES (1, 'Canary')")
			if err := server.Exec(t.Context(), "CREATE USER 'reader'@'%' IDENTIFIED BY 'reader'", "CREATE USER 'nobody'@'%' IDENTIFIED BY 'nobody'",
				"GRANT SELECT, CREATE TEMPORARY TABLES, DROP ON test.* TO 'reader'@'%'", "CREATE DATABASE elsewhere", "GRANT ALL ON elsewhere.* TO 'nobody'@'%'"); err != nil {
				t.Fatal(err)
			}
			as := func(user, schema string) *sql.DB {
				own := client(t, proxy.Addr().String(), user, user, func(c *mysql.Config) { c.DBName = schema })
				own.SetMaxOpenConns(1)
				t.Cleanup(func() { _ = own.Close() })
				return own
			}
			reader, nobody := as("reader", "test"), as("nobody", "elsewhere")
			done, err := db.ExecContext(t.Context(), "CALL tunic.add_layer('test.person', 'name', 'equality')")
			if err != nil {
				t.Fatal(err)
			}
			id, _ := done.LastInsertId()
			stateOf(t, db, id, "done")
			is(t, "reader", textOf(t, reader, "SELECT column_name FROM tunic.layers"), "name")
			is(t, "reader", textOf(t, reader, "SELECT column_name FROM tunic.jobs"), "name")
			is(t, "nobody", textOf(t, nobody, "SELECT column_name FROM tunic.layers"))
			is(t, "nobody", textOf(t, nobody, "CALL tunic.jobs()"))
			failsAs(t, reader, 1142, "", "CALL tunic.drop_layer('person', 'name', 'equality')")
			failsAs(t, reader, 1142, "", "CALL tunic.cancel(?)", id)
			failsAs(t, nobody, 1142, "", "CALL tunic.drop_layer('test.person', 'name', 'equality')")
			failsAs(t, nobody, 1142, "", "CALL tunic.pause(?)", id)
			mustExec(t, reader, "CREATE TEMPORARY TABLE person (id INT PRIMARY KEY, name VARCHAR(40))")
			failsAs(t, reader, 1105, "TUNIC-2082", "CALL tunic.drop_layer('person', 'name', 'equality')")
			failsAs(t, reader, 1105, "TUNIC-2082", "CALL tunic.cancel(?)", id)
		})
	}
}
