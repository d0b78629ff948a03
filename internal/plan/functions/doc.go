// Package functions says of a statement which functions and programs it may call, and what that may do: whether one
// is a stored function (Foreign, MayCall), whether a program of the server's may run (MayRun), whether the statement does
// more than read where it has no rows (Acts), and whether a value is another one each time (Draws).
//
// True is the answer where in doubt: a name that is not known as a function of both servers' own may be a stored
// one's. The package knows names and trees. It knows no table, so that a name of FROM may be that of a view which
// calls something; and what becomes of the statement is not its to decide.
package functions
