package server

import (
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/pace"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/ledger/ledgertest"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/value"
)

// TestManyTunicsDecrypt: a table is decrypted by a process of its own while clients of two
// tunics write and read it. None sees an error but a deadlock, one that is of a table that was
// changed (1412), or that a statement is to be prepared again (1615), and each row is what was
// written last. At the end the server has it as a plain table.
func TestManyTunicsDecrypt(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		for name, comment := range map[string]string{"apart": "", "together": " COMMENT 'tunic: family f'"} {
			t.Run(string(flavor)+"/"+name, func(t *testing.T) {
				manyDecrypt(t, flavor, "CREATE TABLE many (id INT PRIMARY KEY COMMENT 'tunic: plain', owner INT NOT NULL"+comment+", note VARCHAR(40)"+comment+
					", seen INT NOT NULL DEFAULT '1'"+comment+", KEY (seen), KEY (owner))")
			})
		}
	}
}

func manyDecrypt(t *testing.T, flavor sandbox.Flavor, table string) {
	t.Helper()
	server, kek, cfg := protecting(t, flavor)
	one, _ := serveWith(t, cfg, kek)
	two, _ := serveWith(t, cfg, kek)
	m := &many{t: t, dbs: []*sql.DB{through(t, one.Addr().String()), through(t, two.Addr().String())}}
	mustExec(t, m.dbs[0], table)
	var before, after [2]string
	show := func(db *sql.DB, into *[2]string) {
		if err := db.QueryRowContext(t.Context(), "SHOW CREATE TABLE many").Scan(&into[0], &into[1]); err != nil {
			t.Fatal(err)
		}
	}
	show(m.dbs[0], &before)
	root, err := sql.Open("mysql", server.DSN("root", "root", "test"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	var clients sync.WaitGroup
	for n := range manyWriters {
		clients.Go(func() { m.writeOn(n, m.dbs[n%2]) })
	}
	decryptMany(t, server, kek, flavor)
	time.Sleep(time.Second) // some more as a plain table
	m.done.Store(true)
	clients.Wait()
	m.agrees(0, m.dbs[0])
	m.agrees(1, root)
	if show(root, &after); after != before {
		t.Errorf("the table is\n%s\nwas\n%s", after[1], before[1])
	}
}

// decryptMany decrypts the table as the command does.
func decryptMany(t *testing.T, server *sandbox.Server, kek *keys.KEK, flavor sandbox.Flavor) {
	t.Helper()
	db, err := sql.Open("mysql", server.DSN("tunic_service", "service", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	of := value.MySQL
	if flavor == sandbox.MariaDB {
		of = value.MariaDB
	}
	log := slog.New(slog.DiscardHandler)
	held, err := ledgertest.Open(t.Context(), ledger.Options{DB: db, KEK: kek, Types: catalog.TypesOf(of), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	d := ddl.New(ddl.Options{DB: db, Ledger: held, Policy: &policy.Policy{}, Flavor: of, Log: log})
	defer d.Close()
	if err := d.Decryption.Decrypt(t.Context(), "test", "many", pace.Pace{}, func(s decryption.Step) { t.Logf("%+v", s) }); err != nil {
		t.Error(err)
	}
}

// writeOn is write for a client that prepares its statement once, and never again.
func (m *many) writeOn(n int, db *sql.DB) {
	for step := 1; !m.done.Load(); {
		conn, err := db.Conn(m.t.Context())
		if err != nil {
			m.t.Error(err)
			return
		}
		update, err := conn.PrepareContext(m.t.Context(), "UPDATE many SET owner = ?, note = ?, seen = seen + 1 WHERE id = ?")
		for ; err == nil && !m.done.Load(); step++ {
			id := n*manyRows + step%manyRows
			if err = m.step(conn, update, id, step); err != nil && (isDeadlock(err) || isNumbered(err, 1412)) {
				err = nil
			}
		}
		if update != nil {
			_ = update.Close()
		}
		_ = conn.Close()
		if err != nil {
			m.t.Errorf("client %d, step %d: %v", n, step, err)
			return
		}
	}
}

func isNumbered(err error, number uint16) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && e.Number == number
}
