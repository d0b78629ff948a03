// Package parting knows where a session ends while tunic drains, so that no command of its client can be on
// its way:
//
//   - with the answer that ends a piece of work: that of COMMIT, or of a statement that is its own
//     transaction, or of what its client does behind that (trail.go). The end of the connection comes in
//     the same segment as the answer, so that a pool which looks at a connection before it uses it cannot
//     miss it;
//   - or when the client has sent nothing for a while.
//
// Ended at once, as it was idle, the session of a busy pool would now and then end just when the
// pool has looked at it and sends the next statement, which no driver may repeat by itself.
//
// While there is something in the session that goes with it, it goes on: a transaction, locks,
// temporary tables, open cursors. A Track knows of such things what plans and the status flags of answers
// tell. It knows no connection and ends nothing: it is told of each command, and asked between two of them.
//
// An Ending is the other half: that a session was told to end, for this or for another reason, and how that reaches
// it where it waits. It sets deadlines of the client's socket, and reads and writes nothing:
//
//	BeginDrain, CutOff, EndIdle, EndGone, EndStalled   any goroutine ──► told, and the client's socket wakes
//	Why, Leaves, ReadsUntil                            the session asks between two commands
package parting
