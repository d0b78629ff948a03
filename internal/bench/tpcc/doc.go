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
// Within the database, this differs from the specification:
//
//   - Tables can be made with a share of the customers, orders and items (1.2.1), and any
//     number of terminals has a warehouse for its home, not ten (4.2.2). Where there are more
//     than it has districts, some look at the stock of the same one (2.8.1.1).
//   - The history refers to no customer and no district (1.3): it has keys where the
//     references would be.
//   - New-Order reads the data of items and stock, and neither tells brands by them nor
//     forms the total amount (2.4.2.2): that is the client's, and sends no statement.
//   - Delivery is carried out at once, its client waiting, and not queued (2.7.2); it is one
//     transaction over all districts.
//   - The numbers of orders may have a comment that has tunic keep their order: transactions ask for the last and the oldest order, and
//     for those before a number.
//   - Times are drawn, a second after the other, and are not the clock's.
//
// Everything that is drawn comes from the seed, times included, so two databases that
// get the same transactions from one terminal answer the same, and hold the same rows
// afterwards: that is how a proxy is held against a plain server.
package tpcc
