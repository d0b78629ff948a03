package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// hostile are statements of people that are long or deep, by what they have much of. What is
// $ in them is the table.
func hostile() [][2]string {
	nest := func(open, inside, shut string, n int) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(shut, n)
	}
	var values, rows strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&values, ", 'v%d'", i)
		fmt.Fprintf(&rows, ", (%d, 'n%d', %d)", i+100, i, i%90)
	}
	return [][2]string{
		{"parentheses", "SELECT name FROM $ WHERE " + nest("(", "age = 3", ")", 1000)},
		{"negations", "SELECT name FROM $ WHERE " + nest("NOT ", "age = 3", "", 1000) + " AND id < 99"},
		{"alternatives", "SELECT name FROM $ WHERE age = 1" + nest(" OR age = 3", "", "", 1000) + " ORDER BY name"},
		{"conditions", "SELECT name FROM $ WHERE age > 0" + nest(" AND age <> 2", "", "", 1000) + " ORDER BY name"},
		{"sums", "SELECT age" + nest(" + age", "", "", 1000) + " FROM $ WHERE id < 9 ORDER BY id"},
		{"cases", "SELECT " + nest("CASE WHEN age > 0 THEN ", "age", " END", 1000) + " FROM $ WHERE id < 9 ORDER BY id"},
		{"calls", "SELECT " + nest("ABS(", "age", ")", 1000) + " FROM $ WHERE id < 9 ORDER BY id"},
		{"unions", "SELECT name FROM $ WHERE id = 1" + nest(" UNION SELECT name FROM $ WHERE id = 2", "", "", 200) + " ORDER BY 1"},
		{"a list as a table", "SELECT name FROM $ JOIN (SELECT 1 AS k" + nest(" UNION ALL SELECT 3", "", "", 300) + ") AS l ON k = id ORDER BY 1"},
		{"subqueries", nest("SELECT name FROM $ WHERE id IN (SELECT id FROM $ WHERE id IN (", "SELECT id FROM $ WHERE id = 3", "))", 500)},
		{"scalar subqueries", "SELECT " + nest("(SELECT ", "(SELECT age FROM $ WHERE id = 3)", ")", 1000)},
		{"derived tables", nest("SELECT * FROM (", "SELECT name FROM $ WHERE id = 3", ") AS x", 50)},
		{"joins", "SELECT COUNT(*) FROM $ AS p" + nest(" JOIN $ USING (id)", "", "", 1000)},
		{"words", "SELECT id FROM $ WHERE name IN ('ann'" + values.String() + ") ORDER BY id"},
		{"words to exclude", "SELECT id FROM $ WHERE name NOT IN ('ann'" + values.String() + ") ORDER BY id"},
		{"rows", "INSERT INTO $ VALUES (99, 'zoe', 1)" + rows.String()},
		{"a long word", "SELECT COUNT(*) FROM $ WHERE name = '" + strings.Repeat("x", 1<<20) + "'"},
		{"a long pattern", "SELECT COUNT(*) FROM $ WHERE name LIKE '" + strings.Repeat("%y", 1<<12) + "'"},
		{"a long name", "SELECT COUNT(*) FROM $ WHERE " + strings.Repeat("n", 1<<20) + " = 1"},
		{"a long comment", "SELECT /* " + strings.Repeat("x", 1<<20) + " */ COUNT(*) FROM $ WHERE id < 9"},
		{"spaces", "SELECT" + strings.Repeat(" ", 1<<20) + "COUNT(*) FROM $ WHERE id < 9"},
		{"columns", "SELECT name" + nest(", name", "", "", 4000) + " FROM $ WHERE id < 9 ORDER BY id"},
		{"too many columns", "SELECT name" + nest(", name", "", "", 5000) + " FROM $ WHERE id < 9 ORDER BY id"},
		{"quotes", "SELECT name FROM $ WHERE name = " + nest("'", "", "", 1<<20-1)},
		{"changes", "UPDATE $ SET age = age" + nest(" + 0", "", "", 500) + " WHERE id = 1"},
	}
}

