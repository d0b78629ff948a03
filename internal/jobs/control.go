package jobs

import (
	"context"
	"errors"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ledger"
)

// Errors of asking for something that is not to be had. Others are the ledger's.
var (
	// ErrNone says that there is no such job.
	ErrNone = ledger.ErrNoJob
	// ErrEnded says that the job is done or cancelled.
	ErrEnded = errors.New("the job has ended")
	// ErrFinal says that a job has come too far to be cancelled, or is of a kind that cannot
	// be at all.
	ErrFinal = errors.New("the job cannot be cancelled any more")
	// ErrKind says that this tunic has no such kind of job.
	ErrKind = errors.New("no such kind of job")
)

// Ask writes down a job and has it begun. Its Kind, and what it is about, are the caller's
// to say; its ID, state and first stage are not. allow, which may be nil, is given the
// catalog that nobody changes until the job is in it, and can refuse.
func (r *Runner) Ask(ctx context.Context, j catalog.Job, allow func(*catalog.Catalog) error) (*catalog.Job, error) {
	kind := r.kinds[j.Kind]
	if kind == nil {
		return nil, ErrKind
	}
	j.State, j.Stage, j.Cause, j.Asked = catalog.JobRunning, kind.Stages[0].Name, "", time.Now().UTC().Truncate(time.Second)
	added, err := r.o.Ledger.AddJob(ctx, j, func(c *catalog.Catalog) error {
		if allow == nil {
			return nil
		}
		return allow(c)
	})
	if err != nil {
		return nil, err
	}
	crash.Point("jobs.asked")
	r.o.Log.Info("a job was asked for", "job", added.ID, "kind", added.Kind, "table", added.Schema+"."+added.Name, "column", added.ColumnName)
	r.Wake()
	return added, nil
}

// Pause has a job stand still, until it is resumed. One that does already stays as it is.
func (r *Runner) Pause(ctx context.Context, id uint64) (*catalog.Job, error) {
	return r.change(ctx, id, func(_ *Kind, j *catalog.Job) error {
		if j.Works() {
			j.State = catalog.JobPaused
		}
		return nil
	})
}

// Resume has a job go on that stands still, whether it was paused or has failed.
func (r *Runner) Resume(ctx context.Context, id uint64) (*catalog.Job, error) {
	return r.change(ctx, id, func(k *Kind, j *catalog.Job) error {
		switch {
		case j.Works():
			return nil
		case k.undoes(j):
			j.State = catalog.JobCancelling
		default:
			j.State = catalog.JobRunning
		}
		j.Cause = ""
		return nil
	})
}

// Cancel has all undone that a job has done.
func (r *Runner) Cancel(ctx context.Context, id uint64) (*catalog.Job, error) {
	return r.change(ctx, id, func(k *Kind, j *catalog.Job) error {
		if k.undoes(j) {
			j.State, j.Cause = catalog.JobCancelling, ""
			return nil
		}
		at, known := k.stage(j)
		if len(k.Undo) == 0 || !known || k.Stages[at].Final {
			return ErrFinal
		}
		j.State, j.Stage, j.Cause = catalog.JobCancelling, k.Undo[0].Name, ""
		return nil
	})
}

// change changes a job that has not ended.
func (r *Runner) change(ctx context.Context, id uint64, to func(*Kind, *catalog.Job) error) (*catalog.Job, error) {
	j, err := r.o.Ledger.ChangeJob(ctx, id, func(j *catalog.Job) error {
		kind := r.kinds[j.Kind]
		switch {
		case kind == nil:
			return ErrKind
		case !j.Live():
			return ErrEnded
		}
		return to(kind, j)
	})
	if err != nil {
		return nil, err
	}
	crash.Point("jobs.changed")
	r.o.Log.Info("a job was told what to do", "job", j.ID, "kind", j.Kind, "state", j.State.String())
	r.Wake()
	return j, nil
}

// Status is a job, and how far it is.
type Status struct {
	*catalog.Job
	ledger.Progress
	// Begun says that there is progress at all.
	Begun bool
}

// List is every job that is written down, in the order in which they were asked for, and
// how far each is.
func (r *Runner) List(ctx context.Context) ([]Status, error) {
	far, err := r.o.Ledger.AllProgress(ctx)
	if err != nil {
		return nil, err
	}
	var all []Status
	for _, j := range r.o.Ledger.Catalog().Jobs() {
		p, known := far[j.ID]
		all = append(all, Status{Job: j, Progress: p, Begun: known})
	}
	return all, nil
}
