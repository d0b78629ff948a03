package metrics

import "github.com/prometheus/client_golang/prometheus"

// family is one metric name: what docs/metrics.md says of it, and how its
// series are read at a scrape.
type family struct {
	name, help string
	kind       kind
	labels     []label
	// read calls emit once for each series with its value and label values.
	read func(emit emitter)
	// histogram is read instead, for a family of kind histogram: the sum of all.
	histogram []Histogram

	desc *prometheus.Desc
}

type emitter func(value float64, labelValues ...string)

// label is a label's name and what its values are, for the document.
type label struct {
	name   string
	values []string
}

// kind is the Prometheus type of a family.
type kind string

const (
	counter   kind = "counter"
	gauge     kind = "gauge"
	histogram kind = "histogram"
)

func (k kind) valueType() prometheus.ValueType {
	if k == counter {
		return prometheus.CounterValue
	}
	return prometheus.GaugeValue
}

// newFamily completes a family with the description Prometheus wants.
func newFamily(f family) *family {
	names := make([]string, len(f.labels))
	for i, l := range f.labels {
		names[i] = l.name
	}
	f.desc = prometheus.NewDesc(f.name, f.help, names, nil)
	return &f
}

// Describe implements [prometheus.Collector].
func (f *family) Describe(ch chan<- *prometheus.Desc) { ch <- f.desc }

// Collect implements [prometheus.Collector].
func (f *family) Collect(ch chan<- prometheus.Metric) {
	if f.histogram != nil {
		buckets, count, sum := snapshot(f.histogram)
		ch <- prometheus.MustNewConstHistogram(f.desc, count, sum, buckets)
		return
	}
	f.read(func(value float64, labelValues ...string) {
		ch <- prometheus.MustNewConstMetric(f.desc, f.kind.valueType(), value, labelValues...)
	})
}

// one reads a family of a single series.
func one(read func() float64) func(emitter) {
	return func(emit emitter) { emit(read()) }
}

func counted(c *Counter) func(emitter) {
	return one(func() float64 { return float64(c.Value()) })
}

func gauged(g *Gauge) func(emitter) {
	return one(func() float64 { return float64(g.Value()) })
}

// listed reads an array of counters, one series for each name.
func listed(names []string, counters []Counter) func(emitter) {
	return func(emit emitter) {
		for i, name := range names {
			emit(float64(counters[i].Value()), name)
		}
	}
}
