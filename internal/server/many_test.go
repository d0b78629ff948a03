package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// TestManyTunics: two tunics before one database. Both change a table without end: columns,
// keys and with them layers come and go. Clients of both write and read meanwhile, in text
// and prepared, each statement by itself and in transactions. None sees an error but a
// deadlock, and each row is what was written last, through either tunic and by each way to
// find it.
func TestManyTunics(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			one, _ := serveWith(t, cfg, kek)
			two, _ := serveWith(t, cfg, kek)
			m := &many{t: t, dbs: []*sql.DB{through(t, one.Addr().String()), through(t, two.Addr().String())}}
			m.defines = m.dbs
			mustExec(t, m.dbs[0], "CREATE TABLE many (id INT PRIMARY KEY COMMENT 'tunic: plain', owner INT NOT NULL, note VARCHAR(40), seen INT NOT NULL)")
			m.run()
			if one.metrics.Replanned.Value() == 0 || two.metrics.Replanned.Value() == 0 {
				t.Error("no statement was out of date")
			}
			t.Logf("%d and %d statements were planned again", one.metrics.Replanned.Value(), two.metrics.Replanned.Value())
		})
	}
}

// TestManyTunicsByColumns is TestManyTunics for clients with privileges on single columns,
// who have none on a fence that has moved. The table gets columns, and no layers.
func TestManyTunicsByColumns(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			one, _ := serveWith(t, cfg, kek)
			two, _ := serveWith(t, cfg, kek)
			as := func(proxy *Server, user string) *sql.DB {
				db := client(t, proxy.Addr().String(), user, user, func(c *mysql.Config) { c.DBName = "test" })
				t.Cleanup(func() { _ = db.Close() })
				return db
			}
			root := as(one, "root")
			mustExec(t, root, "CREATE TABLE many (id INT PRIMARY KEY COMMENT 'tunic: plain', owner INT NOT NULL COMMENT 'tunic: apart', note VARCHAR(40) COMMENT 'tunic: apart', "+
				"seen INT NOT NULL COMMENT 'tunic: apart', KEY (owner))",
				"CREATE USER columns IDENTIFIED BY 'columns'",
				"GRANT SELECT (id, owner, note, seen), INSERT (id, owner, note, seen), UPDATE (owner, note, seen), DELETE ON many TO columns")
			m := &many{t: t, dbs: []*sql.DB{as(one, "columns"), as(two, "columns")}, defines: []*sql.DB{root, as(two, "root")}, keyless: true}
			m.run()
			if one.metrics.Replanned.Value() == 0 || two.metrics.Replanned.Value() == 0 {
				t.Error("no statement was out of date")
			}
		})
	}
}

// TestManyTunicsLeaveFamilies is TestManyTunics for a table whose columns leave their family one after the other, with which it goes.
// A transaction that began before a column was backfilled is told that the table was changed.
func TestManyTunicsLeaveFamilies(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			one, _ := serveWith(t, cfg, kek)
			two, _ := serveWith(t, cfg, kek)
			m := &many{t: t, dbs: []*sql.DB{through(t, one.Addr().String()), through(t, two.Addr().String())}, retypes: true}
			const family = " COMMENT 'tunic: family f'"
			mustExec(t, m.dbs[0], "CREATE TABLE many (id INT PRIMARY KEY COMMENT 'tunic: plain', owner INT NOT NULL"+family+", note VARCHAR(40)"+family+", seen INT NOT NULL"+family+", KEY (seen))")
			var clients, changes sync.WaitGroup
			for n := range manyWriters {
				clients.Go(func() { m.write(n, m.dbs[n%2]) })
			}
			changes.Go(func() {
				m.define(m.dbs[0], "MODIFY owner DECIMAL(20,2) NOT NULL", "ADD KEY (owner)", "MODIFY seen BIGINT NOT NULL", "DROP KEY owner")
			})
			changes.Go(func() {
				m.define(m.dbs[1], "MODIFY note VARCHAR(40) NOT NULL", "MODIFY note VARCHAR(80) COLLATE utf8mb4_bin NOT NULL")
			})
			changes.Wait()
			m.done.Store(true)
			clients.Wait()
			for i, db := range m.dbs {
				m.agrees(i, db)
			}
		})
	}
}

