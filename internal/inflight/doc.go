// Package inflight knows which statements of a process's clients the server may have.
//
// A statement on a plain table has no fence, and is inside of no gate. The server may come to the table long after it
// has got the statement: behind the lock of another table, or at the end of a text of several statements. If the
// table were protected by then, the server would take its values as they are, and return stored forms. So a name
// becomes that of a protected table only when no statement is in flight that was planned before all knew of the name
// and may come to it.
//
// A member of the ledger says beside the version that it has read which one no such statement of its own holds back, and
// who makes a change waits for its own as well. A statement whose session was cut off is in flight until the server has closed the
// connection.
package inflight
