package migrate

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"tunic/internal/racetest"
	"tunic/internal/value"
	"tunic/internal/waittest"
)

// TestInFlightCall: a table is not protected as long as a procedure runs that may come to it, though it has been dropped
// meanwhile. MySQL's DROP PROCEDURE waits for it, but not behind a COMMIT in it.
func TestInFlightCall(t *testing.T) {
	onServers(t, func(b *bench) {
		racetest.InOrder(b.t)
		texts := []string{"CALL p()", "SELECT 1; CALL p()", "PREPARE c FROM 'CALL p()'; EXECUTE c", "prepared"}
		if b.flavor == value.MariaDB {
			texts = append(texts, "BEGIN NOT ATOMIC CALL p(); END", "EXECUTE IMMEDIATE 'CALL p()'")
		}
		for i, text := range texts {
			b.person(3)
			b.exec(b.server, "DROP TABLE IF EXISTS shop.aaa", "CREATE TABLE shop.aaa (id INT PRIMARY KEY)")
			said := canary + " said"
			b.exec(b.server, "CREATE PROCEDURE shop.p() BEGIN COMMIT; SELECT COUNT(*) INTO @n FROM aaa; UPDATE person SET name = '"+said+"' WHERE id = 1; END")
			f := b.flight(text, i%2, "LOCK TABLES shop.aaa WRITE", func(ctx context.Context, conn *sql.Conn) error {
				if text != "prepared" {
					_, err := conn.ExecContext(ctx, text)
					return err
				}
				stmt, err := conn.PrepareContext(ctx, "CALL p()")
				if err != nil {
					return err
				}
				defer stmt.Close() //nolint:errcheck // with its connection
				_, err = stmt.ExecContext(ctx)
				return err
			})
			b.exec(b.server, "DROP PROCEDURE shop.p")
			b.encryptedAfter(text, 3, f)
			if err := <-f.answered; err != nil {
				b.t.Errorf("%s: %v", text, err)
			}
			var name string
			if err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT name FROM person WHERE n = 10").Scan(&name); err != nil || name != said {
				b.t.Errorf("%s: the row has %q: %v", text, name, err)
			}
			b.isProtected("person")
			b.exec(b.tunics[0], "DROP TABLE person") // else its name is known from the start
		}
	})
}

// TestInFlightCallMade: nor does one come to be that is made, of the name of a plain one that was dropped: the procedure would delete
// rows by their stored forms.
func TestInFlightCallMade(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "CREATE TABLE shop.later (id INT PRIMARY KEY, v VARCHAR(9))",
			"CREATE PROCEDURE shop.p() BEGIN COMMIT; SELECT COUNT(*) INTO @n FROM aaa; DELETE FROM later WHERE v <> 'one'; END")
		f := b.flight("a CALL", 1, "LOCK TABLES shop.aaa WRITE", func(ctx context.Context, conn *sql.Conn) error {
			_, err := conn.ExecContext(ctx, "CALL p()")
			return err
		})
		b.exec(b.server, "DROP PROCEDURE shop.p", "DROP TABLE shop.later")
		made := make(chan error, 1)
		go func() {
			_, err := b.tunics[0].ExecContext(b.t.Context(), "CREATE TABLE later (id INT PRIMARY KEY, v VARCHAR(9))")
			made <- err
		}()
		select {
		case err := <-made:
			b.t.Errorf("it is made while the procedure runs: %v", err)
			made <- err
		case <-time.After(2 * time.Second):
		}
		b.execOn(f.locker, "UNLOCK TABLES")
		<-f.answered // the table was not there, or is empty
		if err := <-made; err != nil {
			b.t.Error(err)
		}
	})
}

