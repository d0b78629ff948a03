// Package metrics counts what tunic does, for Prometheus.
//
// The path of a query only ever touches a [Counter], a [Gauge] or a
// [Histogram]: plain atomic numbers, resolved to their place before the first
// client connects, so counting costs an atomic add and never allocates, locks
// or looks up a label. Turning them into Prometheus' form happens at scrape
// time, in collect.go. What is cheaper to ask for than to keep up to date, such
// as the size of the plan cache, is a callback (watch.go).
//
// Every label value comes from a list fixed at start. No label ever holds
// anything a client chose: no user, no schema, no SQL; that would leak and
// would let clients grow the process without bound.
//
// The names and meanings of all metrics are in docs/metrics.md, which a test
// generates from the families of this package.
package metrics
