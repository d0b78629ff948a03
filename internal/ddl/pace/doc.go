// Package pace says how a command of an operator's goes through the rows of a table beside clients, and keeps how far
// it is.
//
// A [Pace] is what the command keeps to: so many rows a second, and no rows while the server takes long for a small
// write. A [Passage] is one way through the rows. Its place is in the ledger, under a number of the table's own, and is
// written down in the transactions of the rows themselves: whoever goes on after a kill begins behind the last row that
// has what it was to have.
package pace
