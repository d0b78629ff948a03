package jobs

import (
	"context"
	"errors"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ledger"
)

// goThrough does one stage of a job after the other, until none is to be done.
func (r *Runner) goThrough(ctx context.Context, id uint64, claim *ledger.Claim) {
	for pause := pauseFirst; ctx.Err() == nil; {
		j := r.o.Ledger.Catalog().Job(id)
		if j == nil || !j.Works() {
			return
		}
		kind := r.kinds[j.Kind]
		at, known := kind.stage(j)
		if !known {
			r.o.Log.Error("a job is in a stage that this version does not know", "job", id, "kind", j.Kind, "stage", j.Stage)
			return
		}
		err := r.do(ctx, kind.stages(j)[at], &Work{Job: j, runner: r, claim: claim})
		switch {
		case err == nil:
			pause = pauseFirst
			err = r.move(ctx, j, kind.after(j, at))
		case errors.Is(err, ErrTooLate) && j.State == catalog.JobCancelling:
			err = r.move(ctx, j, func(j *catalog.Job) { j.State = catalog.JobDone })
		case errors.Is(err, errMoved) || ctx.Err() != nil:
			continue // the ledger says what is to be done, if anything
		case !passes(err):
			err = r.fail(ctx, j, kind.causeOf(err), err)
		}
		if err != nil && !errors.Is(err, errMoved) {
			r.passing(ctx, j, err, pause)
			pause = min(2*pause, pauseMax)
		}
	}
}

// after is what becomes of a job when a stage of it has ended.
func (k *Kind) after(j *catalog.Job, at int) func(*catalog.Job) {
	stages := k.stages(j)
	if at+1 < len(stages) {
		return func(j *catalog.Job) { j.Stage = stages[at+1].Name }
	}
	if j.State == catalog.JobCancelling {
		return func(j *catalog.Job) { j.State = catalog.JobCancelled }
	}
	return func(j *catalog.Job) { j.State = catalog.JobDone }
}

// do does a stage, for as long as nobody has asked for something else.
func (r *Runner) do(ctx context.Context, s Stage, w *Work) error {
	j := w.Job
	crash.Point("jobs.stage.begins")
	r.o.Log.Info("a job goes on", "job", j.ID, "kind", j.Kind, "stage", j.Stage, "table", j.Schema+"."+j.Name, "column", j.ColumnName)
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		r.watch(ctx, j, cancel)
	}()
	err := s.Run(ctx, w)
	moved := errors.Is(context.Cause(ctx), errMoved)
	cancel(nil)
	<-watched
	if err != nil && moved {
		return errMoved
	}
	return err
}

// watch cancels a stage when the ledger says that the job is to do something else.
func (r *Runner) watch(ctx context.Context, j *catalog.Job, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(watchAgain)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := r.o.Ledger.Catalog().Job(j.ID); now == nil || !sameStage(now, j) {
			cancel(errMoved)
			return
		}
	}
}

// move writes down what becomes of a job, unless somebody has asked for something else of
// it meanwhile: then that stands.
func (r *Runner) move(ctx context.Context, was *catalog.Job, change func(*catalog.Job)) error {
	crash.Point("jobs.stage.ended")
	now, err := r.o.Ledger.ChangeJob(ctx, was.ID, func(j *catalog.Job) error {
		if !sameStage(j, was) {
			return errMoved
		}
		change(j)
		return nil
	})
	if err != nil {
		return err
	}
	crash.Point("jobs.stage.written")
	if !now.Works() {
		r.o.Metrics.Ended(now.State.String()).Inc()
		r.o.Log.Info("a job has ended", "job", now.ID, "kind", now.Kind, "state", now.State.String(), "table", now.Schema+"."+now.Name, "column", now.ColumnName)
	}
	return nil
}

// fail writes down why a job has failed.
func (r *Runner) fail(ctx context.Context, j *catalog.Job, cause Cause, err error) error {
	if noted := r.note(ctx, j.ID, numberOf(err)); noted != nil {
		r.o.Log.Warn("the error of a job cannot be written down", "job", j.ID, "error", noted)
	}
	r.o.Log.Error("a job has failed", "job", j.ID, "kind", j.Kind, "stage", j.Stage, "table", j.Schema+"."+j.Name, "column", j.ColumnName,
		"cause", string(cause), logged(err), "fix", cause.Fix())
	return r.move(ctx, j, func(j *catalog.Job) { j.State, j.Cause = catalog.JobFailed, string(cause) })
}

// note writes down with which error of the server's a job was stopped. One of the storage engine's
// stays until the server has looked through the table (layerKinds.ifSound).
func (r *Runner) note(ctx context.Context, id uint64, number uint16) error {
	if !ofEngine(number) {
		if p, err := r.o.Ledger.Progress(ctx, id); err == nil && ofEngine(p.Error) {
			return nil
		}
	}
	return r.o.Ledger.NoteError(ctx, id, number)
}

// passing waits before what has failed is tried again.
func (r *Runner) passing(ctx context.Context, j *catalog.Job, err error, pause time.Duration) {
	if ctx.Err() != nil {
		return
	}
	r.o.Log.Warn("a job waits for what it needs", "job", j.ID, "kind", j.Kind, "stage", j.Stage, logged(err), "pause", pause)
	if r.o.Ledger.Usable() == nil {
		noting, cancel := context.WithTimeout(ctx, pauseMax)
		_ = r.note(noting, j.ID, numberOf(err)) // the next try tells more
		cancel()
	}
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}
