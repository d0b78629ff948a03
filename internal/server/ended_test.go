package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// endedShapes are statements that take tunic several commands, and some that take one. They
// write k beside the row 1, which the transaction has written before.
var endedShapes = []string{
	"UPDATE k SET n = n + 1 WHERE id = 2",
	"UPDATE k SET n = n + 1 WHERE id IN (2, 3, 4)",
	"UPDATE k SET n = 70 WHERE id = 2",
	"UPDATE k SET n = n + 1, s = CONCAT(s, '!') WHERE s LIKE 't%'",
	"DELETE FROM k WHERE n + 0 = 3",
	"INSERT INTO k (id, n, s) VALUES (9, 1, 'nine')",
	"INSERT INTO k (id, n, s) VALUES (2, 5, 'again') ON DUPLICATE KEY UPDATE n = n + 1",
	"INSERT INTO k (id, n, s) VALUES (2, 5, 'again'), (10, 6, 'ten') ON DUPLICATE KEY UPDATE n = n + 1",
	"REPLACE INTO k (id, n, s) VALUES (2, 6, 'other')",
	"INSERT INTO k (id, n, s) SELECT id + 20, n, s FROM k WHERE id > 2",
	"UPDATE k JOIN l ON k.id = l.id SET k.n = k.n + 1, l.n = 0",
	"UPDATE k SET s = 'one more' WHERE n + 0 > 2 ORDER BY n + 0 LIMIT 2",
	longRows,
}

// longRows takes more than one text.
const longRows = "UPDATE w SET x = CONCAT(x, 'y') WHERE id > 0"

// endedErrors are what servers answer with when they have ended a transaction, or may have.
var endedErrors = []uint16{1213, 1047, 1205, 3101, 1180, 1317}

// ended is a client whose transactions are ended.
type ended struct {
	t     *testing.T
	ender *ender
	conn  *sql.Conn
	pool  *sql.DB
	sure  *sql.DB // used where nothing is to be struck
}

// newEnded makes the tables, and the clients; several says that those of pool send several statements
// at once.
func newEnded(t *testing.T, flavor sandbox.Flavor, galera, several bool) *ended {
	t.Helper()
	server, kek, cfg := protecting(t, flavor)
	e := &ended{t: t, ender: startEnder(t, server.Addr, galera)}
	cfg.Backend.Address, cfg.Policy.Ceiling = e.ender.Addr, config.CeilingOrder
	proxy, _ := serveWith(t, cfg, kek)
	through := func(several bool) *sql.DB {
		return client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName, c.MultiStatements = "test", several })
	}
	e.sure, e.pool = through(false), through(several)
	mustExec(t, e.sure, "CREATE TABLE k (id INT PRIMARY KEY, n INT, s VARCHAR(20), KEY (n))")
	mustExec(t, e.sure, "CREATE TABLE l (id INT PRIMARY KEY, n INT)", "CREATE TABLE w (id INT PRIMARY KEY, x MEDIUMTEXT)")
	return e
}

// TestTransactionEnded: whichever command the server answers with an error that says that the
// transaction is gone, no COMMIT is acknowledged of what is not stored, and the client gets that
// error, and no other.
func TestTransactionEnded(t *testing.T) {
	racetest.InOrder(t)
	for _, k := range []struct {
		flavor          sandbox.Flavor
		several, galera bool
	}{{sandbox.MariaDB, false, false}, {sandbox.MariaDB, true, false}, {sandbox.MariaDB, true, true}, {sandbox.MySQL, false, false}, {sandbox.MySQL, true, false}} {
		t.Run(fmt.Sprintf("%s/several %t, galera %t", k.flavor, k.several, k.galera), func(t *testing.T) {
			if testing.Short() && (k.flavor != sandbox.MariaDB || !k.several) {
				t.Skip("-short")
			}
			e := newEnded(t, k.flavor, k.galera, k.several)
			for i, shape := range endedShapes {
				for _, prepared := range []bool{false, true} {
					e.atEach(shape, prepared, i)
				}
			}
			e.ender.mu.Lock()
			defer e.ender.mu.Unlock()
			if (e.ender.joined > 0) && k.galera {
				t.Errorf("a node of a cluster was sent %d texts of several statements", e.ender.joined)
			}
		})
	}
}

// atEach has each command of a statement answered with an error: in a transaction of the
// client's, where the server ends it or does not, and without one.
func (e *ended) atEach(shape string, prepared bool, turn int) {
	e.t.Helper()
	alone, both := e.without(shape, prepared, false), e.without(shape, prepared, true)
	for at := 0; ; at++ {
		number := endedErrors[(at+turn)%len(endedErrors)]
		if at%2 == 0 {
			number = endedErrors[0]
		}
		what := fmt.Sprintf("%s (prepared %t), command %d, error %d", shape, prepared, at, number)
		more := e.inTransaction(what+", ended", shape, prepared, both, struck{at, number, true})
		e.inTransaction(what+", not ended", shape, prepared, both, struck{at, number, false})
		e.outside(what+", without a transaction", shape, prepared, alone, struck{at, number, true})
		if !more {
			return
		}
	}
}

