package jobs

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/ledger/ledgertest"
	"tunic/internal/metrics"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// bench is a server with an empty ledger, and a table that jobs count rows in.
type bench struct {
	t   *testing.T
	s   *sandbox.Server
	db  *sql.DB
	kek *keys.KEK
}

func onServers(t *testing.T, test func(*bench)) {
	t.Helper()
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		b := &bench{t: t, s: s}
		b.db = b.connect("root", "root")
		b.exec("DROP DATABASE IF EXISTS "+catalog.Schema, "DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop", "CREATE TABLE shop.done (n INT PRIMARY KEY)")
		var err error
		if b.kek, err = keys.NewKEK(); err != nil {
			t.Fatal(err)
		}
		test(b)
	})
}

func (b *bench) connect(user, password string) *sql.DB {
	b.t.Helper()
	db, err := sql.Open("mysql", b.s.DSN(user, password, ""))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = db.Close() })
	return db
}

func (b *bench) exec(statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := b.db.ExecContext(context.Background(), s); err != nil {
			b.t.Fatalf("%s: %v", s, err)
		}
	}
}

func (b *bench) number(query string) (n int) {
	b.t.Helper()
	if err := b.db.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// tunic is one of several processes on one ledger, as far as jobs see it.
type tunic struct {
	*Runner
	db     *sql.DB
	ledger *ledger.Ledger
	closed bool
}

// tunic begins one that works by an account. Its connections are its own, to be cut.
func (b *bench) tunic(user, password string, kinds ...Kind) *tunic {
	b.t.Helper()
	u := &tunic{db: b.connect(user, password)}
	var err error
	u.ledger, err = ledgertest.Open(b.t.Context(), ledger.Options{
		DB: u.db, KEK: b.kek, Types: catalog.TypesOf(0), Wait: 30 * time.Second, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	u.Runner = New(b.t.Context(), Options{Ledger: u.ledger, Log: slog.New(slog.DiscardHandler), Metrics: &new(metrics.Metrics).Jobs, look: 100 * time.Millisecond}, kinds...)
	b.t.Cleanup(u.close)
	return u
}

func (u *tunic) close() {
	if !u.closed {
		u.closed = true
		u.Runner.Close()
		u.ledger.Close()
		_ = u.db.Close()
	}
}

// counter is a kind that counts to a number, one transaction each, and takes the numbers
// away if it is cancelled. A number is inserted without a look whether it is there: who
// goes on at a wrong place gets a duplicate, and leaves a hole if he is too far.
type counter struct {
	name string
	to   int
	// at is called before each number.
	at func(ctx context.Context, n int) error
	// db is what it works with.
	db func() *sql.DB
}

func (c counter) kind() Kind {
	return Kind{
		Name: c.name,
		Stages: []Stage{
			{Name: "begin", Run: func(ctx context.Context, w *Work) error { return w.Save(ctx, []byte("of another stage"), 1, 1) }},
			{Name: "count", Run: c.count},
			{Name: "last", Run: func(context.Context, *Work) error { return nil }, Final: true},
		},
		Undo: []Stage{{Name: "uncount", Run: func(ctx context.Context, _ *Work) error {
			_, err := c.db().ExecContext(ctx, "DELETE FROM shop.done")
			return err
		}}},
	}
}

func (c counter) count(ctx context.Context, w *Work) error {
	place, done, err := w.Place(ctx)
	if err != nil {
		return err
	}
	from := 0
	if place != nil {
		if from, err = strconv.Atoi(string(place)); err != nil || uint64(from) != done {
			return errors.New("not a place of this stage's")
		}
	}
	for n := from + 1; n <= c.to; n++ {
		if c.at != nil {
			if err := c.at(ctx, n); err != nil {
				return err
			}
		}
		if err := c.insert(ctx, w, n); err != nil {
			return err
		}
	}
	return nil
}

func (c counter) insert(ctx context.Context, w *Work, n int) error {
	tx, err := c.db().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, s := range []string{"INSERT INTO shop.done VALUES (" + strconv.Itoa(n) + ")", w.Statement([]byte(strconv.Itoa(n)), uint64(n), uint64(c.to))} {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// becomes waits until a tunic reads of a job in a state.
func (b *bench) becomes(u *tunic, id uint64, state catalog.JobState) *catalog.Job {
	b.t.Helper()
	waittest.Until(b.t, "job is "+state.String(), func() bool {
		j := u.ledger.Catalog().Job(id)
		return j != nil && j.State == state
	})
	return u.ledger.Catalog().Job(id)
}
