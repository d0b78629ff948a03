package server

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"testing"
	"time"

	"tunic/internal/sandbox"
)

// TestTransactionLeftOpen: while a client keeps a transaction open on a table whose layer is
// to come, or to go, the others read and write it, at both of two tunics; the job waits, and
// is done once the transaction is over, which has lost nothing. TUNIC_LONG=1 keeps it open for
// a minute.
func TestTransactionLeftOpen(t *testing.T) {
	open := 1500 * time.Millisecond
	if os.Getenv("TUNIC_LONG") != "" {
		open = time.Minute
	}
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			var dbs []*sql.DB
			for range 2 {
				proxy, _ := serveWith(t, cfg, kek)
				dbs = append(dbs, through(t, proxy.Addr().String()))
			}
			mustExec(t, dbs[0], "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))", "INSERT INTO person VALUES (-2, 'Wren'), (-1, 'Heron')")
			for i, call := range []string{"add_layer('test.person', 'name', 'equality', 'a test')", "drop_layer('test.person', 'name', 'equality')"} {
				t.Run(call[:4], func(t *testing.T) { leftOpen(t, dbs, call, open, i) })
			}
			is(t, "rows", textOf(t, dbs[1], "SELECT COUNT(*) FROM person WHERE name = 'Heron'"), "3")
		})
	}
}

// TestChildLeftOpen is TestTransactionLeftOpen for a transaction on a table that refers to the
// one whose layer is to come, and has not used that: MariaDB waits for it inside of InnoDB.
func TestChildLeftOpen(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))", "INSERT INTO person VALUES (-2, 'Wren')",
				"CREATE TABLE visit (id INT PRIMARY KEY COMMENT 'tunic: plain', person INT COMMENT 'tunic: plain', FOREIGN KEY (person) REFERENCES person (id))", "INSERT INTO visit VALUES (1, -2), (2, -2)")
			tx, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback() }()
			if _, err := tx.ExecContext(t.Context(), "DELETE FROM visit WHERE id = 2"); err != nil {
				t.Fatal(err)
			}
			done, err := db.ExecContext(t.Context(), "CALL tunic.add_layer('person', 'name', 'equality')")
			if err != nil {
				t.Fatal(err)
			}
			id := 0
			for until := time.Now().Add(4 * time.Second); time.Now().Before(until); id++ {
				if err := besideOpen(t.Context(), db, id); err != nil {
					t.Fatal("a client beside the transaction: ", err)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Error(err)
			}
			job, _ := done.LastInsertId()
			stateOf(t, db, job, "done")
		})
	}
}

// leftOpen has a job asked for at one tunic while a transaction at the other is open.
func leftOpen(t *testing.T, dbs []*sql.DB, call string, open time.Duration, round int) {
	t.Helper()
	ctx := t.Context()
	tx, err := dbs[1].BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	var names int
	if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM person WHERE name = 'Wren'").Scan(&names); err != nil || names != 1 {
		t.Fatal(names, err)
	}
	own := -10 - round
	if _, err := tx.ExecContext(ctx, "INSERT INTO person VALUES (?, 'Heron')", own); err != nil {
		t.Fatal(err)
	}
	done, err := dbs[0].ExecContext(ctx, "CALL tunic."+call)
	if err != nil {
		t.Fatal(err)
	}
	job, _ := done.LastInsertId()
	id := 1000000 * round
	for until := time.Now().Add(open); time.Now().Before(until); {
		for _, db := range dbs {
			id++
			if err := besideOpen(ctx, db, id); err != nil {
				t.Fatal("a client beside the transaction: ", err)
			}
		}
	}
	if state := textOf(t, dbs[0], "SELECT state FROM tunic.jobs WHERE id = ?", job); state[0] != "running" {
		t.Errorf("the job is %v", state)
	}
	if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM person WHERE name = 'Wren'").Scan(&names); err != nil || names != 1 {
		t.Error("the transaction goes on: ", names, err)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	stateOf(t, dbs[0], job, "done")
	is(t, "written", textOf(t, dbs[0], "SELECT name FROM person WHERE id = ?", own), "Heron")
}

// besideOpen writes and reads a row, and gives up where others have to wait for whoever has
// left a transaction open: the server says so after two seconds.
func besideOpen(ctx context.Context, db *sql.DB, id int) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	name := fmt.Sprint("number ", id)
	for _, s := range []string{
		"SET SESSION lock_wait_timeout = 2", fmt.Sprintf("INSERT INTO person VALUES (%d, '%s')", id, name), fmt.Sprintf("UPDATE person SET name = CONCAT(name, '!') WHERE id = %d", id),
	} {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	var found int
	if err := conn.QueryRowContext(ctx, "SELECT id FROM person WHERE name = ?", name+"!").Scan(&found); err != nil || found != id {
		return fmt.Errorf("the row of %d is %d: %w", id, found, err)
	}
	return nil
}
