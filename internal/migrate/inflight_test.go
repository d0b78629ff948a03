package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/waittest"
)

// before are statements that tunic forwards while a table is plain, and of which the server comes to the table only
// when another one is free. Each has the value in it. Those that tunic cannot read are the first: it forwards them where it
// knows of no protected table of that name.
var before = []struct {
	name, text string
	prepared   bool
	only       value.Flavor // 0 is both: tunic does the same before either with the others
}{
	{name: "one that tunic cannot read", only: value.MySQL,
		text: "UPDATE aaa, person SET person.name = '%s' WHERE person.id = aaa.id AND CAST('2020' AS YEAR) = 2020"},
	{name: "another that it cannot", only: value.MariaDB,
		text: "UPDATE aaa, person SET person.name = '%s' WHERE person.id = aaa.id AND EXISTS (SELECT 1 OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY)"},
	{name: "update of two", text: "UPDATE aaa, person SET person.name = '%s' WHERE person.id = aaa.id"},
	{name: "the same, prepared", text: "UPDATE aaa, person SET person.name = ? WHERE person.id = aaa.id", prepared: true, only: value.MySQL},
	{name: "several in a text", text: "SELECT COUNT(*) FROM aaa; UPDATE person SET name = '%s' WHERE id = 1"},
	{name: "EXECUTE", text: "PREPARE s FROM 'UPDATE aaa, person SET person.name = ''%s'' WHERE person.id = aaa.id'; EXECUTE s", only: value.MySQL},
	{name: "EXECUTE IMMEDIATE", only: value.MariaDB,
		text: "EXECUTE IMMEDIATE 'UPDATE aaa, person SET person.name = ? WHERE person.id = aaa.id' USING '%s'"},
	{name: "a block", text: "BEGIN NOT ATOMIC DO (SELECT COUNT(*) FROM aaa); UPDATE person SET name = '%s' WHERE id = 1; END", only: value.MariaDB},
}

// TestInFlight: a table is not protected as long as the server may come to it by a statement that was forwarded before.
func TestInFlight(t *testing.T) {
	onServers(t, func(b *bench) {
		racetest.InOrder(b.t)
		through := 0
		for i, c := range before {
			if c.only != 0 && c.only != b.flavor {
				continue
			}
			b.person(3)
			b.exec(b.server, "DROP TABLE IF EXISTS shop.aaa", "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "INSERT INTO shop.aaa VALUES (1)")
			said := fmt.Sprintf("%s said %d", canary, i)
			run := func(ctx context.Context, conn *sql.Conn) error {
				if c.prepared {
					_, err := conn.ExecContext(ctx, c.text, said)
					return err
				}
				_, err := conn.ExecContext(ctx, fmt.Sprintf(c.text, said))
				return err
			}
			answered := b.encryptedBehind(c.name, through, run)
			if answered != nil {
				b.t.Errorf("%s: %v", c.name, answered)
			}
			for _, db := range b.tunics {
				var name string
				if err := db.QueryRowContext(b.t.Context(), "SELECT name FROM person WHERE n = 10").Scan(&name); err != nil || name != said {
					b.t.Errorf("%s: the row has %q: %v", c.name, name, err)
				}
			}
			b.isProtected("person")
			through = 1 - through
			b.exec(b.tunics[through], "DROP TABLE person") // which knows at once that there is none
		}
	})
}

// TestInFlightReads: a query that was forwarded before returns the values, and not what is stored for them later.
func TestInFlightReads(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(1)
		b.exec(b.server, "DROP TABLE IF EXISTS shop.aaa", "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "INSERT INTO shop.aaa VALUES (1)")
		var name string
		err := b.encryptedBehind("a join", 0, func(ctx context.Context, conn *sql.Conn) error {
			return conn.QueryRowContext(ctx, "SELECT name FROM aaa JOIN person USING (id)").Scan(&name)
		})
		if err != nil || name != canary+" 1" {
			b.t.Errorf("%q: %v", name, err)
		}
		b.isProtected("person")
	})
}

