package metrics

import (
	"sync/atomic"
	"time"
)

// Counter counts up. The zero value is ready; it must not be copied.
type Counter struct{ n atomic.Uint64 }

// Inc adds one.
func (c *Counter) Inc() { c.n.Add(1) }

// Add adds n; bytes, usually. A negative n is a mistake of the caller and adds
// nothing, for a counter that falls looks like a restart to Prometheus.
func (c *Counter) Add(n int) {
	if n > 0 {
		c.n.Add(uint64(n))
	}
}

// Value is the count so far.
func (c *Counter) Value() uint64 { return c.n.Load() }

// Gauge is a number of things that exist now. The zero value is ready; it must
// not be copied.
type Gauge struct{ n atomic.Int64 }

// Inc adds one.
func (g *Gauge) Inc() { g.n.Add(1) }

// Dec takes one away.
func (g *Gauge) Dec() { g.n.Add(-1) }

// Add adds n, which may be negative.
func (g *Gauge) Add(n int) { g.n.Add(int64(n)) }

// Set makes it n.
func (g *Gauge) Set(n int64) { g.n.Store(n) }

// Value is the number now.
func (g *Gauge) Value() int64 { return g.n.Load() }

// bucketBounds are the upper bounds of the buckets of a Histogram, in order:
// three a decade, from what a point query takes on one machine to what a user
// gives up on. What is longer falls in the bucket +Inf.
var bucketBounds = [...]time.Duration{
	20 * time.Microsecond, 50 * time.Microsecond,
	100 * time.Microsecond, 200 * time.Microsecond, 500 * time.Microsecond,
	1 * time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond,
	10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	1 * time.Second, 2 * time.Second, 5 * time.Second,
	10 * time.Second, 30 * time.Second,
}

// Histogram counts durations in fixed buckets. It is Prometheus' histogram
// without its exemplars, hot/cold halves and float sums: two atomic adds an
// observation. A scrape may see an observation in its bucket and not yet in the
// sum, which no query over time can tell. The zero value is ready; it must not
// be copied.
type Histogram struct {
	buckets  [len(bucketBounds) + 1]atomic.Uint64
	sumNanos atomic.Int64
}

// Observe counts d; a negative d, which a stepped clock can make, as 0.
func (h *Histogram) Observe(d time.Duration) {
	d = max(d, 0)
	h.buckets[bucketOf(d)].Add(1)
	h.sumNanos.Add(int64(d))
}

// bucketOf is the first bucket whose bound is not below d, by halving.
func bucketOf(d time.Duration) int {
	low, high := 0, len(bucketBounds)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if bucketBounds[middle] < d {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// snapshot reads the histogram in Prometheus' form: cumulative counts by upper
// bound in seconds, their total, and the sum in seconds.
func (h *Histogram) snapshot() (cumulative map[float64]uint64, count uint64, sum float64) {
	cumulative = make(map[float64]uint64, len(bucketBounds))
	for i, bound := range bucketBounds {
		count += h.buckets[i].Load()
		cumulative[bound.Seconds()] = count
	}
	count += h.buckets[len(bucketBounds)].Load()
	return cumulative, count, time.Duration(h.sumNanos.Load()).Seconds()
}
