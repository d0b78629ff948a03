// Package failure says what has failed on a connection, to those who may know of it.
//
//	the log      ──► Reason, Code, Client: what kind of failure, and where the client is; never what was sent
//	the client   ──► OfClient: the error that answers bytes which could not be read; none if the client is gone
//	the session  ──► IsTimeout, IsMalformed: whether somebody has said nothing, or what makes no sense
//
// An error of a connection may have anything in it that its peer has sent, so no text of one goes to a log or a
// client but by this package. It knows no session and counts nothing.
package failure