// TestHostile: what is long or deep is answered as the server answers it for a plain table, or
// refused, in bounded time and within a stack of 64 MiB; the session goes on.
func TestHostile(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			t.Parallel()
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			plain, protected := oneSession(t, server.Addr), oneSession(t, proxy.Addr().String())
			for table, session := range map[string]*sql.Conn{"plain": plain, "protected": protected} {
				for _, s := range []string{
					"CREATE TABLE $ (id INT PRIMARY KEY, name VARCHAR(60), age INT)",
					"INSERT INTO $ VALUES (1, 'ann', 1), (2, 'bob', 2), (3, 'cid', 3), (4, NULL, NULL)",
				} {
					if _, err := session.ExecContext(t.Context(), strings.ReplaceAll(s, "$", table)); err != nil {
						t.Fatal(err)
					}
				}
			}
			answered := 0
			for _, h := range hostile() {
				what, statement := h[0], h[1]
				want, wantErr := answer(t, plain, strings.ReplaceAll(statement, "$", "plain"))
				asked := time.Now()
				got, err := answer(t, protected, strings.ReplaceAll(statement, "$", "protected"))
				switch {
				case isRefusal(err):
					t.Logf("%s: refused after %v: %v", what, time.Since(asked).Round(time.Millisecond), err)
				case number(err) != number(wantErr) || got != want:
					t.Errorf("%s: %.100s, %v; the server says %.100s, %v", what, got, err, want, wantErr)
				default:
					answered++
				}
			}
			if answered < 15 {
				t.Errorf("only %d were answered", answered)
			}
		})
	}
}

// oneSession is one connection, which a statement that ends it would leave broken.
func oneSession(t *testing.T, addr string) *sql.Conn {
	t.Helper()
	db := client(t, addr, "app", "app", func(c *mysql.Config) { c.DBName, c.InterpolateParams = "test", true })
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// answer is the rows of a statement, one text each, within a minute.
func answer(t *testing.T, session *sql.Conn, statement string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	rows, err := session.QueryContext(ctx, statement)
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var all strings.Builder
	cells, places := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range cells {
		places[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return "", err
		}
		fmt.Fprintln(&all, cells)
	}
	return all.String(), rows.Err()
}

// number is the number of an error of the server's or tunic's, 0 if there is none.
func number(err error) uint16 {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return e.Number
	}
	if err != nil {
		return 0xFFFF
	}
	return 0
}

// isRefusal reports whether tunic says that it does not do this.
func isRefusal(err error) bool {
	var e *mysql.MySQLError
	return errors.As(err, &e) && strings.Contains(e.Message, "TUNIC-2")
}

// TestPastTheBudget: a statement that would have to keep or read more than it may is refused
// with the layer that would help, takes no memory for it, and leaves the session as it was.
func TestPastTheBudget(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Policy.Ceiling = "equality"
	cfg.Local.Rows, cfg.Local.Bytes, cfg.Local.TotalBytes = 60_000, 1<<20, 2<<20
	proxy, _ := serveWith(t, cfg, kek)
	session := oneSession(t, proxy.Addr().String())
	fill(t, session, "CREATE TABLE many (id INT PRIMARY KEY, word VARCHAR(200), k INT)", 50_000)
	before := heap()
	for statement, help := range map[string]string{
		"SELECT * FROM many ORDER BY word":                                                       "as test.many.word has no order layer",
		"SELECT k, COUNT(*) FROM many GROUP BY CONCAT(word, k), k":                               "",
		"SELECT COUNT(*) FROM many a JOIN many b ON a.k < b.k":                                   "",
		"SELECT word FROM many WHERE k > 5 UNION SELECT word FROM many":                          "",
		"SELECT word, RANK() OVER (ORDER BY k) FROM many":                                        "",
		"SELECT GROUP_CONCAT(DISTINCT word) FROM many":                                           "",
		"SELECT COUNT(*) FROM many WHERE word LIKE 'x%' OR id IN (SELECT k FROM many)":           "",
		"WITH RECURSIVE r AS (SELECT k FROM many UNION ALL SELECT k + 1 FROM r) SELECT * FROM r": "",
	} {
		started := time.Now()
		_, err := answer(t, session, statement)
		if !isRefusal(err) || !strings.Contains(err.Error(), help) {
			t.Errorf("%s: %v", statement, err)
		}
		t.Logf("%s: %v after %v", statement, err, time.Since(started).Round(time.Millisecond))
	}
	if grown := heap() - before; grown > 16<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if got, err := answer(t, session, "SELECT word FROM many WHERE id = 3"); err != nil || !strings.Contains(got, "word 3 ") {
		t.Errorf("%s, %v", got, err)
	}
}

// fill makes a table of so many rows.
func fill(t *testing.T, session *sql.Conn, definition string, rows int) {
	t.Helper()
	if _, err := session.ExecContext(t.Context(), definition); err != nil {
		t.Fatal(err)
	}
	for from := 0; from < rows; from += 5000 {
		var s strings.Builder
		s.WriteString("INSERT INTO many VALUES ")
		for i := from; i < from+5000; i++ {
			fmt.Fprintf(&s, "%s(%d, 'word %d %s', %d)", map[bool]string{true: ", "}[i > from], i, i, strings.Repeat("x", i%90), i%5000)
		}
		if _, err := session.ExecContext(t.Context(), s.String()); err != nil {
			t.Fatal(err)
		}
	}
}

// heap is what is in use after a collection, in bytes.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
