package sql

import (
	dbsql "database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// TestServersReadWhatIsPrinted: on a real server each statement of testdata,
// as it was written and as it is printed, has the same outcome: the same rows,
// the same tables after it, the same error.
func TestServersReadWhatIsPrinted(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := sandboxtest.Own(t, flavor, sandboxtest.Volatile)
			r := newServerRun(t, server)
			r.mustExec(t, serverTables...)
			for _, file := range []string{"queries", "changes", "definitions"} {
				for _, line := range statementsOf(t, "testdata/statements/"+file+".sql") {
					r.compare(t, file, line)
				}
			}
			t.Logf("%d statements compared, %d of them accepted by the server", r.compared, r.accepted)
			if r.accepted < 250 {
				t.Errorf("only %d statements were accepted", r.accepted)
			}
		})
	}
}

// serverRun is a session on a server.
type serverRun struct {
	conn     *dbsql.Conn
	modes    Modes
	compared int
	accepted int
}

func newServerRun(t *testing.T, s *sandbox.Server) *serverRun {
	t.Helper()
	connector, err := dbsql.Open("mysql", s.DSN("root", "root", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connector.Close() })
	conn, err := connector.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &serverRun{conn: conn, modes: Modes(0).WithServer(s.Version)}
}

// serverTables are what the statements of testdata speak of, as far as they
// speak of the same.
var serverTables = []string{
	"SET timestamp = 1790000000, sql_mode = 'NO_ENGINE_SUBSTITUTION', foreign_key_checks = 0",
	"DROP DATABASE IF EXISTS s", "CREATE DATABASE s CHARACTER SET utf8mb4", "USE s",
	"CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT, c VARCHAR(20), d DATETIME, e DECIMAL(10,2), f DOUBLE, i INT, KEY i (i), KEY j (b), KEY k (c))",
	"CREATE TABLE u (id INT PRIMARY KEY, a INT, b INT, c INT, user_id INT, KEY (a))",
	"CREATE TABLE v (id INT PRIMARY KEY, a INT, c INT, b INT)",
	"CREATE TABLE p (a VARCHAR(20))",
	"INSERT INTO t VALUES (1, 1, 2, 'x', '2026-01-31 10:11:12', 1.50, 2.5, 7), (2, 5, NULL, 'it''s', '2025-12-31', -3, 0.1, 8), (3, NULL, 3, 'xyz', NULL, NULL, 1e10, 9)",
	"INSERT INTO u VALUES (1, 1, 1, 5, 1), (2, 2, NULL, 6, 2), (5, 3, 5, 7, 1)",
	"INSERT INTO v VALUES (1, 1, 2, 3), (2, 5, 5, 5)",
	"INSERT INTO p VALUES ('5'), ('12.5'), (NULL)",
}

// notCompared are statements whose outcome is another each time.
var notCompared = []string{"?", "uuid()", "FOUND_ROWS()", "EXPLAIN ANALYZE", "OUTFILE"}

// compare runs the statement both ways, each on the same tables.
func (r *serverRun) compare(t *testing.T, file, line string) {
	t.Helper()
	if slices.ContainsFunc(notCompared, func(part string) bool { return strings.Contains(line, part) }) {
		return
	}
	printed, ok := r.printed(line)
	if !ok {
		return
	}
	var outcomes [2]string
	for i, text := range []string{line, printed} {
		switch file {
		case "changes":
			r.mustExec(t, "BEGIN", "SET insert_id = 100")
			outcomes[i] = r.outcome(t, file, text)
			r.mustExec(t, "ROLLBACK")
		case "definitions":
			r.mustExec(t, "DROP TEMPORARY TABLE IF EXISTS t", "DROP TABLE IF EXISTS t, u, v, p, w, person, django_session, auth_user, wp_users, sbtest1, Users")
			r.mustExec(t, serverTables[4], serverTables[5])
			outcomes[i] = r.outcome(t, file, text)
		default:
			outcomes[i] = r.outcome(t, file, text)
		}
	}
	r.compared++
	if !strings.HasPrefix(outcomes[0], "error") {
		r.accepted++
	}
	if outcomes[0] != outcomes[1] {
		t.Errorf("%s\n%s\n%s\n%s", line, outcomes[0], printed, outcomes[1])
	}
}

// printed is the statement as it is printed, its places filled with what was
// there.
func (r *serverRun) printed(line string) (string, bool) {
	all, err := Parse([]byte(line), r.modes)
	if err != nil || len(all) != 1 {
		return "", false
	}
	if stored, l, err := storedStatement(line, r.modes); err == nil {
		if slices.ContainsFunc(stored.Holes(), func(h Hole) bool { return h.Kind == HoleParam }) {
			return "", false // of a user variable, which is not printed by its name
		}
		text, err := stored.fillLiterals(nil, []byte(line), l, nil)
		return string(text), err == nil
	}
	tree, err := all[0].Tree()
	if err != nil {
		return "", false
	}
	p, err := tree.Print(r.modes)
	if err != nil {
		return "", false
	}
	return p.String(), true
}

func (r *serverRun) mustExec(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := r.conn.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// outcome is what the statement gives: rows, in their order if it has one, and
// what the tables hold or how they are defined afterwards.
func (r *serverRun) outcome(t *testing.T, file, text string) string {
	t.Helper()
	var b strings.Builder
	rows, err := r.rows(t, text)
	if err != nil {
		return "error " + serverError(err)
	}
	if !strings.Contains(strings.ToLower(text), "order by") {
		slices.Sort(rows)
	}
	fmt.Fprintln(&b, strings.Join(rows, "\n"))
	after := []string{"SELECT * FROM t ORDER BY id", "SELECT * FROM u ORDER BY id", "SELECT * FROM v ORDER BY id"}
	if file == "definitions" {
		after = []string{"SHOW CREATE TABLE t", "SHOW CREATE TABLE u", "SHOW CREATE TABLE `w`", "SHOW CREATE TABLE django_session", "SHOW CREATE TABLE auth_user", "SHOW CREATE TABLE wp_users", "SHOW CREATE TABLE person"}
	}
	for _, q := range after {
		if file == "queries" {
			break
		}
		rows, err := r.rows(t, q)
		fmt.Fprintln(&b, strings.Join(rows, "\n"), serverError(err))
	}
	return b.String()
}

func (r *serverRun) rows(t *testing.T, text string) (all []string, err error) {
	t.Helper()
	rows, err := r.conn.QueryContext(t.Context(), text)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values := make([]dbsql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := ""
		for i, v := range values {
			row += fmt.Sprintf("%s %t %q, ", columns[i].DatabaseTypeName(), v.Valid, v.String)
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// serverError is an error's number; messages quote the text.
func serverError(err error) string {
	var e *mysql.MySQLError
	switch {
	case errors.As(err, &e):
		return fmt.Sprint(e.Number)
	case err != nil:
		return err.Error()
	}
	return ""
}
