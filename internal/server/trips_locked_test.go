package server

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/sandbox"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// lockedTables are tables whose columns are in one family, in two, each by itself, and beside a plain key.
var lockedTables = map[string]string{
	"whole": "(id INT PRIMARY KEY COMMENT 'tunic: family f', a INT COMMENT 'tunic: family f', b INT COMMENT 'tunic: family f', c INT COMMENT 'tunic: family f')",
	"part":  "(id INT PRIMARY KEY COMMENT 'tunic: apart', a INT COMMENT 'tunic: family f', b INT COMMENT 'tunic: family f', c INT COMMENT 'tunic: family g')",
	"apart": "(id INT PRIMARY KEY COMMENT 'tunic: apart', a INT COMMENT 'tunic: apart', b INT COMMENT 'tunic: apart', c INT COMMENT 'tunic: apart')",
	"free":  "(id INT PRIMARY KEY COMMENT 'tunic: plain', a INT COMMENT 'tunic: family f', b INT COMMENT 'tunic: family f', c INT COMMENT 'tunic: apart')",
}

// lockedTrip is a statement of a transaction, and how often the server is waited for.
type lockedTrip struct {
	text  string
	turns map[string]int64 // by the table, if it is not one
}

// TestRoundTripsOfLockedRows: an UPDATE of a row that the transaction has read FOR UPDATE, or written, by its key is one round
// trip if all was read that it needs; it is two behind anything that may have changed the row.
func TestRoundTripsOfLockedRows(t *testing.T) {
	const lock, add = "SELECT a FROM %s WHERE id = 1 FOR UPDATE", "UPDATE %s SET a = a + 1 WHERE id = 1"
	never, whole, split := map[string]int64{"": 2}, map[string]int64{"whole": 1, "": 2}, map[string]int64{"apart": 2, "": 1}
	all := [][]lockedTrip{
		{{lock, nil}, {add, nil}, {add, nil}},
		{{add, never}, {add, nil}, {"UPDATE %s SET a = a - 2 WHERE 1 = id", nil}},
		{{lock, nil}, {"UPDATE %s SET b = b + 1, a = a + 1 WHERE id = 1", split}, {"UPDATE %s SET b = b + 1, a = a + 1 WHERE id = 1", nil}},
		{{lock, nil}, {"UPDATE %s SET c = c + 1 WHERE id = 1", whole}, {add, nil}},
		{{lock, nil}, {"SELECT a FROM %s WHERE id = 2 FOR UPDATE", nil}, {"UPDATE %s SET a = a + 1 WHERE id = 2", nil}, {add, nil}},
		{{lock, nil}, {"SELECT a + 1, b FROM %s WHERE id = 2", nil}, {add, nil}},
		{{"SELECT a FROM %s WHERE id = 1 LOCK IN SHARE MODE", nil}, {add, never}},
		{{"SELECT a FROM %s WHERE id IN (1) FOR UPDATE", nil}, {add, never}},
		{{"SELECT a FROM %s WHERE id = 9 FOR UPDATE", nil}, {"UPDATE %s SET a = a + 1 WHERE id = 9", nil}},
		{{lock, nil}, {"UPDATE %s SET a = a + 0 WHERE id = 1", nil}, {add, nil}},
		{{lock, nil}, {"SAVEPOINT s", nil}, {add, never}},
		{{lock, nil}, {"SET @x = 1", nil}, {add, never}},
		{{lock, nil}, {"INSERT INTO %s VALUES (5, 1, 1, 1)", nil}, {add, never}},
		{{lock, nil}, {"DELETE FROM %s WHERE id = 5", nil}, {add, never}},
		{{lock, nil}, {"COMMIT", nil}, {"BEGIN", nil}, {add, never}},
		{{lock, nil}, {"SELECT twice(2), b FROM %s WHERE id = 2", never}, {add, map[string]int64{"": 3}}}, // the settings are asked for again
		{{lock + " NOWAIT", nil}, {add, nil}},
		{{lock + " SKIP LOCKED", nil}, {add, nil}},
		{{"SELECT a FROM %s WHERE id = 1 LIMIT 1 FOR UPDATE", nil}, {add, nil}},
	}
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	meter := new(trips)
	cfg.Backend.Address, cfg.Backend.TLS = meter.meter(t, cfg.Backend.Address), config.TLSDisabled
	cfg.RowCache.Bytes = 0 // no row is known that is not locked
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	root, err := sql.Open("mysql", server.DSN("root", "root", "test"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	mustExec(t, root, "CREATE FUNCTION twice(n INT) RETURNS INT NO SQL RETURN 2 * n")
	for name, of := range lockedTables {
		mustExec(t, db, "CREATE TABLE "+name+of, "INSERT INTO "+name+" VALUES (1, 1, 1, 1), (2, 2, 2, 2)")
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for round := range 3 { // what a session asks once, and has the server prepare when it comes again
			for _, steps := range all {
				execIn(t, conn, "BEGIN")
				for _, step := range steps {
					meter.turns.Store(0)
					text := step.text
					if n := len(text); n > 10 && step.text != "SAVEPOINT s" && step.text != "SET @x = 1" {
						text = fmt.Sprintf(text, name)
					}
					execIn(t, conn, text)
					want, ok := step.turns[name]
					if !ok {
						want = max(step.turns[""], 1)
					}
					if got := meter.turns.Load(); got != want && round > 1 {
						t.Errorf("%s: %s: %s: %d round trips, want %d", name, steps[0].text, text, got, want)
					}
				}
				execIn(t, conn, "ROLLBACK")
			}
		}
		_ = conn.Close()
	}
}

// TestPreparedOfLockedRows: so it is of statements that are prepared, whatever is prepared and closed in between; and a client's
// values are those of a plain server where a text has several statements, or the session begins anew.
func TestPreparedOfLockedRows(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			meter := new(trips)
			cfg.Backend.Address, cfg.Backend.TLS = meter.meter(t, cfg.Backend.Address), config.TLSDisabled
			proxy, _ := serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName, c.MultiStatements = "test", true })
			mustExec(t, db, "CREATE TABLE t "+lockedTables["whole"], "INSERT INTO t VALUES (1, 1, 1, 1)")
			conn, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			var all [2]*sql.Stmt
			for i, text := range []string{"SELECT a FROM t WHERE id = ? FOR UPDATE", "UPDATE t SET a = a + 1 WHERE id = ?"} {
				if all[i], err = conn.PrepareContext(t.Context(), text); err != nil {
					t.Fatal(err)
				}
				executePrepared(t, all[i], []any{1})
			}
			execIn(t, conn, "BEGIN")
			executePrepared(t, all[0], []any{1})
			before := meter.commands.Load()
			other, err := conn.PrepareContext(t.Context(), "DELETE FROM t WHERE id = ?")
			if err == nil {
				err = other.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, "the COM_STMT_CLOSE is sent", func() bool { return meter.commands.Load() == before+2 })
			// What the server has said before it counts as a turn of the COM_STMT_CLOSE, which nobody answers.
			meter.compare(t, "UPDATE", func() { executePrepared(t, all[1], []any{1}) }, cost{0, 1})
			execIn(t, conn, "COMMIT")
			is(t, "what was added to", textOf(t, db, "SELECT a FROM t"), "3")
			execIn(t, conn, "BEGIN; SELECT a FROM t WHERE id = 1 FOR UPDATE; DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (1, 50, 1, 1); UPDATE t SET a = a + 1 WHERE id = 1; COMMIT")
			is(t, "what was inserted anew", textOf(t, db, "SELECT a FROM t"), "51")
		})
	}
}

