// Package crashtest kills: tunic at every crash point and at random times, the database
// server, and tunic by stopping it for longer than its lease; and looks what has been lost.
//
// Two real tunic processes stand before one real server. Through both of them go, all the
// time:
//
//	tellers   transfers between accounts, in transactions, each with an id row of its own
//	counters  increments, inserts, deletes and reads of rows that are one client's own
//	auditors  sums over all accounts, which no transfer changes
//	definers  keys, and with them layers, columns and tables that come and go
//
// A client keeps a log of what was acknowledged to it. Where a connection breaks, it does
// not know what became of its statement: it waits until its session at the server is gone,
// and looks, through tunic, which of the two it was. Then it knows all of what there is to
// be, and every read is compared with that.
//
// After each kill the tunic or the server is started again, the clients come to rest
// between two statements, and all is checked: each account has what the acknowledged
// transfers make of it, and the transfers are those that were acknowledged and no other;
// each row of a counter is its client's; each definition is there or is not, as a whole,
// through either tunic; the journal is empty; `tunic verify` opens every sealed form,
// computes each layer anew, and finds no table, column or key that it cannot explain.
//
// The points are read out of the sources, so that one that is added is killed at as well: in
// the long form one at which no tunic could be killed fails the test, the short one draws a
// few and leaves out what is not passed in time. The seed is printed; what is drawn
// by it is drawn again, though not what the scheduler does.
//
// `tunic rotate`, `tunic encrypt` and `tunic decrypt` have points of their own: TestRotation and
// TestConversion kill them there, beside the same clients, and begin them again. They kill the
// server and the tunics of the clients, too, while such a command runs.
//
// The room holds nothing but tests.
package crashtest
