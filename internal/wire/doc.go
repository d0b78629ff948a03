// Package wire turns the bytes of the MySQL client/server protocol into
// messages and back, in both directions. It knows no SQL and opens no socket:
// a Conn works over any io.ReadWriter.
//
// The protocol, from the outside in:
//
//	transport   TCP, a Unix socket, TLS, or the compressed protocol (Compressed)
//	frame       3 bytes length, 1 byte sequence number, up to 2^24-1 bytes
//	packet      one frame, or several when the payload is 2^24-1 bytes or more
//	message     Handshake, Query, OK, Err, ColumnDefinition … one file each
//	response    what answers one command: an OK, or result sets, or columns …
//
// Messages decode from one packet's payload and append themselves to a byte
// slice; decoding keeps slices of the payload and copies nothing, so a message
// is valid as long as the packet it came from. A decoder that meets bytes it
// does not understand returns an error that wraps ErrMalformed, never a guess.
//
// A Command that has a row in the table of command.go is known: the row says in which form servers
// answer it. Whether a client may send it, and what becomes of it, is for package session to say.
//
// Response is the part a relay needs: it follows a server's answer frame by
// frame, without copying it, and says where it ends. What is passed on is
// passed on because Response has understood its place in the protocol.
// Tests have readers of answers that are written apart from it, in packages wiretest and
// difftest: what is new in an answer is written in all three.
//
// Sources: the MySQL client/server protocol chapter of the MySQL source
// documentation, and the MariaDB Knowledge Base's "Client/Server Protocol" for
// the capabilities that are MariaDB's own.
package wire
