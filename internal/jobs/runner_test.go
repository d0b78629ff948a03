package jobs

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/waittest"
)

// TestGoesThroughItsStages: in their order, each from its own beginning.
func TestGoesThroughItsStages(t *testing.T) {
	onServers(t, func(b *bench) {
		c := counter{name: "count", to: 20, db: func() *sql.DB { return b.db }}
		u := b.tunic("root", "root", c.kind())
		j, err := u.Ask(t.Context(), catalog.Job{Kind: "count", Reason: "to see"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.becomes(u, j.ID, catalog.JobDone)
		if n := b.number("SELECT COUNT(*) FROM shop.done"); n != 20 {
			t.Errorf("%d numbers", n)
		}
		all, err := u.List(t.Context())
		if err != nil || len(all) != 1 || all[0].Done != 20 || all[0].Expected != 20 || all[0].Reason != "to see" {
			t.Errorf("listed: %+v, %v", all, err)
		}
		if u.o.Metrics.Ended("done").Value() != 1 || u.o.Metrics.Running.Value() != 0 && u.o.Metrics.Running.Value() != 1 {
			t.Error("not counted")
		}
		for what, do := range map[string]func(context.Context, uint64) (*catalog.Job, error){"pause": u.Pause, "resume": u.Resume, "cancel": u.Cancel} {
			if _, err := do(t.Context(), j.ID); !errors.Is(err, ErrEnded) {
				t.Errorf("%s: %v", what, err)
			}
			if _, err := do(t.Context(), j.ID+1000); !errors.Is(err, ErrNone) {
				t.Errorf("%s of none: %v", what, err)
			}
		}
		if _, err := u.Ask(t.Context(), catalog.Job{Kind: "fly"}, nil); !errors.Is(err, ErrKind) {
			t.Errorf("another kind: %v", err)
		}
	})
}

// TestTakesOver: when all connections of who works at a job are cut, or it ends, another
// tunic goes on at the same place; none works beside it before.
func TestTakesOver(t *testing.T) {
	onServers(t, func(b *bench) {
		var one, two *tunic
		reached := make(chan struct{})
		var began, beside atomic.Int32
		first := counter{name: "count", to: 30, db: func() *sql.DB { return one.db }, at: func(ctx context.Context, n int) error {
			began.Store(1)
			if n == 10 {
				close(reached)
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}}
		second := counter{name: "count", to: 30, db: func() *sql.DB { return two.db }, at: func(context.Context, int) error {
			if !one.closed {
				beside.Store(1)
			}
			return nil
		}}
		one = b.tunic("root", "root", first.kind())
		j, err := one.Ask(t.Context(), catalog.Job{Kind: "count"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		<-reached
		two = b.tunic("root", "root", second.kind())
		waittest.Until(b.t, "the other reads the job", func() bool { return two.ledger.Catalog().Job(j.ID) != nil })
		two.lookForWork(t.Context())
		one.closed = true
		_ = one.db.Close() // as a kill does: nothing is said, nothing is given back
		one.Runner.Close()
		one.ledger.Close()
		b.becomes(two, j.ID, catalog.JobDone)
		if began.Load() == 0 || beside.Load() != 0 {
			t.Error("two were at one job")
		}
		if n := b.number("SELECT COUNT(*) FROM shop.done"); n != 30 {
			t.Errorf("%d numbers", n)
		}
	})
}

// TestToldByAnother: pause, resume and cancel by a tunic that does not work at the job.
func TestToldByAnother(t *testing.T) {
	onServers(t, func(b *bench) {
		step := make(chan struct{}, 100)
		at := func(ctx context.Context, _ int) error {
			select {
			case <-step:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		c := counter{name: "count", to: 30, at: at, db: func() *sql.DB { return b.db }}
		one := b.tunic("root", "root", c.kind())
		j, err := one.Ask(t.Context(), catalog.Job{Kind: "count"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			step <- struct{}{}
		}
		waittest.Until(b.t, "five are done", func() bool { return b.number("SELECT COUNT(*) FROM shop.done") == 5 })
		other := b.tunic("root", "root") // knows no kind: it leaves the job alone, and cannot tell it anything
		waittest.Until(b.t, "the other reads the job", func() bool { return other.ledger.Catalog().Job(j.ID) != nil })
		if _, err := other.Pause(t.Context(), j.ID); !errors.Is(err, ErrKind) {
			t.Errorf("of an unknown kind: %v", err)
		}
		two := b.tunic("root", "root", c.kind())
		if _, err := two.Pause(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		waittest.Until(b.t, "nobody works at it", func() bool { return one.o.Metrics.Running.Value()+two.o.Metrics.Running.Value() == 0 })
		step <- struct{}{}
		if n := b.number("SELECT COUNT(*) FROM shop.done"); n != 5 {
			t.Errorf("%d numbers in a job that is paused", n)
		}
		if _, err := one.Resume(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		waittest.Until(b.t, "it goes on", func() bool { return b.number("SELECT COUNT(*) FROM shop.done") == 6 })
		if _, err := two.Cancel(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		b.becomes(one, j.ID, catalog.JobCancelled)
		if n := b.number("SELECT COUNT(*) FROM shop.done"); n != 0 {
			t.Errorf("%d numbers of a job that is cancelled", n)
		}
	})
}

// TestOneJobOfATable: jobs of one table are done in the order in which they were asked
// for; one that stands still keeps none waiting.
func TestOneJobOfATable(t *testing.T) {
	table, other := catalog.ID{1}, catalog.ID{2}
	jobs := []*catalog.Job{
		{ID: 1, Table: table, State: catalog.JobPaused},
		{ID: 2, Table: table},
		{ID: 3, Table: table, State: catalog.JobCancelling},
		{ID: 4, Table: other, State: catalog.JobFailed},
		{ID: 5, Table: other},
		{ID: 6},
		{ID: 7},
		{ID: 8, Table: other, State: catalog.JobDone},
	}
	var ids []uint64
	for _, j := range due(jobs) {
		ids = append(ids, j.ID)
	}
	want := []uint64{2, 5, 6, 7}
	if len(ids) != len(want) {
		t.Fatalf("%v, want %v", ids, want)
	}
	for i := range want {
		if ids[i] != want[i] {
			t.Errorf("%v, want %v", ids, want)
		}
	}
}