// define changes the table.
func (m *many) define(db *sql.DB, changes ...string) {
	for _, change := range changes {
		if _, err := db.ExecContext(m.t.Context(), "ALTER TABLE many "+change); err != nil {
			m.t.Errorf("%s: %v", change, err)
		}
	}
}

const (
	manyWriters = 4
	manyRows    = 20 // of each
	manyChanges = 4
)

// many is such a test under way.
type many struct {
	t       *testing.T
	dbs     []*sql.DB
	defines []*sql.DB // who change the table
	keyless bool      // no keys come and go
	retypes bool      // columns get other types
	done    atomic.Bool
	written [manyWriters * manyRows]int // what each row was given last, 0 if it is not there
	counts  [4]atomic.Int64
}

func (m *many) run() {
	var clients sync.WaitGroup
	for n := range manyWriters {
		clients.Go(func() { m.write(n, m.dbs[n%2]) })
	}
	var changes sync.WaitGroup
	changes.Go(func() { m.change(m.defines[0], "owner") })
	changes.Go(func() { m.change(m.defines[1], "note") })
	changes.Wait()
	m.done.Store(true)
	clients.Wait()
	m.t.Logf("%d inserts, %d updates, %d reads, %d transactions", m.counts[0].Load(), m.counts[1].Load(), m.counts[2].Load(), m.counts[3].Load())
	for i, db := range m.defines {
		m.agrees(i, db)
	}
}

// change changes the table: a key over a column comes and goes, and a column of its own.
func (m *many) change(db *sql.DB, column string) {
	for n := range manyChanges {
		for _, s := range []string{
			fmt.Sprintf("CREATE INDEX by_%s ON many (%s)", column, column),
			fmt.Sprintf("ALTER TABLE many ADD COLUMN more_%s%d VARCHAR(10)", column, n),
			fmt.Sprintf("ALTER TABLE many DROP INDEX by_%s", column),
			fmt.Sprintf("ALTER TABLE many RENAME COLUMN more_%s%d TO other_%s%d", column, n, column, n),
			fmt.Sprintf("ALTER TABLE many DROP COLUMN other_%s%d", column, n),
		} {
			if m.keyless && strings.Contains(s, "INDEX") {
				continue
			}
			if _, err := db.ExecContext(m.t.Context(), s); err != nil {
				m.t.Errorf("%s: %v", s, err)
				return
			}
		}
	}
}

// write is a client with rows of its own.
func (m *many) write(n int, db *sql.DB) {
	conn, err := db.Conn(m.t.Context())
	if err != nil {
		m.t.Error(err)
		return
	}
	defer func() { _ = conn.Close() }()
	update, err := conn.PrepareContext(m.t.Context(), "UPDATE many SET owner = ?, note = ?, seen = seen + 1 WHERE id = ?")
	if err != nil {
		m.t.Error(err)
		return
	}
	defer func() { _ = update.Close() }()
	for step := 1; !m.done.Load(); step++ {
		id := n*manyRows + step%manyRows
		if err := m.step(conn, update, id, step); err != nil && !isDeadlock(err) && !m.isRedefined(err) {
			m.t.Errorf("client %d, step %d: %v", n, step, err)
			return
		}
	}
}

func isDeadlock(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && e.Number == 1213
}

// isRedefined is of a query that names no fence, and whose table was changed before its last
// row was passed on, or of a transaction that began before a column was backfilled. A plain server knows no such error of
// these statements: what they do before they write makes no snapshot.
func (m *many) isRedefined(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && e.Number == 1412 && (m.keyless || m.retypes)
}

