// Package variables keeps user variables of a client: the server does not have their values.
// A variable of the same name at the server is ignored.
//
// What a client sets a variable to may go into a protected column, so that the server gets it only when a
// statement over plain tables reads the variable; what comes from a protected column it never gets:
//
//	SET @v = 7 ──► kept ──► read by a statement over plain tables ──► the server's from then on
//	               kept ──► goes with a protected column ──► secret, as all that it is computed from and that
//	                                                         is computed from it
//	               kept ──► the key of a cipher ──► withheld
//
// Kept knows which variables are kept, which of them the server may have, and which a plan reads. Memory for them
// is bounded. It gives nothing away but by Give, which a session calls before it forwards what reads variables: those
// that the server may have it gets then, and they are not kept any more. A variable that is not kept the server is
// asked for (Read, Ask).
package variables
