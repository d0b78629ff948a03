package status

import (
	"context"
	"sync"
	"time"

	"tunic/internal/metrics"
)

const (
	// tick is how often the counters are read, kept how many readings are kept: five minutes.
	tick = time.Second
	kept = 301
	// window is over how long rates and quantiles are, in ticks.
	window = 10
	// lookEvery is how often the progress of work is looked at, in ticks, while there is any.
	lookEvery = 5
)

// reading is what the counters said at one time.
type reading struct {
	at                time.Time
	durations         map[string]metrics.Buckets
	total             metrics.Buckets
	bytesIn, bytesOut uint64
	refused           uint64
	sessions          int64
}

// Recorder keeps the last readings of the counters. Its methods may be called by many
// goroutines.
type Recorder struct {
	metrics *metrics.Metrics
	source  Source
	now     func() time.Time

	mu       sync.Mutex
	readings []reading // the oldest first
	paces    paces
}

// NewRecorder makes a Recorder, which records nothing until Run is called. source is nil
// where nothing is protected.
func NewRecorder(m *metrics.Metrics, source Source) *Recorder {
	r := &Recorder{metrics: m, source: source, now: time.Now, paces: paces{}}
	r.record()
	return r
}

// Run records until ctx is done.
func (r *Recorder) Run(ctx context.Context) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		r.record()
		if n%lookEvery == 0 && r.source != nil && r.source.Working() {
			r.work(ctx)
		}
	}
}

// work reads how far work is, for its pace.
func (r *Recorder) work(ctx context.Context) *Protection {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p := r.source.Protection(asking)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paces.take(p, r.now())
	return p
}

// patience is how long the server may take to say how far work is.
const patience = 2 * time.Second

// record reads the counters.
func (r *Recorder) record() {
	m := r.metrics
	now := reading{
		at: r.now(), durations: map[string]metrics.Buckets{}, sessions: m.Connections.Open.Value(),
		bytesIn: m.Bytes.ClientIn.Value(), bytesOut: m.Bytes.ClientOut.Value(),
	}
	for _, d := range m.ReadDurations() {
		if d.Kind != metrics.Unknown { // commands that are no statements
			now.durations[d.Kind] = d.Buckets
			now.total.Add(d.Buckets)
		}
	}
	for _, c := range m.ReadRefusals() {
		now.refused += c.Count
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.readings) == kept {
		r.readings = append(r.readings[:0], r.readings[1:]...)
	}
	if n := len(r.readings); n > window { // only the window needs kinds
		r.readings[n-1-window].durations = nil
	}
	r.readings = append(r.readings, now)
}

// span is what happened between the reading of a window ago and the last.
func (r *Recorder) span() (before, after reading, seconds float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.readings) - 1
	before, after = r.readings[max(last-window, 0)], r.readings[last]
	return before, after, after.at.Sub(before.at).Seconds()
}

// load is what happened in the window.
func (r *Recorder) load() Load {
	before, after, seconds := r.span()
	since := after.total.Since(before.total)
	l := Load{Window: seconds, Latency: latencyOf(since)}
	if seconds > 0 {
		l.Statements = float64(since.Count()) / seconds
		l.BytesIn = float64(after.bytesIn-before.bytesIn) / seconds
		l.BytesOut = float64(after.bytesOut-before.bytesOut) / seconds
	}
	return l
}

func latencyOf(b metrics.Buckets) (l Latency) {
	if b.Count() == 0 {
		return l
	}
	for _, q := range []struct {
		part float64
		to   **float64
	}{{0.5, &l.P50}, {0.95, &l.P95}, {0.99, &l.P99}} {
		seconds := b.Quantile(q.part).Seconds()
		*q.to = &seconds
	}
	return l
}

// history is all that was recorded.
func (r *Recorder) history() History {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.readings) - 1
	h := History{
		Interval: tick.Seconds(), Statements: make([]float64, 0, n), Refusals: make([]float64, 0, n),
		Sessions: make([]float64, 0, n), P95: make([]float64, 0, n),
	}
	for i := 1; i <= n; i++ {
		before, after := &r.readings[i-1], &r.readings[i]
		seconds := max(after.at.Sub(before.at).Seconds(), 1e-3)
		since := after.total.Since(before.total)
		h.Statements = append(h.Statements, float64(since.Count())/seconds)
		h.Refusals = append(h.Refusals, float64(after.refused-before.refused)/seconds)
		h.Sessions = append(h.Sessions, float64(after.sessions))
		h.P95 = append(h.P95, since.Quantile(0.95).Seconds())
	}
	return h
}
