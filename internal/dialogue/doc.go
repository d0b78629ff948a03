// Package dialogue is how a session and its server talk while a stored statement is carried out: it sends commands
// and reads their answers, one or several at a time, and leaves what is in the answers to who asks.
//
//	command ── Request, SendPacket ──► server ── Next, PassAll ──► who passes it on to the client
//	commands ── Push, Push, Flush ──► server ── Follow, Await ──► who makes one answer of them
//	a text of several ── SendSeveral ──► server ── the same, and where it was cut short
//	COM_STMT_PREPARE ── PrepareRemote ──► server ──► Preparation
//
// The connection is the client's own: what the server says on it may be about a transaction of the client's, and
// the client has to hear of it. So nothing is sent before it is known whether the server has ended the transaction
// in an answer that the client did not get (Told), and an error that no one is told is kept with the connection.
//
// # Answers that the client gets, and others
//
// A wire.Response follows every answer. Where the client gets the answer it is the session's own; where tunic
// makes one answer of several, who writes has one of its own, and Dialogue.Response is that until it is done. While
// the server is waited for, the client gets what there is for it: that is Waiter.Write, and all that the room knows
// of a session, with whether a KILL QUERY has come.
//
// # Several at once
//
// Commands that are pushed go out in one write, and the server answers them one after the other. Several
// statements in one text stop at the first that fails; as commands of their own those behind it would run. A text
// that KILL QUERY has ended says nothing of it, so there is a command behind each text by which its end is known
// (killed.go). A node of Galera gets one statement at a time, as it may end a transaction between two (several.go).
//
// What has to be done whatever happens, as the end of a transaction, is sent again where KILL QUERY has met it
// (SureText, SureCommit); what cannot be put back (RestoreText) ends the session, and the server does it then.
//
// # Errors
//
// A *sqlerr.Error is for the client, and the server is as it was. A *BrokenError is a failure of the connection, or
// an answer that does not fit the protocol: nothing that comes behind it can be trusted. An error of the server's
// about a statement is in the words of the stored one; whoever knows the logical one translates it.
//
// # What it is not
//
// The package makes no statement and opens no row: it knows no column, no key and no plan. Before one is sent,
// package binding has made its bytes.
package dialogue