// TestInFlightName: a protected table without a CHECK does not get the name of a plain one that a statement may still come
// to, through whatever tunic.
func TestInFlightName(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(1)
		b.exec(b.server, "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "INSERT INTO shop.aaa VALUES (1)")
		w, end := b.work("person", "n", "name")
		defer end()
		if _, err := w.Encrypt(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		name, other := "person", "later"
		for through, renamer := range []int{1, 1} { // another tunic, and the same one
			b.exec(b.server, "CREATE TABLE shop."+other+" (id INT PRIMARY KEY, n INT, name VARCHAR(60))")
			f := b.flight(other, through, "SELECT id FROM shop.aaa FOR UPDATE", func(ctx context.Context, conn *sql.Conn) error {
				_, err := conn.ExecContext(ctx, "SELECT id FROM aaa FOR UPDATE; INSERT INTO "+other+" (id, n, name) VALUES (9, 9, '"+canary+"')")
				return err
			})
			b.exec(b.tunics[renamer], "DROP TABLE "+other)
			renamed := make(chan error, 1)
			go func() {
				_, err := b.tunics[renamer].ExecContext(b.t.Context(), "RENAME TABLE "+name+" TO "+other)
				renamed <- err
			}()
			seen := 0
			waittest.Until(b.t, "the name is about to come, and does not", func() bool {
				c := w.Ledger.Catalog()
				if c.Table("shop", other) != nil && len(c.Coming()) == 0 && c.Table("shop", name) == nil {
					b.t.Fatal("the table has the name while a statement may come to it")
				}
				seen += len(c.Coming())
				return seen > 20
			})
			b.execOn(f.locker, "ROLLBACK")
			const noTable = 1146
			if said, ok := errors.AsType[*mysql.MySQLError](<-f.answered); !ok || said.Number != noTable {
				b.t.Errorf("the statement behind was done: %v", said)
			}
			if err := <-renamed; err != nil {
				b.t.Error(err)
			}
			b.isProtected(other)
			name, other = other, name
		}
	})
}

// TestInFlightCommits: a transaction that has used the plain table goes on with it while its adoption waits; a text that
// ends the transaction and then uses the table does not come to it when it is protected.
func TestInFlightCommits(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(3)
		w, end := b.work("person", "n", "name")
		defer end()
		client := b.conn(b.tunics[0])
		b.execOn(client, "BEGIN")
		b.execOn(client, "UPDATE person SET seen = seen + 1 WHERE id = 1")
		ended := make(chan error, 1)
		go func() {
			_, err := w.Encrypt(b.t.Context())
			ended <- err
		}()
		waittest.Until(b.t, "the adoption waits for the transaction", b.waits)
		said := canary + " said"
		b.execOn(client, "COMMIT; UPDATE person SET name = '"+said+"' WHERE id = 1")
		if err := <-ended; err != nil {
			b.t.Fatal(err)
		}
		var name string
		if err := b.tunics[1].QueryRowContext(b.t.Context(), "SELECT name FROM person WHERE n = 10").Scan(&name); err != nil || name != said {
			b.t.Errorf("the row has %q: %v", name, err)
		}
		b.isProtected("person")
	})
}

// TestInFlightDeadlock: a transaction for which an adoption waits, and which the server ends by itself, goes on with
// the table as it is by then.
func TestInFlightDeadlock(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(3)
		b.exec(b.server, "CREATE TABLE shop.aaa (id INT PRIMARY KEY, n INT)", "INSERT INTO shop.aaa VALUES (1, 0), (2, 0)")
		w, end := b.work("person", "n", "name")
		defer end()
		other := b.conn(b.server)
		b.execOn(other, "BEGIN")
		for id := 100; id < 300; id++ { // who has written less is rolled back
			b.execOn(other, fmt.Sprintf("INSERT INTO shop.aaa VALUES (%d, 0)", id))
		}
		b.execOn(other, "UPDATE shop.aaa SET n = 1 WHERE id = 2")
		client := b.conn(b.tunics[0])
		b.execOn(client, "BEGIN")
		b.execOn(client, "UPDATE person SET seen = seen + 1 WHERE id = 1")
		b.execOn(client, "UPDATE aaa SET n = 2 WHERE id = 1")
		ended, waited := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := w.Encrypt(b.t.Context())
			ended <- err
		}()
		go func() {
			_, err := other.ExecContext(b.t.Context(), "UPDATE shop.aaa SET n = 1 WHERE id = 1")
			waited <- err
		}()
		waittest.Until(b.t, "a row is waited for", func() bool {
			waits, err := sandboxtest.RowWaits(b.t.Context(), b.server)
			return err == nil && waits > 0
		})
		waittest.Until(b.t, "the adoption waits for the transaction", b.waits)
		_, err := client.ExecContext(b.t.Context(), "UPDATE aaa SET n = 2 WHERE id = 2")
		if !passes(err) {
			b.t.Fatalf("no deadlock: %v", err)
		}
		said := canary + " said"
		b.execOn(client, "UPDATE person SET name = '"+said+"' WHERE id = 1")
		for _, done := range []chan error{ended, waited} {
			if err := <-done; err != nil {
				b.t.Fatal(err)
			}
		}
		b.execOn(other, "ROLLBACK")
		var name string
		var seen int
		if err := b.tunics[1].QueryRowContext(b.t.Context(), "SELECT name, seen FROM person WHERE n = 10").Scan(&name, &seen); err != nil || name != said || seen != 0 {
			b.t.Errorf("the row has %q, %d: %v", name, seen, err)
		}
		b.isProtected("person")
	})
}