// TestInFlightEvent: nor as long as an event runs, though it has been dropped.
func TestInFlightEvent(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(3)
		b.exec(b.server, "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "INSERT INTO shop.aaa VALUES (1)", "SET GLOBAL event_scheduler = ON")
		defer b.exec(b.server, "SET GLOBAL event_scheduler = OFF")
		said := canary + " said"
		locker := b.conn(b.server)
		b.execOn(locker, "LOCK TABLES shop.aaa WRITE")
		b.exec(b.server, "CREATE EVENT shop.e ON SCHEDULE EVERY 1 DAY DO BEGIN SELECT COUNT(*) INTO @n FROM shop.aaa; UPDATE shop.person SET name = '"+said+"' WHERE id = 1; END")
		id := int64(0)
		waittest.Until(b.t, "the event waits", func() bool {
			const waiting = "SELECT ID FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for table%'"
			return b.server.QueryRowContext(b.t.Context(), waiting).Scan(&id) == nil
		})
		b.exec(b.server, "DROP EVENT shop.e")
		b.encryptedAfter("an event", 3, &flight{id: id, locker: locker})
		var name string
		if err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT name FROM person WHERE n = 10").Scan(&name); err != nil || name != said {
			b.t.Errorf("the row has %q: %v", name, err)
		}
		b.isProtected("person")
	})
}

// TestPreparedByProgram: a statement that a program prepares or executes by its name does not come to a table that was plain when
// it was prepared, and is protected by now.
func TestPreparedByProgram(t *testing.T) {
	const statement = "UPDATE person SET name = ''" + canary + " late'' WHERE id = 1"
	for name, c := range map[string]struct {
		before, after string
		binary        bool // after is prepared over the protocol, before the table is protected
		only          value.Flavor
	}{
		"prepared by a procedure":              {before: "CALL p()", after: "EXECUTE its"},
		"executed by a procedure":              {before: "PREPARE its FROM '" + statement + "'", after: "CALL later()"},
		"by a procedure, prepared":             {before: "PREPARE its FROM '" + statement + "'", after: "CALL later()", binary: true},
		"by a procedure, prepared by its name": {before: "PREPARE its FROM '" + statement + "'; PREPARE c FROM 'CALL later()'", after: "EXECUTE c"},
		"executed by a block":                  {before: "PREPARE its FROM '" + statement + "'", after: "BEGIN NOT ATOMIC EXECUTE its; END", only: value.MariaDB},
		"executed by a branch":                 {before: "PREPARE its FROM '" + statement + "'", after: "IF 1 THEN EXECUTE its; END IF", only: value.MariaDB},
	} {
		t.Run(name, func(t *testing.T) {
			onServers(t, func(b *bench) {
				if c.only != 0 && c.only != b.flavor {
					b.t.Skip("MySQL has no such statements")
				}
				b.person(3)
				b.exec(b.server, "CREATE PROCEDURE shop.p() PREPARE its FROM '"+statement+"'")
				b.exec(b.server, "CREATE PROCEDURE shop.later() DO 0")
				client := b.conn(b.tunics[0])
				b.execOn(client, c.before)
				b.execOn(client, "EXECUTE its")
				after := func() error {
					_, err := client.ExecContext(b.t.Context(), c.after)
					return err
				}
				if c.binary {
					stmt, err := client.PrepareContext(b.t.Context(), c.after)
					if err != nil {
						b.t.Fatal(err)
					}
					defer stmt.Close() //nolint:errcheck // with its connection
					after = func() error {
						_, err := stmt.ExecContext(b.t.Context())
						return err
					}
				}
				b.exec(b.server, "DROP PROCEDURE shop.p", "DROP PROCEDURE shop.later")
				w, end := b.work("person", "n", "name")
				defer end()
				if _, err := w.Encrypt(b.t.Context()); err != nil {
					b.t.Fatal(err)
				}
				b.exec(b.server, "CREATE PROCEDURE shop.later() EXECUTE its") // it would hinder the encryption
				if after() == nil {
					b.t.Error("it is executed")
				}
				b.exec(b.server, "DROP PROCEDURE shop.later")
				b.isProtected("person")
			})
		})
	}
}
