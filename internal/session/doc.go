// Package session is one client, from its connection to its end.
//
// A session is one goroutine and two sockets: the client's, and a connection of
// its own to the server. It is synchronous, as the protocol is: read a command,
// decide, pass it on, pass the answer back, read the next command. So there is
// no queue, no lock and no second goroutine to wake on the way of a query.
//
//	login.go     the handshake, TLS, capabilities
//	auth.go      the relay of challenge and answer; bridge.go where the two sides
//	             differ in what they hold safe for a password
//	serve.go     the loop; command.go what each command does
//	relay.go     a command to the server and its answer to the client; broken.go
//	             when the server has gone, or says what makes no sense
//	carry.go     statements over protected tables; carry_prepared.go if the client has
//	             prepared them; inquire.go questions about such tables
//	each.go      several statements in one text
//	fold.go      calls of ciphers, whose keys the server does not get
//	define.go    definitions, define_made.go those that come with rows; temporary.go
//	             tables that only this session has; existing.go tables that may be left
//	             to the server
//	locks.go     tables that are locked from one statement to the next
//	prepared.go  the statements the client has prepared
//	reading.go   how the server will read a statement, where that matters
//	state.go     what the client has set that changes the meaning of statements
//	outcome.go   questions about a statement that tunic has refused; diagnostics.go the
//	             same in GET DIAGNOSTICS
//	phase.go     what the session is doing, for those who watch it
//
// Everything a session passes on it has understood: a command that is not known,
// a statement whose plan says so, and an answer that does not follow the
// protocol end in an error to the client and are not passed on.
package session
