// Package transaction knows what the transaction of one client has used, and by which catalog it may go.
//
// The server keeps the definitions of tables and its locks on them for a transaction, and may show it rows as
// they were when its snapshot was made. Meanwhile another client may have changed a table. So the catalog of a
// session is not always that of all:
//
//		catalog of all ──► Passing ──► Temporaries ──► Since ──► Unfenced ──► what statements are planned by
//
//	  - Passing leaves out a table that comes to be protected and that the transaction has used as a plain one;
//	  - Temporaries adds the session's own tables;
//	  - Since leaves out layers that were filled after the snapshot;
//	  - Unfenced leaves out the fences, for an account that may not name them.
//
// [Client] has all of them, of one client. Each gives back the catalog that it got where it has nothing to say, which is nearly always, and keeps what it
// has made for the next statement. Touched are the tables that the transaction has used, up to savepoints: gates
// ask who holds a table, and Passing which names it has. PlainTemporaries are names of temporary tables that are not
// protected: what names one of them is not for a protected table of that name.
//
// The package asks no server and reads no ledger: it is told of plans, of status flags and of the catalog that
// there is.
package transaction