// TestPreparedForgotten: what the server has prepared for tunic is gone when the session begins anew, which tunic knows.
func TestPreparedForgotten(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	meter := new(trips)
	cfg.Backend.Address, cfg.Backend.TLS = meter.meter(t, cfg.Backend.Address), config.TLSDisabled
	cfg.RowCache.Bytes = 0 // each UPDATE reads its row
	proxy, _ := serveWith(t, cfg, kek)
	p := app(t, proxy.Addr().String())
	run(t, p, "CREATE TABLE t "+lockedTables["whole"])
	run(t, p, "INSERT INTO t VALUES (1, 1, 1, 1)")
	const add = "UPDATE t SET a = a + 1 WHERE id = 1"
	again := func() {
		if err := p.Command([]byte{byte(wire.ComResetConnection)}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.ReadAnswer(wire.ComResetConnection, nil); err != nil {
			t.Fatal(err)
		}
		run(t, p, "SELECT a FROM t") // the settings are asked for again
	}
	do := func() { run(t, p, add) }
	for range 3 {
		again()
		meter.compare(t, "the first", do, cost{2, 2})
		meter.compare(t, "the second, which is prepared", do, cost{2, 3})
		meter.compare(t, "the third", do, cost{2, 2})
	}
}

// TestRepeatedCounts: what a session asks about the statement before is told of one that the server has prepared as of a text.
func TestRepeatedCounts(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			root, err := sql.Open("mysql", server.DSN("root", "root", "test"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = root.Close() }()
			mustExec(t, root, "CREATE DATABASE IF NOT EXISTS bare", "CREATE TABLE bare.t (id INT PRIMARY KEY, a TINYINT)", "CREATE TABLE bare.other (n INT)", "INSERT INTO bare.other VALUES (1), (2), (3)")
			mustExec(t, root, "CREATE DATABASE IF NOT EXISTS beside", "CREATE TABLE beside.other (n INT)", "INSERT INTO beside.other VALUES (1), (2), (3)", "GRANT ALL ON *.* TO app@'%'")
			p, direct := app(t, proxy.Addr().String()), app(t, server.Addr)
			run(t, p, "CREATE TABLE t (id INT PRIMARY KEY, a TINYINT)")
			run(t, direct, "USE bare")
			for n := range 4 {
				for _, s := range []string{"INSERT INTO t VALUES (%d, 1)", "UPDATE t SET a = a + 1 WHERE id = %d", "DELETE FROM t WHERE id = %d", "INSERT INTO t VALUES (7, 1) /* %d */"} {
					for _, asks := range []string{"SELECT ROW_COUNT()", "SELECT FOUND_ROWS()", "SHOW WARNINGS", "SELECT @@warning_count, @@error_count"} {
						var answers [2]string
						for i, peer := range []*wiretest.Peer{direct, p} {
							schema := [...]string{"bare", "beside"}[i]
							_, _ = peer.Query("SELECT SQL_CALC_FOUND_ROWS n FROM " + schema + ".other LIMIT 1")
							_, failed := peer.Query(fmt.Sprintf(s, n))
							sets, err := peer.Query(asks)
							answers[i] = fmt.Sprintf("%v %v", failed, err)
							for _, set := range sets {
								answers[i] += fmt.Sprintf(" %q", set.Rows)
							}
						}
						if answers[0] != answers[1] && !strings.Contains(answers[1], "TUNIC-") {
							t.Errorf("%s, time %d: %s: %s, want %s", s, n+1, asks, answers[1], answers[0])
						}
					}
				}
			}
		})
	}
}