// step writes a row, or reads it.
func (m *many) step(conn *sql.Conn, update *sql.Stmt, id, step int) error {
	ctx := m.t.Context()
	switch {
	case m.written[id] == 0:
		m.counts[0].Add(1)
		_, err := conn.ExecContext(ctx, fmt.Sprintf("INSERT INTO many (id, owner, note, seen) VALUES (%d, %d, 'note %d', 1)", id, step, step))
		if err == nil {
			m.written[id] = step
		}
		return err
	case step%7 == 0:
		return m.copies(conn, id)
	case step%3 == 0:
		return m.inTransaction(conn, update, id, step)
	case step%3 == 1:
		m.counts[1].Add(1)
		_, err := update.ExecContext(ctx, step, fmt.Sprintf("note %d", step), id)
		if err == nil {
			m.written[id] = step
		}
		return err
	}
	m.counts[2].Add(1)
	return m.read(conn, id)
}

// copies has a row inserted by a query of the table, and deleted.
func (m *many) copies(conn *sql.Conn, id int) error {
	const apart = 100000
	_, err := conn.ExecContext(m.t.Context(), fmt.Sprintf("INSERT INTO many (id, owner, note, seen) SELECT id + %d, owner, note, seen FROM many WHERE id = %d", apart, id))
	if err != nil {
		return err
	}
	for deleted := int64(0); deleted == 0; { // after a deadlock it is there still
		done, err := conn.ExecContext(m.t.Context(), fmt.Sprintf("DELETE FROM many WHERE id = %d AND owner = %d", id+apart, m.written[id]))
		if err != nil && !isDeadlock(err) {
			return err
		}
		if err == nil {
			if deleted, err = done.RowsAffected(); err != nil || deleted != 1 {
				return fmt.Errorf("%d copies of row %d were deleted: %w", deleted, id, err)
			}
		}
	}
	return nil
}

// read finds the row by its owner.
func (m *many) read(conn *sql.Conn, id int) error {
	var note string
	err := conn.QueryRowContext(m.t.Context(), fmt.Sprintf("SELECT note FROM many WHERE owner = %d AND id = %d", m.written[id], id)).Scan(&note)
	if want := fmt.Sprintf("note %d", m.written[id]); err == nil && note != want {
		return fmt.Errorf("row %d has %q, not %q", id, note, want)
	}
	return err
}

func (m *many) inTransaction(conn *sql.Conn, update *sql.Stmt, id, step int) (err error) {
	m.counts[3].Add(1)
	ctx := m.t.Context()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if step%2 == 0 { // whose first statement has nothing to do with the table
		if _, err = tx.ExecContext(ctx, "SELECT 1"); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	if _, err = tx.StmtContext(ctx, update).ExecContext(ctx, step, fmt.Sprintf("note %d", step), id); err == nil {
		_, err = tx.ExecContext(ctx, fmt.Sprintf("UPDATE many SET owner = owner + 1000000 WHERE id = %d", id))
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, fmt.Sprintf("UPDATE many SET owner = %d WHERE owner = %d AND id = %d", step, step+1000000, id))
	}
	if err == nil {
		err = tx.Commit()
	} else {
		_ = tx.Rollback() // after a deadlock there is none
	}
	if err == nil {
		m.written[id] = step
	}
	return err
}

// agrees compares what a tunic returns with what was written: all rows, and each found by
// a token, of a layer that is made again for it.
func (m *many) agrees(tunic int, db *sql.DB) {
	mustExec(m.t, db, "CREATE INDEX by_owner ON many (owner)")
	defer mustExec(m.t, db, "DROP INDEX by_owner ON many")
	for id, step := range m.written {
		if step == 0 {
			continue
		}
		var note string
		var found int
		err := db.QueryRowContext(context.WithoutCancel(m.t.Context()), fmt.Sprintf("SELECT id, note FROM many WHERE owner = %d AND id = %d", step, id)).Scan(&found, &note)
		if err != nil || !strings.HasSuffix(note, fmt.Sprintf(" %d", step)) {
			m.t.Errorf("tunic %d, row %d: %q of step %d: %v", tunic, id, note, step, err)
		}
	}
}
