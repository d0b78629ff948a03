package layers

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/policy"
)

// TestBackfill: every row gets what it lacks and keeps what it has, across the bounds of
// what is done at a time, and again without harm.
func TestBackfill(t *testing.T) {
	onServers(t, func(b *bench) {
		const rows = 2*rowsBackfilled + 7
		b.rows(rows)
		b.exec(fmt.Sprintf("UPDATE shop.t SET `k$eq` = %s, changed = changed WHERE id = 5", b.token(5))) // filled before
		for range 2 {
			if err := b.job().Backfill(t.Context()); err != nil {
				t.Fatal(err)
			}
			all := b.whole()
			for id := 1; id <= rows; id++ {
				want := found{string(canonical(id)), "then"}
				if id%10 == 0 {
					want.k = "NULL"
				}
				if all[id] != want {
					t.Fatalf("row %d is %+v", id, all[id])
				}
			}
		}
		var changed int
		if err := b.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM shop.t WHERE changed <> '2001-01-01'").Scan(&changed); err != nil || changed > 0 {
			t.Errorf("%d rows say that somebody has changed them: %v", changed, err)
		}
	})
}

// TestBackfillLog: the log has the number of the table's rows, though each is gone through twice.
func TestBackfillLog(t *testing.T) {
	onServers(t, func(b *bench) {
		b.rows(7)
		var log bytes.Buffer
		job := b.job()
		job.Log = slog.New(slog.NewTextHandler(&log, nil))
		if err := job.Backfill(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(log.String(), "rows=7 filled=7 ") {
			t.Errorf("of 7 rows the log says: %s", log.String())
		}
	})
}

// TestBackfillNothing: an empty table is full.
func TestBackfillNothing(t *testing.T) {
	onServers(t, func(b *bench) {
		if err := b.job().Backfill(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestBackfillBesideClients: what clients write while a table is filled, with all forms as
// they do, stays what they have written; none of them is turned away for it.
func TestBackfillBesideClients(t *testing.T) {
	onServers(t, func(b *bench) {
		const rows, clients = 3 * rowsBackfilled, 3
		b.rows(rows)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		last := make([]map[int]int, clients) // by row: what the client has written last
		var written atomic.Int64
		for i := range clients {
			last[i] = map[int]int{}
			wg.Go(func() { b.write(i, clients, rows, last[i], &written, stop) })
		}
		for written.Load() < 50 {
			time.Sleep(time.Millisecond)
		}
		err := b.job().Backfill(t.Context())
		close(stop)
		wg.Wait()
		if err != nil {
			t.Fatal(err)
		}
		all := b.whole()
		for i := range clients {
			for id, n := range last[i] {
				row, there := all[id]
				if (n < 0) == there || there && row.k != string(canonical(n)) {
					t.Errorf("row %d is %+v (%v); %d was written", id, row, there, n)
				}
			}
		}
	})
}

// write changes, adds and deletes rows until it is stopped, those whose number is i
// modulo n, in transactions of several that are in no order of the key.
func (b *bench) write(i, n, rows int, last map[int]int, written *atomic.Int64, stop chan struct{}) {
	random := rand.New(rand.NewPCG(1, uint64(i)))
	moreToken, _ := b.column(3).AppendToken(nil, policy.Equality, []byte("new"))
	for {
		select {
		case <-stop:
			return
		default:
		}
		tx, err := b.db.BeginTx(context.Background(), nil)
		if err != nil {
			b.t.Error(err)
			return
		}
		now := map[int]int{}
		for range 1 + random.IntN(5) {
			id := (1+random.IntN(2*rows))/n*n + i + 1
			v := random.IntN(1e6)
			more, _ := b.column(3).AppendSealed(nil, []byte("new"))
			statement := fmt.Sprintf("REPLACE INTO shop.t (id, k, `k$eq`, more, `more$eq`) VALUES (%d, %s, %s, x'%x', x'%x')", id, b.sealed(v), b.token(v), more, moreToken)
			switch {
			case random.IntN(8) == 0:
				statement, v = fmt.Sprintf("DELETE FROM shop.t WHERE id = %d", id), -1
			case id <= rows && random.IntN(2) == 0 && last[id] >= 0 && now[id] >= 0:
				statement = fmt.Sprintf("UPDATE shop.t SET k = %s, `k$eq` = %s WHERE id = %d", b.sealed(v), b.token(v), id)
			}
			if _, err := tx.ExecContext(context.Background(), statement); err != nil {
				b.t.Errorf("a client: %v", err)
			}
			now[id] = v
		}
		if err := tx.Commit(); err != nil {
			b.t.Error(err)
		}
		for id, v := range now {
			last[id] = v
		}
		written.Add(1)
	}
}

// TestLockedRows: rows that a client has locked are filled when it lets go of them,
// and nobody waits for them meanwhile.
func TestLockedRows(t *testing.T) {
	onServers(t, func(b *bench) {
		b.rows(20)
		tx, err := b.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), fmt.Sprintf("UPDATE shop.t SET k = %s, `k$eq` = %s WHERE id = 7", b.sealed(70), b.token(70))); err != nil {
			t.Fatal(err)
		}
		done, told := make(chan error, 1), make(chan int, 1)
		job := b.job()
		job.Locked = func(rows int) {
			select {
			case told <- rows:
			default:
			}
		}
		go func() { done <- job.Backfill(t.Context()) }()
		if n := <-told; n != 1 {
			t.Errorf("it waits for %d rows", n)
		}
		b.waitForLast()
		select {
		case err := <-done:
			t.Fatalf("it ends while a row lacks something: %v", err)
		default:
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if row := b.whole()[7]; row != (found{string(canonical(70)), "then"}) {
			t.Errorf("row 7 is %+v", row)
		}
	})
}

// TestManyLockedRows: a client may lock rows by the thousand, which are then not filled one by
// one.
func TestManyLockedRows(t *testing.T) {
	onServers(t, func(b *bench) {
		const rows, locked, most = 3000, 2000, 200
		b.rows(rows)
		b.ownLayer()
		tx, err := b.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), fmt.Sprintf("SELECT id FROM shop.t WHERE id <= %d FOR UPDATE", locked)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- b.paced(b.kept(), nil).Backfill(t.Context()) }()
		for lacking := b.lacking(); lacking > locked; lacking = b.lacking() {
			time.Sleep(time.Millisecond)
		}
		before := b.commits()
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if n := b.commits() - before; n > most {
			t.Errorf("%d transactions for %d rows, and a look at all", n, locked)
		}
		if n := b.lacking(); n != 0 {
			t.Errorf("%d rows lack their token", n)
		}
	})
}

// commits is how often the server was told to commit.
func (b *bench) commits() (n int) {
	b.t.Helper()
	var name string
	if err := b.db.QueryRowContext(b.t.Context(), "SHOW GLOBAL STATUS LIKE 'Com_commit'").Scan(&name, &n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// waitForLast waits until one row lacks something.
func (b *bench) waitForLast() {
	b.t.Helper()
	for left := 0; left != 1; {
		if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM shop.t WHERE more IS NULL").Scan(&left); err != nil {
			b.t.Fatal(err)
		}
	}
}

// TestStopped: filling ends when it is told to, and goes on from there.
func TestStopped(t *testing.T) {
	onServers(t, func(b *bench) {
		b.rows(20)
		tx, err := b.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), "SELECT id FROM shop.t WHERE id = 7 FOR UPDATE"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- b.job().Backfill(ctx) }()
		b.waitForLast()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) && !errors.Is(err, driver.ErrBadConn) { // the driver closes what it was busy with
			t.Errorf("it ends with %v", err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		if err := b.job().Backfill(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.whole()
	})
}

// TestForeignRows: what tunic has not written is found, whether it is filled or only
// looked at, and no error says a value.
func TestForeignRows(t *testing.T) {
	onServers(t, func(b *bench) {
		b.rows(3)
		for what, c := range map[string]struct {
			tamper, restore string
			err             error
		}{
			"a sealed form of another column": {"UPDATE shop.t SET k = REVERSE(k) WHERE id = 2", "UPDATE shop.t SET k = REVERSE(k) WHERE id = 2", ErrForeign},
			"a token of another value":        {fmt.Sprintf("UPDATE shop.t SET `k$eq` = %s WHERE id = 2", b.token(99)), "UPDATE shop.t SET `k$eq` = NULL WHERE id = 2", ErrForeignWrite},
			"a token of nothing":              {fmt.Sprintf("UPDATE shop.t SET `k$eq` = %s, k = NULL WHERE id = 2", b.token(2)), fmt.Sprintf("UPDATE shop.t SET `k$eq` = NULL, k = %s WHERE id = 2", b.sealed(2)), ErrForeignWrite},
		} {
			if err := b.job().Backfill(t.Context()); err != nil {
				t.Fatalf("before %s: %v", what, err)
			}
			b.exec(c.tamper)
			if err := b.job().Backfill(t.Context()); !errors.Is(err, c.err) {
				t.Errorf("%s: %v", what, err)
			}
			b.exec(c.restore)
		}
	})
}
