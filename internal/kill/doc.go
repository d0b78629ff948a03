// Package kill tells sessions that a KILL QUERY was for them.
//
// A server forgets a KILL QUERY that comes between two statements of tunic's for one of the client's: it
// says that it is done, and nothing ends. So the session is told as well, by the one through which the
// KILL QUERY has come:
//
//	KILL QUERY 5 ──► which command is 5 at? ──► server: OK ──► tell that command ──► client: OK
//
// Who has got the OK may rely on it, and no command is told that has begun behind the KILL QUERY.
//
// Pending are the KILL QUERYs of one command: which of its results each is answered with, and whom it aims at. A
// Registry has the Targets of one tunic. It knows no session and ends nothing that
// runs: whoever has been told asks IsTold between the statements that it sends. Sessions of other tunics
// are not in it.
package kill
