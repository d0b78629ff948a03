// Package login is what lets a client in: the exchange of challenge and answer between client and server, who a
// client is, how many logins are under way, and what may come before MySQL's first packet.
//
//	client ──► header of the PROXY protocol ──► TLS ──► Exchange ◄──► server
//
// An Exchange passes on what client and server say to each other, with the plugins that it knows; no password is
// tunic's to check. caching_sha2_password and sha256_password send the password itself when the server does not
// know it yet: in clear where the connection is secured (TLS, a Unix socket), encrypted with the server's RSA key
// where it is not. When both sides of tunic are alike, the packets pass as they are. When only one of them is
// secured, tunic stands in for the other side, so the password is never in clear on a connection that is not
// secured. It is held for the time of the exchange and wiped.
//
// Logins bounds logins under way and slows down who guesses passwords. Among judges an account by the operator's
// lists.
//
// The package sees two connections and no session: that the client is told of a refusal, that it is counted and
// logged, and what is done with a server that fails, is for package admission. A refusal is a RefusedError.
package login
