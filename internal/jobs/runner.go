package jobs

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
	"tunic/internal/metrics"
)

// Options are what a Runner stands on.
type Options struct {
	Ledger  *ledger.Ledger
	Log     *slog.Logger
	Metrics *metrics.Jobs

	look time.Duration // between two looks for work; 0 is the default
}

// Times of a Runner.
const (
	lookAgain  = time.Second            // between two looks for work
	watchAgain = 100 * time.Millisecond // between two looks whether a job is to go on
	pauseFirst = 200 * time.Millisecond // before what has failed for now is tried again
	pauseMax   = 15 * time.Second
)

// Runner works at the jobs of a database, in one process of any number.
type Runner struct {
	o     Options
	kinds map[string]*Kind
	wake  chan struct{}
	stop  context.CancelFunc
	done  chan struct{}

	mu   sync.Mutex
	mine map[uint64]bool // jobs that this process works at, or is about to
	work sync.WaitGroup
}

// New makes a Runner and has it begin. Close ends it.
func New(ctx context.Context, o Options, kinds ...Kind) *Runner {
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Runner{o: o, kinds: map[string]*Kind{}, wake: make(chan struct{}, 1), stop: stop, done: make(chan struct{}), mine: map[uint64]bool{}}
	for i := range kinds {
		r.kinds[kinds[i].Name] = &kinds[i]
	}
	go r.keep(life)
	return r
}

// Close lets go of all jobs: others take them over.
func (r *Runner) Close() {
	r.stop()
	<-r.done
	r.work.Wait()
}

// Wake has it look for work at once.
func (r *Runner) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// keep looks for work until it is told to stop.
func (r *Runner) keep(ctx context.Context) {
	defer close(r.done)
	tick := time.NewTicker(cmp.Or(r.o.look, lookAgain))
	defer tick.Stop()
	for {
		r.lookForWork(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-r.wake:
		}
	}
}

// lookForWork begins the jobs that nobody of this process works at. What others work at
// is found out by claiming it.
func (r *Runner) lookForWork(ctx context.Context) {
	if r.o.Ledger.Usable() != nil {
		return
	}
	for _, j := range due(r.o.Ledger.Catalog().Jobs()) {
		if r.kinds[j.Kind] == nil || !r.mark(j.ID) {
			continue
		}
		r.work.Add(1)
		go func() {
			defer r.work.Done()
			defer r.unmark(j.ID)
			r.attend(ctx, j.ID)
		}()
	}
}

// due are the jobs that are to be worked at: of each table the one that was asked for
// first, so that jobs do not wait for each other in the middle.
func due(jobs []*catalog.Job) (all []*catalog.Job) {
	busy := map[catalog.ID]bool{}
	for _, j := range jobs {
		if !j.Works() {
			continue
		}
		if !busy[j.Table] || j.Table.IsZero() {
			all = append(all, j)
		}
		busy[j.Table] = true
	}
	return all
}

func (r *Runner) mark(id uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mine[id] {
		return false
	}
	r.mine[id] = true
	return true
}

func (r *Runner) unmark(id uint64) {
	r.mu.Lock()
	delete(r.mine, id)
	r.mu.Unlock()
}

// attend claims a job and works at it for as long as it is to be worked at and the claim
// lasts. What another process has is left to it.
func (r *Runner) attend(ctx context.Context, id uint64) {
	claim, err := r.o.Ledger.ClaimJob(ctx, id)
	if err != nil && ctx.Err() == nil {
		r.o.Log.Warn("a job cannot be claimed for now", "job", id, "error", err)
	}
	if claim == nil {
		return
	}
	defer claim.Release()
	ctx, end := claim.Context(ctx, errLost)
	defer end()
	r.o.Metrics.Running.Inc()
	defer r.o.Metrics.Running.Dec()
	begin := time.Now()
	defer func() { r.o.Metrics.Milliseconds.Add(int(time.Since(begin).Milliseconds())) }()
	// What was written since it was looked for: who has had the claim may have ended it.
	if err := r.o.Ledger.Refresh(ctx, nil); err == nil {
		r.goThrough(ctx, id, claim)
	}
}

var (
	errLost  = errors.New("the claim of the job is lost")
	errMoved = errors.New("the job is to do something else")
)

// sameStage reports whether a job is still in the stage that is worked at.
func sameStage(a, b *catalog.Job) bool { return a.State == b.State && a.Stage == b.Stage }
