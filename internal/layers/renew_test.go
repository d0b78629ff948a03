package layers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/waittest"
)

// renewing is a bench whose table is whole, and is of another epoch now than its rows.
func (b *bench) renewing(rows int) *Renewal {
	b.t.Helper()
	b.rows(rows)
	if err := b.job().Backfill(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	next := *b.table
	next.Columns = append([]catalog.Column(nil), b.table.Columns...)
	next.Columns[1].Epoch, next.Columns[3].Epoch = 1, 1
	next.Columns[3].Backfilling = false
	b.table = &next
	return &Renewal{DB: b.db, Ring: b.ring, Table: b.table}
}

// count is how many rows have a form of another epoch.
func (b *bench) count(r *Renewal) int64 {
	b.t.Helper()
	n, err := r.Count(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestRenewal: every row has forms of the new epoch in the end, of the values that it had, and
// is otherwise as it was.
func TestRenewal(t *testing.T) {
	onServers(t, func(b *bench) {
		const rows = 2*rowsBackfilled + 7
		r := b.renewing(rows)
		before := b.whole()
		if n := b.count(r); n != rows {
			t.Errorf("%d rows are of the old epoch", n)
		}
		told := 0
		r.Told = func(rows int) { told += rows }
		for range 2 {
			if err := r.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if n := b.count(r); n != 0 || told != rows {
			t.Errorf("%d rows are still of the old epoch; %d of %d were told of", n, told, rows)
		}
		for id, row := range b.whole() {
			if row != before[id] {
				t.Errorf("row %d is %+v, was %+v", id, row, before[id])
			}
		}
		var changed int
		if err := b.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM shop.t WHERE changed <> '2001-01-01'").Scan(&changed); err != nil || changed > 0 {
			t.Errorf("%d rows say that somebody has changed them: %v", changed, err)
		}
	})
}

// TestRenewalIsCutOff: at each transaction. What was done stays done, and the next one does the
// rest.
func TestRenewalIsCutOff(t *testing.T) {
	onServers(t, func(b *bench) {
		const rows = 3*rowsBackfilled + 7
		r := b.renewing(rows)
		before := b.whole()
		cuts := 0
		for left := int64(rows); left > 0; cuts++ {
			ctx, cancel := context.WithCancel(t.Context())
			r.Told = func(int) { cancel() }
			err := r.Run(ctx)
			cancel()
			now := b.count(r)
			if now > 0 && !errors.Is(err, context.Canceled) || now >= left {
				t.Fatalf("%d rows left of %d: %v", now, left, err)
			}
			left = now
		}
		if cuts != 4 {
			t.Errorf("cut off %d times", cuts)
		}
		for id, row := range b.whole() {
			if row != before[id] {
				t.Errorf("row %d is %+v, was %+v", id, row, before[id])
			}
		}
	})
}

// TestRenewalCountsWhatMayComeBack: a server whose transactions read what others have not
// committed counts rows all the same that a client is about to delete or change.
func TestRenewalCountsWhatMayComeBack(t *testing.T) {
	onServers(t, func(b *bench) {
		r := b.renewing(3)
		var level string
		if err := b.db.QueryRowContext(t.Context(), "SELECT @@GLOBAL.transaction_isolation").Scan(&level); err != nil {
			level = "REPEATABLE READ" // MariaDB 10 calls it tx_isolation
		}
		b.exec("SET GLOBAL TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")
		defer func() { // while the connections are open; also for the tests that have the server next
			b.exec("SET GLOBAL TRANSACTION ISOLATION LEVEL " + strings.ReplaceAll(level, "-", " "))
		}()
		b.db.SetMaxIdleConns(0) // each query is one of a new session
		tx, err := b.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.ExecContext(t.Context(), "DELETE FROM shop.t"); err != nil {
			t.Fatal(err)
		}
		if n := b.count(r); n != 3 {
			t.Errorf("%d rows are of the old epoch while a client deletes 3", n)
		}
	})
}

// TestRenewalLeavesNewerValues: a form is put in the place of the very one that was read.
func TestRenewalLeavesNewerValues(t *testing.T) {
	onServers(t, func(b *bench) {
		r := b.renewing(3)
		w, err := r.worker()
		if err != nil {
			t.Fatal(err)
		}
		own, err := connect(t.Context(), b.db, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer own.close()
		w.link = own
		batch, err := w.read(t.Context(), w.selectSome(w.older(), nil, rowsBackfilled))
		if err != nil || len(batch) != 3 {
			t.Fatal(len(batch), err)
		}
		b.exec(fmt.Sprintf("UPDATE shop.t SET k = %s, `k$eq` = %s WHERE id = 2", b.sealed(77), b.token(77)))
		if n, err := w.seal(t.Context(), own, batch); err != nil || n != 2 {
			t.Errorf("%d rows sealed, %v", n, err)
		}
		if all := b.whole(); all[2].k != string(canonical(77)) || all[1].k != string(canonical(1)) {
			t.Errorf("%+v", all)
		}
	})
}

// TestRenewalWaitsForLockedRows: nobody is in its way, and it is in nobody's.
func TestRenewalWaitsForLockedRows(t *testing.T) {
	onServers(t, func(b *bench) {
		r := b.renewing(20)
		tx, err := b.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), fmt.Sprintf("UPDATE shop.t SET k = %s, `k$eq` = %s WHERE id = 7", b.sealed(77), b.token(77))); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()
		waittest.Until(t, "one row is left", func() bool { return b.count(r) <= 1 })
		b.exec("UPDATE shop.t SET changed = changed WHERE id = 8")
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil || b.count(r) != 0 {
			t.Errorf("%v; %d rows left", err, b.count(r))
		}
		if all := b.whole(); all[7].k != string(canonical(7)) {
			t.Errorf("%+v", all[7])
		}
	})
}

// TestRenewalMeetsForeignForms: what does not open is told, and stays as it is.
func TestRenewalMeetsForeignForms(t *testing.T) {
	onServers(t, func(b *bench) {
		r := b.renewing(3)
		b.exec("UPDATE shop.t SET k = CONCAT(LEFT(k, 20), 'nineteen bytes here') WHERE id = 2")
		if err := r.Run(t.Context()); !errors.Is(err, ErrForeign) {
			t.Errorf("%v", err)
		}
		if n := b.count(r); n != 3 {
			t.Errorf("%d rows are of the old epoch", n)
		}
	})
}

// TestRenewalOfAnotherRevision: a Renewal of a table that has moved on writes nothing.
func TestRenewalOfAnotherRevision(t *testing.T) {
	onServers(t, func(b *bench) {
		r := b.renewing(3)
		next := *b.table
		next.Revision++
		b.exec("ALTER TABLE shop.t RENAME COLUMN `" + b.table.Fence() + "` TO `" + next.Fence() + "`")
		if err := r.Run(t.Context()); err == nil {
			t.Error("no error")
		}
		r.Table = &next
		if n := b.count(r); n != 3 {
			t.Errorf("%d rows are of the old epoch", n)
		}
	})
}