// TestPreparedViewLater: a CREATE VIEW that was prepared while its table was plain does not make a view of the server's over
// stored forms.
func TestPreparedViewLater(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunics[0], "CREATE TABLE log (id INT PRIMARY KEY, x VARCHAR(9))") // so that the view's column has a protected table's name
		b.person(1)
		stmt, err := b.conn(b.tunics[0]).PrepareContext(b.t.Context(), "CREATE VIEW v AS SELECT name AS log FROM person")
		if err != nil {
			b.t.Fatal(err)
		}
		defer stmt.Close() //nolint:errcheck // with its connection
		w, end := b.work("person", "n", "name")
		defer end()
		if _, err := w.Encrypt(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		if _, err := stmt.ExecContext(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		var name string
		if err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT log FROM v").Scan(&name); err != nil || name != canary+" 1" {
			b.t.Errorf("the view has %q: %v", name, err)
		}
		b.exec(b.tunics[0], "DROP VIEW v", "DROP TABLE log")
	})
}

// TestPreparedDefinitionsLater: a definition that was prepared before another tunic changes what it reads is made as one that is
// prepared now.
func TestPreparedDefinitionsLater(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunics[0], "CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO person VALUES (1, 'one')")
		client := b.conn(b.tunics[0])
		for i, text := range []string{"CREATE OR REPLACE VIEW made AS SELECT name FROM person", "CREATE TABLE made AS SELECT name FROM person", "CREATE TABLE made LIKE person"} {
			made, err := client.PrepareContext(b.t.Context(), text)
			if err != nil {
				b.t.Fatal(err)
			}
			for n := range 2 {
				b.exec(b.tunics[1], fmt.Sprintf("ALTER TABLE person ADD COLUMN x%d_%d INT", i, n))
				if _, err := made.ExecContext(b.t.Context()); err != nil {
					b.t.Errorf("%s: %v", text, err)
				}
				b.execOn(client, "DROP "+strings.Fields(strings.Replace(text, "OR REPLACE ", "", 1))[1]+" IF EXISTS made")
			}
			if err := made.Close(); err != nil {
				b.t.Error(err)
			}
		}
	})
}

