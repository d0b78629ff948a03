// Package layers backfills what a change adds to a stored table that has rows, while
// clients read and write the table.
//
// A change that needs a layer which is not there, or that adds a column with a
// value, goes through a revision of the table in which the new stored columns are
// there, take NULL, and are written by every write, and nobody reads them
// (catalog.Backfilling). From then on only the rows from before lack something:
//
//	revision n      the table as it was
//	revision n+1    every write writes what is new, no statement reads it  ◄── Fill works here
//	revision n+2    what is new is whole, and is used
//
// The revisions are package ddl's. Here is the work in between ([Job.Backfill]), in two
// parts:
//
//   - backfilling: rows that lack something are read by the key that tells rows apart,
//     a few hundred at a time, and locked. Their sealed forms are opened, the tokens
//     computed, and all of it is written in one statement. Rows that a client has
//     locked are left for later, so that backfilling waits for nobody and no client is
//     rolled back in its place.
//   - looking: every row is read once more without a lock, and each token computed
//     anew and compared. Only what has passed may be used.
//
// Both can be stopped at any point and begun again: what a row has already, it keeps.
//
// A value is read from a source: the sealed form of a column, or that of a family, which is opened once a row
// for all of its members. Of members the server does not see which values are NULL, so that rows without a token
// are opened to tell whether they lack one.
//
// Each row gets a sealed form of its own, of a column's default too. One form for
// all rows would tell a reader of the disk which rows still have the default.
//
// Two things are done while nobody else uses the table: [Reseal] gives rows the forms of
// columns of another type, and [Judge] looks whether they fulfil a CHECK that is added.
package layers
