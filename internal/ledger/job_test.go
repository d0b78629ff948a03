package ledger

import (
	"context"
	"errors"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/waittest"
)

func aJob() catalog.Job {
	return catalog.Job{
		Kind: "add_layer", Table: catalog.ID{1}, Schema: "shop", Name: "one", Column: catalog.ID{1, 1}, ColumnName: "a",
		Layer: policy.Equality, Reason: "a customer asked for it", Stage: "add",
	}
}

func allowed(*catalog.Catalog) error { return nil }

// TestJobs: what is written of jobs is what another process reads, and what one that
// comes later reads; both may change it.
func TestJobs(t *testing.T) {
	onServers(t, func(b *bench) {
		one, two := b.open(), b.open()
		added, err := one.AddJob(t.Context(), aJob(), allowed)
		if err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "the other reads the job", func() bool { return two.Catalog().Job(added.ID) != nil })
		paused, err := two.ChangeJob(t.Context(), added.ID, func(j *catalog.Job) error { j.State = catalog.JobPaused; return nil })
		if err != nil || paused.State != catalog.JobPaused {
			t.Fatalf("%+v, %v", paused, err)
		}
		version := two.Catalog().Version
		if _, err := two.ChangeJob(t.Context(), added.ID, func(*catalog.Job) error { return nil }); err != nil || two.Catalog().Version != version {
			t.Errorf("a change that changes nothing: %v, version %d after %d", err, two.Catalog().Version, version)
		}
		refused := errors.New("refused")
		if _, err := one.ChangeJob(t.Context(), added.ID, func(*catalog.Job) error { return refused }); !errors.Is(err, refused) {
			t.Errorf("a change that fails: %v", err)
		}
		if _, err := one.ChangeJob(t.Context(), 1<<40, func(*catalog.Job) error { return nil }); !errors.Is(err, ErrNoJob) {
			t.Errorf("a job that is not there: %v", err)
		}
		c, err := b.opened()
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff([]*catalog.Job{paused}, c.Jobs()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestJobsStayWithTables: a change of definitions leaves the jobs as they are.
func TestJobsStayWithTables(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		b.made(l, table("one", 1))
		added, err := l.AddJob(t.Context(), aJob(), allowed)
		if err != nil {
			t.Fatal(err)
		}
		b.made(l, table("two", 2))
		if of := l.Catalog().JobsOf(catalog.ID{1}); len(of) != 1 || of[0].ID != added.ID {
			t.Errorf("after a change: %v", of)
		}
		if of := l.Catalog().JobsOf(catalog.ID{2}); len(of) != 0 {
			t.Errorf("of another table: %v", of)
		}
		if c, err := b.opened(); err != nil || len(c.Jobs()) != 1 {
			t.Errorf("read anew: %v", err)
		}
	})
}

// TestJobsAreBound: a job that is changed, taken out or put back around tunic is noticed.
func TestJobsAreBound(t *testing.T) {
	for name, harm := range map[string]string{
		"changed":      "UPDATE _tunic.job SET sealed = CONCAT(sealed, 'x')",
		"taken out":    "DELETE FROM _tunic.job",
		"another's ID": "UPDATE _tunic.job SET id = id + 1",
		"unlooked for": "UPDATE _tunic.project SET form = 1",
	} {
		t.Run(name, func(t *testing.T) {
			onServers(t, func(b *bench) {
				b.t = t
				l := b.open()
				if _, err := l.AddJob(t.Context(), aJob(), allowed); err != nil {
					t.Fatal(err)
				}
				l.Close()
				b.exec(harm)
				_, err := Inspect(t.Context(), b.options())
				if !errors.Is(err, ErrDamaged) {
					t.Errorf("read: %v", err)
				}
			})
		})
	}
}

// TestLedgerWithoutJobs: a ledger of the form before has none, is read as such, and is one
// of this form as soon as a tunic serves by it.
func TestLedgerWithoutJobs(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		b.made(l, table("one", 1))
		l.Close()
		b.exec("DROP TABLE _tunic.job, _tunic.progress", "UPDATE _tunic.project SET form = 1")
		if i, err := Inspect(t.Context(), b.options()); err != nil || i.Catalog.Len() != 1 {
			t.Errorf("looked at: %v", err)
		}
		l = b.open()
		if _, err := l.AddJob(t.Context(), aJob(), allowed); err != nil {
			t.Error(err)
		}
		if got := b.number("SELECT form FROM _tunic.project"); got != 2 {
			t.Errorf("form %d", got)
		}
		l.Close()
		b.exec("UPDATE _tunic.project SET form = 3")
		if _, err := b.opened(); !errors.Is(err, ErrForm) {
			t.Errorf("a form to come: %v", err)
		}
	})
}

