package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/pingcap/go-ycsb/pkg/ycsb"
)

// What a server answers when transactions are in each other's way; the operation is not
// done, and the next one comes.
const (
	errLockWaitTimeout = 1205
	errDeadlock        = 1213
)

// meter counts a run.
type meter struct {
	cancel  context.CancelFunc
	length  time.Duration
	missing sync.WaitGroup // threads that are not connected yet
	started time.Time      // set before any thread goes on
	sent    atomic.Int64   // statements
	ignored atomic.Int64   // operations that were in each other's way

	mu        sync.Mutex
	latencies []time.Duration // of operations, in no order
	ended     time.Time       // when the last of them was done
	failure   error           // the first
}

// report is what a run comes to.
type report struct {
	Operations    int     `json:"operations"`
	Statements    int64   `json:"statements"`
	IgnoredErrors int64   `json:"ignored_errors"`
	Seconds       float64 `json:"seconds"`
	AverageMs     float64 `json:"average_ms"`
	P95Ms         float64 `json:"p95_ms"`
	MaximumMs     float64 `json:"maximum_ms"`
}

// begin starts the clock when every thread is connected.
func (m *meter) begin() {
	m.missing.Wait()
	time.AfterFunc(m.length, m.cancel)
}

// connected waits for the other threads; the first that goes on says so.
func (m *meter) connected() {
	m.missing.Done()
	m.missing.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.started.IsZero() {
		m.started = time.Now()
		fmt.Println(lineStarted)
	}
}

func (m *meter) done(latencies []time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latencies = append(m.latencies, latencies...)
	m.ended = time.Now()
}

// failed ends the run, unless the error is one that the next operation has no part in.
func (m *meter) failed(err error) {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) && (answer.Number == errLockWaitTimeout || answer.Number == errDeadlock) {
		m.ignored.Add(1)
		return
	}
	m.end(err)
}

// end is the end of it all.
func (m *meter) end(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure == nil {
		m.failure = err
	}
	m.cancel()
}

func (m *meter) report() report {
	r := report{
		Operations: len(m.latencies), Statements: m.sent.Load(), IgnoredErrors: m.ignored.Load(),
		Seconds: m.ended.Sub(m.started).Seconds(),
	}
	if r.Operations == 0 {
		return r
	}
	slices.Sort(m.latencies)
	total := time.Duration(0)
	for _, latency := range m.latencies {
		total += latency
	}
	r.AverageMs = milliseconds(total) / float64(r.Operations)
	r.P95Ms = milliseconds(m.latencies[(r.Operations*95+99)/100-1])
	r.MaximumMs = milliseconds(m.latencies[r.Operations-1])
	return r
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// counted is a workload whose operations are counted.
type counted struct {
	ycsb.Workload
	*meter
}

// thread is what one thread has measured.
type thread struct{ latencies []time.Duration }

type threadKey struct{}

// InitThread gives the thread a place for what it measures.
func (c counted) InitThread(ctx context.Context, id, threads int) context.Context {
	return context.WithValue(c.Workload.InitThread(ctx, id, threads), threadKey{}, new(thread))
}

// CleanupThread adds it to the others'.
func (c counted) CleanupThread(ctx context.Context) {
	c.done(ctx.Value(threadKey{}).(*thread).latencies)
	c.Workload.CleanupThread(ctx)
}

// DoTransaction does an operation to its end, though the run may be over meanwhile.
func (c counted) DoTransaction(ctx context.Context, db ycsb.DB) error {
	start := time.Now()
	if err := c.Workload.DoTransaction(context.WithoutCancel(ctx), db); err != nil {
		c.failed(err)
		return err
	}
	t := ctx.Value(threadKey{}).(*thread)
	t.latencies = append(t.latencies, time.Since(start))
	return nil
}

// DoInsert fills the table by a row.
func (c counted) DoInsert(ctx context.Context, db ycsb.DB) error {
	return c.filled(c.Workload.DoInsert(context.WithoutCancel(ctx), db))
}

// DoBatchInsert fills the table by some rows.
func (c counted) DoBatchInsert(ctx context.Context, size int, db ycsb.DB) error {
	return c.filled(c.Workload.DoBatchInsert(context.WithoutCancel(ctx), size, db))
}

// filled ends the load at its first error: a table that lacks rows is of no use.
func (c counted) filled(err error) error {
	if err != nil {
		c.end(err)
	}
	return err
}

// statements is a database whose statements are counted and judged, and whose threads
// begin together.
type statements struct {
	ycsb.DB
	*meter
	*found
}

// InitThread connects, and waits for the others.
func (s statements) InitThread(ctx context.Context, id, threads int) context.Context {
	ctx = s.DB.InitThread(ctx, id, threads)
	s.connected()
	return ctx
}

// Update sends a statement.
func (s statements) Update(ctx context.Context, table, key string, values map[string][]byte) error {
	s.sent.Add(1)
	return s.DB.Update(ctx, table, key, values)
}
