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

// snapshot adds up histograms in Prometheus' form: cumulative counts by upper
// bound in seconds, their total, and the sum in seconds.
func snapshot(all []Histogram) (cumulative map[float64]uint64, count uint64, sum float64) {
	var total Buckets
	var nanos int64
	for i := range all {
		total.Add(all[i].Buckets())
		nanos += all[i].sumNanos.Load()
	}
	cumulative = make(map[float64]uint64, len(bucketBounds))
	for i, bound := range bucketBounds {
		count += total[i]
		cumulative[bound.Seconds()] = count
	}
	count += total[len(bucketBounds)]
	return cumulative, count, time.Duration(nanos).Seconds()
}

// Buckets are the counts of a Histogram by bucket, not cumulative; the last one is of what
// is longer than all bounds.
type Buckets [len(bucketBounds) + 1]uint64

// Buckets reads the counts.
func (h *Histogram) Buckets() (b Buckets) {
	for i := range h.buckets {
		b[i] = h.buckets[i].Load()
	}
	return b
}

// Add adds other counts.
func (b *Buckets) Add(other Buckets) {
	for i, n := range other {
		b[i] += n
	}
}

// Since is what was counted since another reading.
func (b Buckets) Since(before Buckets) Buckets {
	for i, n := range before {
		b[i] -= min(n, b[i])
	}
	return b
}

// Count is how many there are.
func (b Buckets) Count() (n uint64) {
	for _, in := range b {
		n += in
	}
	return n
}

// Quantile is about the duration that a part q of all does not exceed, 0 if there are
// none: a place in its bucket, in which durations are taken to be spread evenly. What is
// longer than all bounds counts as the longest one.
func (b Buckets) Quantile(q float64) time.Duration {
	rank, before := q*float64(b.Count()), 0.0
	for i, in := range b {
		n := float64(in)
		if n == 0 || before+n < rank {
			before += n
			continue
		}
		if i == len(bucketBounds) {
			break
		}
		low := time.Duration(0)
		if i > 0 {
			low = bucketBounds[i-1]
		}
		return low + time.Duration((rank-before)/n*float64(bucketBounds[i]-low))
	}
	if b.Count() == 0 {
		return 0
	}
	return bucketBounds[len(bucketBounds)-1]
}
