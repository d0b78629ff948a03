package sandboxtest

import (
	"database/sql"
	"slices"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/waittest"
)

// TestTransactions: who has a transaction open is told at once, and so is that somebody waits for a row, however often one looks.
func TestTransactions(t *testing.T) {
	Each(t, func(t *testing.T, s *sandbox.Server) {
		db := Open(t, s.DSN("root", "root", ""))
		holder, waiter := one(t, db), one(t, db)
		holder.run("CREATE DATABASE IF NOT EXISTS shop", "DROP TABLE IF EXISTS shop.k", "CREATE TABLE shop.k (id INT PRIMARY KEY)", "INSERT INTO shop.k VALUES (1)")
		open := func(want ...uint64) {
			t.Helper()
			all, err := Transactions(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []uint64{holder.id, waiter.id} {
				if slices.Contains(all, id) != slices.Contains(want, id) {
					t.Errorf("%d and %d: %d are open, want %d", holder.id, waiter.id, all, want)
				}
			}
		}
		open()
		holder.run("BEGIN", "SELECT * FROM shop.k FOR UPDATE")
		open(holder.id)
		waited := make(chan error, 1)
		go func() {
			_, err := waiter.conn.ExecContext(t.Context(), "DELETE FROM shop.k")
			waited <- err
		}()
		waittest.Until(t, "somebody waits for the row", func() bool {
			waits, err := RowWaits(t.Context(), db)
			return err == nil && waits > 0
		})
		open(holder.id, waiter.id)
		holder.run("COMMIT")
		if err := <-waited; err != nil {
			t.Error(err)
		}
		open()
	})
}

// connection is one of a server, with its number.
type connection struct {
	t    *testing.T
	conn *sql.Conn
	id   uint64
}

func one(t *testing.T, db *sql.DB) *connection {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	c := &connection{t: t, conn: conn}
	if err := conn.QueryRowContext(t.Context(), "SELECT CONNECTION_ID()").Scan(&c.id); err != nil {
		t.Fatal(err)
	}
	return c
}

// run has statements carried out.
func (c *connection) run(statements ...string) {
	c.t.Helper()
	for _, s := range statements {
		if _, err := c.conn.ExecContext(c.t.Context(), s); err != nil {
			c.t.Fatalf("%s: %v", s, err)
		}
	}
}
