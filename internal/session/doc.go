// Package session is one client, from its connection to its end.
//
// A session is one goroutine and two sockets: the client's, and a connection of
// its own to the server. It is synchronous, as the protocol is: read a command,
// decide, pass it on, pass the answer back, read the next command. So there is
// no queue, no lock and no second goroutine to wake on the way of a query.
//
//	serve.go     the loop; command.go what each command does
//	ways.go      what is done by the action of a plan, whichever way the statement came
//	attempt.go   a statement whose tables change while it is under way
//	relay.go     a command to the server and its answer to the client; broken.go
//	             when the server has gone, or says what makes no sense
//	execute.go   statements over protected tables; execute_prepared.go if the client has
//	             prepared them; inquire.go questions about such tables
//	each.go      several statements in one text
//	fold.go      calls of ciphers, whose keys the server does not get
//	define.go    definitions, define_made.go those that come with rows; existing.go
//	             tables that may be left to the server
//	locks.go     tables that are locked from one statement to the next
//	prepared.go  the statements the client has prepared, by their sorts: prepared_forwarded.go,
//	             prepared_here.go, prepared_replayed.go and define_prepared.go; textual.go those
//	             of PREPARE
//	assign.go    what sets user variables
//	owner.go     what is asked of a session while a statement is executed
//	reading.go   how the server will read a statement, where that matters
//	outcome.go   questions about a statement that tunic has refused or carried out
//	leaving.go   what would be lost with a session that drains
//	phase.go     what the session is doing, for those who watch it
//
// How the client comes in is package admission, and what is left of that in the end are the two connections.
//
// What it has to know of the client from one command to the next are packages of their own, which know no
// session and no connection: what the client has set (state), its user variables (variables), its transaction
// (transaction), what it has prepared (statements), what there is to say of the statement before (outcome),
// whether it can end and was told to (parting), and what of it a KILL QUERY was for (kill). The session tells them what was done
// and what the server has answered, and asks them before it does the next. The statement under way is one of them
// too (attempt): by which definitions it was planned, and when it has to be planned again.
//
// Everything a session passes on it has understood: a command without a case of its own (Session.command),
// a statement whose plan says so, and an answer that does not follow the
// protocol end in an error to the client and are not passed on.
package session
