// Package ledger writes the catalog down in the database itself, in the schema
// _tunic, so that tunic's own machine holds nothing that could be lost but the key
// file.
//
//	project   one row: the project's ID, and the root
//	master    one row a master key, wrapped by the key file's key
//	object    one row a protected table, or view over some, sealed
//	journal   one row a change of definitions that is under way, sealed
//	job       one row a job: work that goes on in the background, sealed
//	member    one row a process that reads the ledger
//	progress  one row a job: how far it is
//
// Every row but those of members and of progress is sealed under a key of the catalog and bound to its place. The root
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
// at, and what is found is what the catalog says from then on. What is left in the journal
// is settled in the same way. A stored table shows
// which definition it has by a mark in its comment ([Mark]), which a definition
// sets in the same statement that makes it so, and a stored view by the name of its last
// column ([ViewMark]).
//
// # Any number of tunics
//
// One at a time changes something: it has a named lock at the server from before it
// announces a change until it has settled it. Every write replaces the root that was read,
// or is not done, so that who has lost the lock cannot write. The others look at the root
// a few times a second, and read the ledger when it is another one; a statement that the
// server refuses, because its table has got another fence (catalog.Table.Fence), makes
// them look at once ([Ledger.CatchUp]).
//
// Each process is a member, which tells what it has read. A name that becomes that of a
// protected table is known to all members before it does (member.go). A pulse on a connection of
// its own has a member stay one that is late to look (pulse.go).
//
// What a process leaves that is killed, or loses its connection, is settled by whoever has
// the lock next: which is any other member, at once (takeover.go).
package ledger
