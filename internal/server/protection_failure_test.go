package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestTamperedCells: a stored value that somebody has changed, or put in another
// place, is an error and counts; no value is told.
func TestTamperedCells(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE cells (id INT AUTO_INCREMENT PRIMARY KEY, a INT COMMENT 'tunic: apart', b INT COMMENT 'tunic: apart')", "INSERT INTO cells VALUES (1, 11, 12), (2, 21, 22), (3, 31, 32), (4, 41, 42)")
	root := client(t, server.Addr, "root", "root", func(c *mysql.Config) { c.DBName = "test" })
	t.Cleanup(func() { _ = root.Close() })
	var cell []byte
	if err := root.QueryRowContext(t.Context(), "SELECT a FROM cells WHERE id = 1").Scan(&cell); err != nil {
		t.Fatal(err)
	}
	cell[20] ^= 1
	mustExec(t, root, fmt.Sprintf("UPDATE cells SET a = x'%x' WHERE id = 1", cell), "UPDATE cells SET b = a WHERE id = 2",
		"UPDATE cells SET a = INSERT(a, 2, 2, x'0001') WHERE id = 3")
	for i, id := range []int{1, 2, 3} {
		for _, query := range []string{"SELECT a, b FROM cells WHERE id = %d", "SELECT a + b, id FROM cells WHERE id = %d"} {
			var a, b int
			err := db.QueryRowContext(t.Context(), fmt.Sprintf(query, id)).Scan(&a, &b)
			if e, ok := errors.AsType[*mysql.MySQLError](err); !ok || e.Number != 1815 {
				t.Errorf("row %d: %d, %d, %v", id, a, b, err)
			}
		}
		if got := proxy.metrics.OpenFailures.Value(); got != uint64(2*(i+1)) {
			t.Errorf("%d failures are counted after row %d", got, id)
		}
	}
	var a, b int
	if err := db.QueryRowContext(t.Context(), "SELECT a, b FROM cells WHERE id = 4").Scan(&a, &b); err != nil || a != 41 || b != 42 {
		t.Errorf("a row that nobody has changed: %d, %d, %v", a, b, err)
	}
}

// TestServerKilledUnderLoad: while the server is killed and started again, clients get
// errors; afterwards they work again, and every row that was acknowledged is there.
func TestServerKilledUnderLoad(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB, sandboxtest.Args("--innodb-flush-log-at-trx-commit=1"))
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY, k INT NOT NULL, v VARCHAR(20), KEY (k))")
	mustExec(t, db, "INSERT INTO kept VALUES (0, 0, 'counter')")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var load loadOfRows
	stop := load.start(ctx, db, 6)
	waittest.Until(t, "rows are written", func() bool { return load.acknowledged.Load() > 200 })
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	before := load.acknowledged.Load()
	waittest.Until(t, "rows are written again", func() bool { return load.acknowledged.Load() > before+200 })
	stop()
	if load.failed.Load() == 0 {
		t.Error("nobody has noticed that the server was gone")
	}
	load.check(t, db)
}

// loadOfRows writes rows and counts up one, in turns, and keeps what was
// acknowledged.
type loadOfRows struct {
	next, acknowledged, failed atomic.Int64
	counted, unsure            atomic.Int64
	rows                       sync.Map
}

func (l *loadOfRows) start(ctx context.Context, db *sql.DB, writers int) (stop func()) {
	over := make(chan struct{})
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					l.write(ctx, db)
				}
			}
		})
	}
	return func() { close(over); all.Wait() }
}

func (l *loadOfRows) write(ctx context.Context, db *sql.DB) {
	id := l.next.Add(1)
	if _, err := db.ExecContext(ctx, "INSERT INTO kept VALUES (?, ?, ?)", id, id*7, "row"); err != nil {
		l.failed.Add(1)
		time.Sleep(time.Millisecond)
		return
	}
	l.rows.Store(id, struct{}{})
	l.acknowledged.Add(1)
	if _, err := db.ExecContext(ctx, "UPDATE kept SET k = k + 1 WHERE id = 0"); err == nil {
		l.counted.Add(1)
	} else {
		l.failed.Add(1)
		l.unsure.Add(1)
	}
}

// check looks for every row by its key and by its layer, and at the counter: it has
// counted what was acknowledged, and may have counted what nobody knows of.
func (l *loadOfRows) check(t *testing.T, db *sql.DB) {
	t.Helper()
	l.rows.Range(func(id, _ any) bool {
		var found int64
		n := id.(int64)
		if err := db.QueryRowContext(t.Context(), "SELECT id FROM kept WHERE k = ? AND v = 'row'", n*7).Scan(&found); err != nil || found != n {
			t.Errorf("row %d: %d, %v", n, found, err)
		}
		return !t.Failed()
	})
	var counter int64
	if err := db.QueryRowContext(t.Context(), "SELECT k FROM kept WHERE id = 0").Scan(&counter); err != nil {
		t.Fatal(err)
	}
	if counter < l.counted.Load() || counter > l.counted.Load()+l.unsure.Load() {
		t.Errorf("counted up to %d by %d that were acknowledged and %d of which nobody knows", counter, l.counted.Load(), l.unsure.Load())
	}
}
