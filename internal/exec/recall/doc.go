// Package recall keeps rows that a transaction has read FOR UPDATE, as they are stored, for an UPDATE of
// one of them: it need not be read again.
//
// A row is known by its table and its key, as a stored statement compares it. Rows stay as long as each statement
// says of itself that it leaves them alone: see Rows.Next and docs/decisions/0051.
//
// What is known of a row goes to the row cache as well (package rowcache), for all sessions and without a lock.
package recall
