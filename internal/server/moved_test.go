package server

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/waittest"
)

// TestOfAnotherTime: a statement over a protected table that waits while a plain table gets the name, by this tunic or by another
// one, is done as on a plain server, or has to be prepared anew. What PREPARE has made is not sent as it was written: not into a
// table of that name in the schema that is current by now, nor with question marks in the place of values.
func TestOfAnotherTime(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			root := client(t, server.Addr, "root", "root", func(*mysql.Config) {})
			t.Cleanup(func() { _ = root.Close() })
			var tunics [2]*sql.DB
			for i := range tunics {
				proxy, _ := serveWith(t, cfg, kek)
				tunics[i] = through(t, proxy.Addr().String())
			}
			mustExec(t, tunics[0], "CREATE DATABASE one", "CREATE DATABASE two", "CREATE TABLE two.p"+otherTimes+")")
			for _, c := range []otherTime{
				{"INSERT INTO p VALUES (1, 7)", "two", "EXECUTE s"},
				{"INSERT INTO p VALUES (?, 7)", "two", "EXECUTE s USING @a"},
				{"INSERT INTO p VALUES (?, 7)", "one", "EXECUTE s USING @a"},
				{"UPDATE p SET v = ? WHERE id = 0", "one", "EXECUTE s USING @a"},
				{"SELECT id FROM p WHERE v = ?", "one", "EXECUTE s USING @a"},
				{"INSERT INTO p VALUES (1, 7)", "one", "EXECUTE s"},
				{"", "one", "INSERT INTO p VALUES (1, 7)"},
				{"", "one", "EXPLAIN INSERT INTO p VALUES (1, 7)"},
				{"", "one", "EXPLAIN SELECT v FROM p WHERE id = 1"},
				{"", "one", "SET @b = (SELECT MAX(v) FROM p)"},
			} {
				for _, by := range tunics {
					c.happens(t, by, tunics[1], root)
				}
			}
		})
	}
}

const otherTimes = " (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT"

// otherTime is a text that is prepared, if there is one, and a statement that is executed in a schema later.
type otherTime struct{ prepared, schema, statement string }

// happens has one tunic give the table's name to a plain one while the statement waits in another one, or the same.
func (c otherTime) happens(t *testing.T, by, in, root *sql.DB) {
	t.Helper()
	mustExec(t, by, "CREATE TABLE one.p"+otherTimes+")", "CREATE TABLE one.plain"+otherTimes+" COMMENT 'tunic: plain')")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	conn, err := in.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	before := []string{"USE one", "SET @a = 1", "SELECT 1 FROM p"}
	if c.prepared != "" {
		before = append(before, "PREPARE s FROM '"+c.prepared+"'")
	}
	for _, text := range append(before, "USE "+c.schema) {
		if _, err := conn.ExecContext(ctx, text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	holder, err := by.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback() }()
	if _, err := holder.ExecContext(ctx, "INSERT INTO one.p VALUES (9, 9)"); err != nil {
		t.Fatal(err)
	}
	renamed, done := make(chan error, 1), make(chan error, 1)
	go func() { renamed <- doneBy(by.ExecContext(ctx, "RENAME TABLE one.p TO one.gone, one.plain TO one.p")) }()
	waittest.Until(t, "the definition waits", func() bool { return waiting(t, root) })
	go func() { done <- doneBy(conn.ExecContext(ctx, c.statement)) }()
	select {
	case err := <-done:
		t.Errorf("%+v: %v before the definition", c, err)
	case <-time.After(200 * time.Millisecond): // so that it is planned, and waits
	}
	if err := holder.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-renamed; err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil && (c.prepared == "" || !isNumbered(err, 1615)) {
		t.Errorf("%+v, through another tunic %t: %v", c, by != in, err)
	}
	is(t, "rows of the other table", textOf(t, by, "SELECT COUNT(*) FROM two.p"), "0")
	mustExec(t, by, "DROP TABLE one.p, one.gone")
}
