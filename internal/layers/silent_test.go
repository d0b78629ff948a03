package layers

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"tunic/internal/racetest"
)

// halting is a Progress that stands still once, in the transaction of a chunk, as a process that is stopped does.
type halting struct {
	*kept
	inside chan struct{} // closed when it does
	goOn   chan struct{}
}

func (h *halting) Save(ctx context.Context, link Link, at Mark) error {
	select {
	case <-h.inside:
	default:
		close(h.inside)
		<-h.goOn
	}
	return h.kept.Save(ctx, link, at)
}

// TestSilent: who stands still within a chunk does not keep clients from its rows, and does the chunk again when it
// goes on.
func TestSilent(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		b.ownLayer()
		b.rows(3*chunkFirst + 7)
		h := &halting{kept: b.kept(), inside: make(chan struct{}), goOn: make(chan struct{})}
		job := b.paced(h.kept, nil)
		job.Progress = h
		ended := make(chan error, 1)
		go func() { ended <- job.Backfill(t.Context()) }()
		<-h.inside
		began := time.Now()
		b.exec("UPDATE shop.t SET more = NULL WHERE id = 1")
		if took := time.Since(began); took > silence+5*time.Second {
			t.Errorf("a client has waited for %v", took)
		}
		close(h.goOn)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if n := b.lacking(); n > 0 {
			t.Errorf("%d rows lack their token", n)
		}
	})
}

// killOthers ends the connections of the work, as a server does from which nothing has come.
func (b *bench) killOthers(own *sql.Conn) {
	b.t.Helper()
	rows, err := own.QueryContext(b.t.Context(), "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = SUBSTRING_INDEX(USER(), '@', 1) AND ID <> CONNECTION_ID()")
	if err != nil {
		b.t.Fatal(err)
	}
	var all []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			b.t.Fatal(err)
		}
		all = append(all, id)
	}
	if err := rows.Close(); err != nil {
		b.t.Fatal(err)
	}
	for _, id := range all {
		_, _ = own.ExecContext(b.t.Context(), fmt.Sprintf("KILL %d", id)) // it may have gone
	}
}

// TestClosed: work whose connection is closed goes on over another one, and ends with the error if that happens again
// and again.
func TestClosed(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		own, err := b.db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = own.Close() }()
		r := b.renewing(2*rowsBackfilled + 7)
		before := b.whole()
		cuts := 0
		r.Told = func(int) {
			if cuts++; cuts <= 2 {
				b.killOthers(own)
			}
		}
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := b.count(r); n != 0 || cuts < 2 {
			t.Errorf("%d rows are still of the old epoch, after %d cuts", n, cuts)
		}
		for id, row := range b.whole() {
			if row != before[id] {
				t.Fatalf("row %d was %+v, and is %+v", id, before[id], row)
			}
		}
	})
}

// TestClosedAgain: work whose connection is closed again and again ends.
func TestClosedAgain(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		own, err := b.db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = own.Close() }()
		b.ownLayer()
		b.rows(7)
		job := b.paced(b.kept(), func(context.Context) error {
			b.killOthers(own)
			return nil
		})
		if err := job.Backfill(t.Context()); !closed(err) {
			t.Errorf("it ends with %v", err)
		}
	})
}

// TestAwake: a pause before a chunk that is longer than the server waits for does not cost the connection.
func TestAwake(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		own, err := connect(t.Context(), b.db, nil, "SET SESSION wait_timeout = 4")
		if err != nil {
			t.Fatal(err)
		}
		defer own.close()
		if err := own.awake(t.Context(), func(ctx context.Context) error { return wait(ctx, 7*time.Second) }); err != nil {
			t.Fatal(err)
		}
		if err := own.exec(t.Context(), "DO 1"); err != nil {
			t.Error(err)
		}
	})
}
