package jobs

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
)

// Kind is a sort of job. Kinds are given to New, and every tunic of a database has to have
// the same: one that does not know a kind leaves its jobs alone.
type Kind struct {
	// Name is what the ledger and clients call it: a lower-case word or several, joined by
	// "_". It never changes.
	Name string
	// Stages are what is done, in their order, and Undo what is done instead once the job
	// is cancelled, whatever stage it was in. Names of stages are unique in the kind, and
	// never change. A kind without Undo cannot be cancelled.
	Stages, Undo []Stage
	// Cause names why a stage has failed for good; "" leaves it to the causes that all
	// kinds have. It may be nil.
	Cause func(error) Cause
}

// Stage is a part of a job.
type Stage struct {
	Name string
	// Run does the stage. It can be called again at any point of an earlier call, by
	// another process too, and returns soon after ctx is done. An error that passes by
	// itself has it called again after a pause; any other fails the job.
	Run func(ctx context.Context, w *Work) error
	// Final says that from here on the job cannot be cancelled any more.
	Final bool
}

// ErrTooLate is what a stage of undoing returns when there is nothing left to undo because
// all was done before the job was cancelled: then the job is done.
var ErrTooLate = errors.New("the job was done before it was cancelled")

func stageNames(stages []Stage) (names []string) {
	for _, s := range stages {
		names = append(names, s.Name)
	}
	return names
}

// stages are those that a job goes through in its state.
func (k *Kind) stages(j *catalog.Job) []Stage {
	if j.State == catalog.JobCancelling {
		return k.Undo
	}
	return k.Stages
}

// undoes reports whether a job, which may stand still, is in a stage of undoing.
func (k *Kind) undoes(j *catalog.Job) bool { return slices.Contains(stageNames(k.Undo), j.Stage) }

// stage finds the stage that a job is in.
func (k *Kind) stage(j *catalog.Job) (at int, ok bool) {
	at = slices.Index(stageNames(k.stages(j)), j.Stage)
	return at, at >= 0
}

// Work is a stage of a job under way, as its Run has it.
type Work struct {
	// Job is the job as it was when the stage was begun.
	Job    *catalog.Job
	runner *Runner
	claim  *ledger.Claim
}

// Conn is the connection that has the job's lock, for the stage's own use until it gives it
// back: see [ledger.Claim.Conn].
func (w *Work) Conn() (conn *sql.Conn, back func()) { return w.claim.Conn() }

// Ledger is the ledger that the job is written in.
func (w *Work) Ledger() *ledger.Ledger { return w.runner.o.Ledger }

// Place is where this stage has come to, in the form that it was given to Statement or
// Save in, and how many rows were done; nil and 0 at its beginning.
func (w *Work) Place(ctx context.Context) (place []byte, done uint64, err error) {
	p, err := w.runner.o.Ledger.Progress(ctx, w.Job.ID)
	if err != nil {
		return nil, 0, err
	}
	stage, place, ok := bytes.Cut(p.Place, []byte{0})
	if !ok || string(stage) != w.Job.Stage {
		return nil, 0, nil // of the stage before
	}
	return place, p.Done, nil
}

// progress is how far the stage is, as the ledger has it. The name of the stage stands
// before the place, so that the one after it does not take it for its own.
func (w *Work) progress(place []byte, done, expected uint64) ledger.Progress {
	return ledger.Progress{Job: w.Job.ID, Place: append([]byte(w.Job.Stage+"\x00"), place...), Done: done, Expected: expected}
}

// Statement is a statement that notes how far the stage has come: a place, in whatever form
// the stage reads, rows done, and rows expected (0 where not known). It is run in the
// transaction of the work that it tells of, on a connection of the service account's.
func (w *Work) Statement(place []byte, done, expected uint64) string {
	return w.runner.o.Ledger.ProgressStatement(w.progress(place, done, expected))
}

// Save notes how far the stage has come, for work that is in no transaction.
func (w *Work) Save(ctx context.Context, place []byte, done, expected uint64) error {
	return w.runner.o.Ledger.SaveProgress(ctx, w.progress(place, done, expected))
}

// Passed counts rows that were gone through, for metrics.
func (w *Work) Passed(rows int) { w.runner.o.Metrics.Rows.Add(rows) }

// Update changes what the job says of itself other than its state and stage: its Details,
// for later stages.
func (w *Work) Update(ctx context.Context, change func(*catalog.Job)) error {
	now, err := w.runner.o.Ledger.ChangeJob(ctx, w.Job.ID, func(j *catalog.Job) error {
		if !sameStage(j, w.Job) {
			return errMoved
		}
		state, stage := j.State, j.Stage
		change(j)
		j.State, j.Stage = state, stage
		return nil
	})
	if err == nil {
		w.Job = now
	}
	return err
}
