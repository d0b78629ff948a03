package server

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"tunic/internal/waittest"
)

// TestExecuteOfAnotherTime: a statement that PREPARE has made over a protected table, and that waits while a plain table gets
// the name, is not sent as it was written: not into a table of that name in the schema that is current by now, nor with
// question marks in the place of values. It is executed as prepared, or has to be prepared anew.
func TestExecuteOfAnotherTime(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		const columns = " (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT"
		mustExec(t, db, "CREATE DATABASE one", "CREATE DATABASE two", "CREATE TABLE two.p"+columns+")")
		for _, c := range []struct{ text, schema, execute string }{
			{"INSERT INTO p VALUES (1, 7)", "two", "EXECUTE s"},
			{"INSERT INTO p VALUES (?, 7)", "two", "EXECUTE s USING @a"},
			{"INSERT INTO p VALUES (?, 7)", "one", "EXECUTE s USING @a"},
			{"UPDATE p SET v = ? WHERE id = 0", "one", "EXECUTE s USING @a"},
			{"INSERT INTO p VALUES (1, 7)", "one", "EXECUTE s"},
		} {
			mustExec(t, db, "CREATE TABLE one.p"+columns+")", "CREATE TABLE one.plain"+columns+" COMMENT 'tunic: plain')")
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			conn, err := db.Conn(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"USE one", "PREPARE s FROM '" + c.text + "'", "SET @a = 1", "USE " + c.schema} {
				if _, err := conn.ExecContext(ctx, text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			holder, err := db.BeginTx(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := holder.ExecContext(ctx, "INSERT INTO one.p VALUES (9, 9)"); err != nil {
				t.Fatal(err)
			}
			renamed, executed := make(chan error, 1), make(chan error, 1)
			go func() { renamed <- doneBy(db.ExecContext(ctx, "RENAME TABLE one.p TO one.gone, one.plain TO one.p")) }()
			waittest.Until(t, "the definition waits", func() bool { return waiting(t, root) })
			go func() { executed <- doneBy(conn.ExecContext(ctx, c.execute)) }()
			select {
			case err := <-executed:
				t.Errorf("%s in %s, %s: %v before the definition", c.text, c.schema, c.execute, err)
			case <-time.After(200 * time.Millisecond): // so that it is planned, and waits at the gate
			}
			if err := holder.Commit(); err != nil {
				t.Fatal(err)
			}
			if err := <-renamed; err != nil {
				t.Fatal(err)
			}
			if err := <-executed; err != nil && !isNumbered(err, 1615) {
				t.Errorf("%s in %s, %s: %v", c.text, c.schema, c.execute, err)
			}
			is(t, "rows of the other table", textOf(t, db, "SELECT COUNT(*) FROM two.p"), "0")
			_ = conn.Close()
			cancel()
			mustExec(t, db, "DROP TABLE one.p, one.gone")
		}
	})
}
