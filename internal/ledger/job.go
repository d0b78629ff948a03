package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// ErrNoJob says that no job has such an ID.
var ErrNoJob = errors.New("there is no such job")

// jobsKept is how many jobs that have ended are kept, for who asks what became of them.
const jobsKept = 100

// readJobs opens the jobs and keeps them in rows.
func (l *Ledger) readJobs(ctx context.Context, rows map[row]digest) (jobs []*catalog.Job, err error) {
	found, err := l.conn.QueryContext(ctx, "SELECT id, version, sealed FROM "+job)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var (
			id, version uint64
			sealed      []byte
		)
		if err := found.Scan(&id, &version, &sealed); err != nil {
			return nil, err
		}
		plain, err := l.sealer.open(placeJob, number(id), version, sealed)
		if err != nil {
			return nil, fmt.Errorf("%w: the row of a job", ErrDamaged)
		}
		j, err := catalog.DecodeJob(plain)
		if err != nil {
			return nil, err
		}
		if j.ID != id {
			return nil, fmt.Errorf("%w: the row of another job", ErrDamaged)
		}
		jobs = append(jobs, j)
		rows[row{placeJob, number(id)}] = digestOf(version, sealed)
	}
	return jobs, found.Err()
}

// AddJob writes down a job, if allow has nothing against it: allow is given the catalog
// that nobody else changes until the job is in it. The job gets its ID. Those that have
// ended long ago are forgotten.
func (l *Ledger) AddJob(ctx context.Context, add catalog.Job, allow func(*catalog.Catalog) error) (*catalog.Job, error) {
	return l.changeJobs(ctx, func(c *catalog.Catalog, version uint64) (*catalog.Job, error) {
		if err := allow(c); err != nil {
			return nil, err
		}
		add.ID = version
		return &add, nil
	})
}

// ChangeJob writes down what change makes of a job. If change fails, nothing is written,
// and its error is returned; nor is anything if it leaves the job as it is. ErrNoJob says
// that there is none.
func (l *Ledger) ChangeJob(ctx context.Context, id uint64, change func(*catalog.Job) error) (*catalog.Job, error) {
	return l.changeJobs(ctx, func(c *catalog.Catalog, _ uint64) (*catalog.Job, error) {
		was := c.Job(id)
		if was == nil {
			return nil, ErrNoJob
		}
		now := *was
		if err := change(&now); err != nil {
			return nil, err
		}
		if now.ID != was.ID {
			return nil, fmt.Errorf("%w: a job that becomes another", catalog.ErrContent)
		}
		return &now, nil
	})
}

// changeJobs writes down one job, as of makes it of the catalog that nobody else changes
// meanwhile.
func (l *Ledger) changeJobs(ctx context.Context, of func(c *catalog.Catalog, version uint64) (*catalog.Job, error)) (*catalog.Job, error) {
	if err := l.Usable(); err != nil {
		return nil, err
	}
	end, err := l.begin(ctx, ctx.Done())
	if err != nil {
		return nil, err
	}
	defer end()
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	version := l.written().Version + 1
	next, err := of(l.written(), version)
	if err != nil {
		return nil, err
	}
	if was := l.written().Job(next.ID); was != nil && sameJob(was, next) {
		return was, nil
	}
	jobs, forgotten := withJob(l.written(), next)
	err = l.transact(ctx, version, func(tx *sql.Tx, rows map[row]digest) error {
		return l.writeJob(ctx, tx, rows, version, next, forgotten)
	})
	if err != nil {
		l.become(ErrLost)
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	}
	l.show(l.written().WithJobs(version, jobs), l.unsettled())
	return next, nil
}

func sameJob(a, b *catalog.Job) bool {
	x, errX := a.Encode()
	y, errY := b.Encode()
	return errX == nil && errY == nil && string(x) == string(y)
}

// writeJob writes a job, and takes those out that are forgotten.
func (l *Ledger) writeJob(ctx context.Context, tx *sql.Tx, rows map[row]digest, version uint64, j *catalog.Job, forgotten []uint64) error {
	plain, err := j.Encode()
	if err != nil {
		return err
	}
	sealed := l.sealer.seal(placeJob, number(j.ID), version, plain)
	rows[row{placeJob, number(j.ID)}] = digestOf(version, sealed)
	if _, err := tx.ExecContext(ctx, "REPLACE INTO "+job+" (id, version, sealed) VALUES (?, ?, ?)", j.ID, version, sealed); err != nil {
		return err
	}
	for _, id := range forgotten {
		delete(rows, row{placeJob, number(id)})
		for _, statement := range [...]string{"DELETE FROM " + job + " WHERE id = ?", "DELETE FROM " + progress + " WHERE job = ?"} {
			if _, err := tx.ExecContext(ctx, statement, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// withJob are the jobs of a catalog with one put in its place, without the oldest of more than
// jobsKept that have ended. One that says why a layer is there stays as long as that does.
func withJob(c *catalog.Catalog, next *catalog.Job) (with []*catalog.Job, forgotten []uint64) {
	with = slices.DeleteFunc(slices.Clone(c.Jobs()), func(j *catalog.Job) bool { return j.ID == next.ID })
	reasons, ended := reasonsOf(c, with), 0
	for _, j := range with {
		if !j.Live() && !reasons[j.ID] {
			ended++
		}
	}
	with = slices.DeleteFunc(with, func(j *catalog.Job) bool {
		if j.Live() || reasons[j.ID] || ended <= jobsKept {
			return false
		}
		ended--
		forgotten = append(forgotten, j.ID)
		return true
	})
	return append(with, next), forgotten
}

// reasonsOf are the jobs that have ended and say why a layer is there: the last one of each layer.
func reasonsOf(c *catalog.Catalog, jobs []*catalog.Job) map[uint64]bool {
	type layer struct {
		column catalog.ID
		of     policy.Capabilities
	}
	last := map[layer]uint64{}
	for _, j := range jobs {
		t := c.ByID(j.Table)
		if t == nil || j.Layer == 0 || j.State != catalog.JobDone || j.Reason == "" {
			continue
		}
		at := slices.IndexFunc(t.Columns, func(of catalog.Column) bool { return of.ID == j.Column })
		if at >= 0 && t.Columns[at].Layer(j.Layer) != nil {
			id := layer{j.Column, j.Layer}
			last[id] = max(last[id], j.ID)
		}
	}
	all := map[uint64]bool{}
	for _, id := range last {
		all[id] = true
	}
	return all
}
