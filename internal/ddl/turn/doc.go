// Package turn runs definitions of tunic's own that must not keep clients waiting.
//
// A definition waits for the transactions that use its table, and whoever wants to use the table then waits behind it
// (MySQL manual, "Metadata Locking"). A client who has asked for the definition expects that of it. What tunic does by
// itself must not keep clients waiting for a transaction that somebody has left open, so it gives up soon, lets those
// go by who have queued, and tries again later ([Patiently], [Turns.Brief]).
//
// One brief definition waits at a time, among all tunics of a database. Two that wait, each for transactions that wait
// behind the other, wait for each other: the server breaks such a circle by ending transactions of clients. And where
// clients have had to wait behind one, the next comes when they have had the server for themselves for some times as
// long, so that any number of jobs takes no more than its share of their time.
//
// Before a stored table gets another revision the ledger quiesces it: no open transaction of any tunic has used it then
// ([Turns.Quiesced]). A [Hold] lets go of the caller's mutex for as long as that takes.
package turn