// TestForgetsJobs: of those that have ended the oldest are forgotten, of others none.
func TestForgetsJobs(t *testing.T) {
	var jobs []*catalog.Job
	for id := range uint64(jobsKept + 10) {
		jobs = append(jobs, &catalog.Job{ID: id + 1, State: catalog.JobDone})
	}
	jobs[0].State, jobs[3].State = catalog.JobFailed, catalog.JobPaused
	with, forgotten := withJob(catalog.New(false).WithJobs(1, jobs), &catalog.Job{ID: 500})
	if diff := gocmp.Diff([]uint64{2, 3, 5, 6, 7, 8, 9, 10}, forgotten); diff != "" {
		t.Error(diff)
	}
	if len(with) != len(jobs)+1-len(forgotten) || with[0].ID != 1 || with[1].ID != 4 {
		t.Errorf("%d are kept", len(with))
	}
}

// TestReasonsStay: the job that says why a layer is there is not forgotten while it is.
func TestReasonsStay(t *testing.T) {
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "shop", Name: "person", Columns: []catalog.Column{{ID: catalog.ID{2}, Name: "sex", Layers: []catalog.Layer{{Capability: policy.Equality}}}}}
	of := func(id uint64, layer policy.Capabilities, reason string) *catalog.Job {
		return &catalog.Job{ID: id, State: catalog.JobDone, Table: table.ID, Column: catalog.ID{2}, Layer: layer, Reason: reason}
	}
	jobs := []*catalog.Job{of(1, policy.Equality, "said before"), of(2, policy.Equality, "it is public"), of(3, policy.Order, "of a layer that is gone"), of(4, policy.Equality, "")}
	for id := range uint64(jobsKept) {
		jobs = append(jobs, &catalog.Job{ID: id + 5, State: catalog.JobDone})
	}
	c := catalog.New(false).Next(1, nil, []*catalog.Table{table}).WithJobs(1, jobs)
	with, forgotten := withJob(c, &catalog.Job{ID: 500})
	if diff := gocmp.Diff([]uint64{1, 3, 4}, forgotten); diff != "" || with[0].ID != 2 {
		t.Errorf("the first that is kept is %d; forgotten: %s", with[0].ID, diff)
	}
}

// TestProgress: what is written with a transaction is there after it, and is not if it is
// rolled back; and a place that tunic has not written is the beginning.
func TestProgress(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		if p, err := l.Progress(t.Context(), 7); err != nil || p.Job != 7 || p.Place != nil {
			t.Fatalf("of a job that has not begun: %+v, %v", p, err)
		}
		write := func(p Progress, end string) {
			t.Helper()
			conn, err := b.db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			for _, s := range []string{"START TRANSACTION", l.ProgressStatement(p), end} {
				if _, err := conn.ExecContext(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := Progress{Job: 7, Place: []byte("row '4'\\"), Done: 500, Expected: 1000, Owner: l.Self(), Beat: 1}
		write(want, "COMMIT")
		write(Progress{Job: 7, Place: []byte("row 5"), Done: 1000, Expected: 1000}, "ROLLBACK")
		if p, err := l.Progress(t.Context(), 7); err != nil || !gocmp.Equal(p, want) {
			t.Errorf("%+v, %v", p, err)
		}
		if b.number("SELECT COUNT(*) FROM _tunic.progress WHERE place LIKE '%row%'") != 0 {
			t.Error("the place is not sealed")
		}
		if err := l.NoteError(context.Background(), 7, 1021); err != nil {
			t.Fatal(err)
		}
		want.Error, want.Beat = 1021, 2
		if all, err := l.AllProgress(t.Context()); err != nil || !gocmp.Equal(all[7], want) {
			t.Errorf("%+v, %v", all, err)
		}
		b.exec("UPDATE _tunic.progress SET place = 'elsewhere'")
		if p, err := l.Progress(t.Context(), 7); err != nil || p.Place != nil || p.Done != 0 {
			t.Errorf("of a place of somebody else's: %+v, %v", p, err)
		}
	})
}

// number is what a query of one number says.
func (b *bench) number(query string) (n int) {
	b.t.Helper()
	if err := b.db.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	return n
}