// struck is which command is answered with which error.
type struck struct {
	at     int
	number uint16
	ends   bool
}

// run runs a statement.
func (e *ended) run(text string, prepared bool) error {
	ctx := context.Background()
	if !prepared {
		_, err := e.conn.ExecContext(ctx, text)
		return err
	}
	st, err := e.conn.PrepareContext(ctx, text)
	if err != nil {
		return err
	}
	defer st.Close()
	if !strings.HasPrefix(text, "SELECT") {
		_, err = st.ExecContext(ctx)
		return err
	}
	rows, err := st.QueryContext(ctx)
	if err != nil {
		return err
	}
	return errors.Join(rows.Close(), rows.Err())
}

// begin makes the rows anew, and connects.
func (e *ended) begin(shape string) {
	e.t.Helper()
	if shape == longRows {
		mustExec(e.t, e.sure, "REPLACE INTO w VALUES (1, REPEAT('a', 400000)), (2, REPEAT('b', 400000)), (3, REPEAT('c', 400000))")
	}
	for _, text := range []string{
		"DELETE FROM k", "DELETE FROM l", "INSERT INTO l VALUES (2, 10), (3, 20)",
		"INSERT INTO k VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four')",
	} {
		mustExec(e.t, e.sure, text)
	}
	var err error
	if e.conn, err = e.pool.Conn(context.Background()); err != nil {
		e.t.Fatal(err)
	}
	if err := e.conn.PingContext(context.Background()); err != nil {
		e.t.Fatal(err)
	}
}

// rows are what is stored.
func (e *ended) rows() (all []string) {
	e.t.Helper()
	for _, query := range []string{"SELECT CONCAT_WS(':', id, n, s) FROM k", "SELECT CONCAT_WS(':', 'l', id, n) FROM l", "SELECT CONCAT_WS(':', 'w', id, LENGTH(x)) FROM w"} {
		all = append(all, textOf(e.t, e.sure, query)...)
	}
	slices.Sort(all)
	return all
}

// first is what a transaction does before the statement.
const first = "UPDATE k SET s = 'first' WHERE id = 1"

// without is what is stored where nothing fails.
func (e *ended) without(shape string, prepared, inTransaction bool) []string {
	e.t.Helper()
	e.begin(shape)
	defer e.conn.Close()
	texts := []string{shape}
	if inTransaction {
		texts = []string{"BEGIN", first, shape, "COMMIT"}
	}
	for _, text := range texts {
		if err := e.run(text, prepared && text == shape); err != nil {
			e.t.Fatalf("%s: %v", text, err)
		}
	}
	return e.rows()
}

// checks that an error is the one that the server has answered with.
func (e *ended) told(what string, err error, want uint16) {
	e.t.Helper()
	if m, ok := errors.AsType[*mysql.MySQLError](err); !ok || m.Number != want {
		e.t.Errorf("%s: the client is told %v", what, err)
	}
}

// inTransaction has a transaction that is struck within the statement or at its COMMIT; false
// says that it has not so many commands.
func (e *ended) inTransaction(what, shape string, prepared bool, all []string, s struck) bool {
	e.t.Helper()
	e.begin(shape)
	before := e.rows()
	for _, text := range []string{"BEGIN", first} {
		if err := e.run(text, false); err != nil {
			e.t.Fatalf("%s: %v", text, err)
		}
	}
	e.ender.arm(s.at, s.number, s.ends)
	err := e.run(shape, prepared)
	if err == nil {
		err = e.run("COMMIT", false)
	}
	command, hit := e.ender.disarm()
	want := all
	if err != nil {
		e.told(what+", "+command.String(), err, s.number)
		_ = e.run("ROLLBACK", false)
		want = before
	}
	_ = e.conn.Close()
	if got := e.rows(); !slices.Equal(got, want) {
		e.t.Errorf("%s, %s: the client was told %v; stored is %v, want %v", what, command, err, got, want)
	}
	return hit
}

// outside has a statement struck that the client has no transaction around.
func (e *ended) outside(what, shape string, prepared bool, all []string, s struck) {
	e.t.Helper()
	e.begin(shape)
	before := e.rows()
	e.ender.arm(s.at, s.number, s.ends)
	err := e.run(shape, prepared)
	command, _ := e.ender.disarm()
	want := all
	if err != nil {
		e.told(what+", "+command.String(), err, s.number)
		want = before
	}
	_ = e.conn.Close()
	if got := e.rows(); !slices.Equal(got, want) {
		e.t.Errorf("%s, %s: the client was told %v; stored is %v, want %v", what, command, err, got, want)
	}
}
