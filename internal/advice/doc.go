// Package advice finds which layers would pay, and says so.
//
// A plan knows which layers it misses (recipe.MissingLayer). What executions read and leave out
// for lack of them is counted in a [Book], by column and capability:
//
//	recipe.Run.Missing ──► Book.Open ──► Page ──► atomic adds, once for a statement
//	                        │
//	                        ▼  every minute
//	                     Advisor: does it pay? what would it tell? ──► note, log, job
//
// The hot path gets a [Page] when a plan is made ready, and from then on only adds to
// counters and sets a flag: no lock, no map, no allocation. Counts are halved every hour,
// so that they are about what is asked now. There is a counter for each column and
// capability that is missed, and none for columns that are gone.
//
// Counts say what a layer would save. What it would cost is what the server learns, and
// that depends on the values: a column with a handful of values, or with one that most
// rows have, is readable by how often each occurs. [Judge] looks at a sample of the
// column, which is opened in tunic, and refuses by default: see its thresholds.
//
// Nothing here holds a value: counters count rows, and a [Histogram] has hashes with a seed
// of its own, for as long as the sample is looked at.
package advice
