// Package tpcc is the order-entry workload of TPC-C, revision 5.11, as far as it
// concerns a database: the nine tables (clause 1.3) and what they hold at first
// (4.3), the five transactions (2.4 to 2.8) in their mix (5.2.4.2), and the
// conditions that have to hold whenever no transaction is under way (3.3.2).
//
// What is left out is what surrounds a database: terminals, keying and think times
// (5.2.5), the audit. So what it counts is no tpmC and must not be called so.
//
//	Scale     how many rows there are; the specification's are Full's
//	Load      makes and fills the tables
//	Terminal  one client: draws transactions from the deck and carries them out
//	Drive     many terminals for a time, or for a number of transactions
//	Check     the conditions
//
// Everything that is drawn comes from the seed, times included, so two databases that
// get the same transactions from one terminal answer the same, and hold the same rows
// afterwards: that is how a proxy is held against a plain server.
package tpcc
