// Package status is what an operator wants to know of a tunic that runs, at one moment: one
// type, [Snapshot], which is the JSON of /status.json, and what the status page and `tunic
// status` show.
//
// Almost all of it is read from what the metrics count anyway. A [Recorder] reads the
// counters once a second and keeps the last minutes, since rates and quantiles are
// differences. What only the server can say, about protected tables, keys and jobs, it
// says through a [Source].
//
// Nothing in it is a value, a literal, a key or a name of a client's: of statements it has
// templates as package usage shows them.
package status