// TestInFlightCutOff: so it is where nobody waits for the answer any more, because the client has left, or its tunic was
// killed, or was told to end at once. What the statement has done at the server is there.
func TestInFlightCutOff(t *testing.T) {
	for _, c := range []struct {
		name    string
		members int64 // that are left, with the one that encrypts
		cut     func(b *bench, leave func())
	}{
		{"the client has left", 3, func(_ *bench, leave func()) { leave() }},
		{"its tunic was killed", 2, func(b *bench, _ func()) { b.end((*sandbox.Proc).Kill) }},
		{"its tunic was ended", 2, func(b *bench, _ func()) { b.end((*sandbox.Proc).Stop) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			onServers(t, func(b *bench) {
				b.person(3)
				b.exec(b.server, "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "INSERT INTO shop.aaa VALUES (1)")
				said := canary + " said"
				f := b.flight(c.name, 1, "SELECT id FROM shop.aaa FOR UPDATE", func(ctx context.Context, conn *sql.Conn) error {
					_, err := conn.ExecContext(ctx, "SELECT id FROM aaa FOR UPDATE; UPDATE person SET name = '"+said+"' WHERE id = 1")
					return err
				})
				c.cut(b, f.leave)
				if err := <-f.answered; err == nil {
					b.t.Error("the client was answered")
				}
				b.encryptedAfter(c.name, c.members, f)
				var name string
				err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT name FROM person WHERE n = 10").Scan(&name)
				if err != nil || name != said && name != canary+" 1" { // the server may have noticed that nobody is there
					b.t.Errorf("the row has %q: %v", name, err)
				}
				b.isProtected("person")
			})
		})
	}
}

// end ends the second tunic.
func (b *bench) end(how func(*sandbox.Proc) error) {
	b.t.Helper()
	if err := how(b.procs[1]); err != nil {
		b.t.Fatal(err)
	}
}

// flight is a statement that the server has, and that waits for the table aaa.
type flight struct {
	id       int64 // of its connection
	answered chan error
	leave    func() // has the client leave
	locker   *sql.Conn
}

// flight has a client of a tunic begin something that waits for the table aaa, which somebody else locks.
func (b *bench) flight(name string, through int, lock string, begin func(context.Context, *sql.Conn) error) *flight {
	b.t.Helper()
	f := &flight{answered: make(chan error, 1), locker: b.conn(b.server)}
	b.execOn(f.locker, "BEGIN")
	b.execOn(f.locker, lock)
	client := b.conn(b.tunics[through])
	if err := client.QueryRowContext(b.t.Context(), "SELECT CONNECTION_ID()").Scan(&f.id); err != nil {
		b.t.Fatal(err)
	}
	ctx, leave := context.WithCancel(b.t.Context())
	f.leave = leave
	b.t.Cleanup(leave)
	go func() { f.answered <- begin(ctx, client) }()
	waittest.Until(b.t, name+" waits", func() bool {
		select {
		case err := <-f.answered:
			b.t.Fatalf("%s was answered at once: %v", name, err)
		default:
		}
		return b.waitsForLock(f.id)
	})
	return f
}

// encryptedAfter has table person encrypted through another process, which is one of so many, and gives aaa free when that
// was tried, or when the server has ended the statement by itself.
func (b *bench) encryptedAfter(name string, members int64, f *flight) {
	b.t.Helper()
	w, end := b.work("person", "n", "name")
	defer end()
	waittest.Until(b.t, "who has gone is no member any more", func() bool { return w.Ledger.Members() == members })
	ended := make(chan error, 1)
	first := w.Ledger.Version()
	go func() {
		_, err := w.Encrypt(b.t.Context())
		ended <- err
	}()
	waittest.Until(b.t, "the encryption is tried, and given up", func() bool {
		c := w.Ledger.Catalog()
		if c.Table("shop", "person") == nil {
			return w.Ledger.Version() >= first+2
		}
		if len(c.Coming()) == 0 && b.waitsForLock(f.id) {
			b.t.Fatalf("%s: the table was adopted before it", name)
		}
		return len(c.Coming()) == 0
	})
	b.execOn(f.locker, "UNLOCK TABLES")
	b.execOn(f.locker, "ROLLBACK")
	if err := <-ended; err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
}

// encryptedBehind has a client of a tunic begin something that waits for the table aaa, and table person encrypted
// through another process. It returns what the client was told.
func (b *bench) encryptedBehind(name string, through int, begin func(context.Context, *sql.Conn) error) error {
	b.t.Helper()
	f := b.flight(name, through, "LOCK TABLES shop.aaa WRITE", begin)
	b.encryptedAfter(name, 3, f)
	return <-f.answered
}

func (b *bench) conn(db *sql.DB) *sql.Conn {
	b.t.Helper()
	conn, err := db.Conn(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func (b *bench) execOn(conn *sql.Conn, statement string) {
	b.t.Helper()
	if _, err := conn.ExecContext(b.t.Context(), statement); err != nil {
		b.t.Fatalf("%s: %v", statement, err)
	}
}

// waitsForLock reports whether a connection waits for a table, or has a statement for which a row is locked.
func (b *bench) waitsForLock(id int64) bool {
	var n int
	err := b.server.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = ?"+
		" AND (STATE LIKE 'Waiting for table%' OR INFO LIKE 'SELECT id FROM aaa FOR UPDATE%')", id).Scan(&n)
	return err == nil && n > 0
}
