// Package ledger writes the catalog down in the database itself, in the schema
// _tunic, so that tunic's own machine holds nothing that could be lost but the key
// file.
//
//	project   one row: the project's ID, and the root
//	master    one row a master key, wrapped by the key file's key
//	object    one row a protected table, or view over some, sealed
//	journal   one row a change of definitions that is under way, sealed
//
// Every row is sealed under a key of the catalog and bound to its place. The root
// is sealed too and holds a version and a digest of all other rows: a row that is
// changed, removed or put back from an older copy does not fit it. A ledger that
// does not fit its root is not used. That all rows and the root are put back
// together cannot be seen by a process that has just started; one that runs never
// takes an older version than it has seen.
//
// # Changes
//
// MySQL commits every definition by itself, so a change of several steps is
// written into the journal first, with the tables as they are and as they are to
// be. Then the definitions are run, and then it is settled: each table is looked
// at, and what is found is what the catalog says from then on. Whoever opens a
// ledger settles what is left in its journal in the same way. A stored table shows
// which definition it has by a mark in its comment ([Mark]), which a definition
// sets in the same statement that makes it so, and a stored view by the name of its last
// column ([ViewMark]).
//
// # One tunic at a time
//
// A ledger is held by a named lock at the server. Another tunic that asks for it
// is turned away. A tunic that loses the lock, with the connection that held it,
// stops using protected tables until it has it back and has read the ledger again.
package ledger
