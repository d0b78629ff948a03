// Package admission lets a client in, from the connection that was accepted to the first command, and once more
// for COM_CHANGE_USER.
//
//	Arrive ──► where the client is: a balancer may have to say so                             header.go
//	Login  ──► a place among logins, a connection to the server                               login.go
//	       ──► greetings and capabilities, TLS                                                greeting.go
//	       ──► the account, by the operator's lists                                           account.go
//	       ──► challenge and answer, until the server lets the client in or does not          authenticate.go
//	ChangeUser ──► the last two once more, in a session                                       changeuser.go
//
// Package login knows what challenges and answers mean, who is on which list, and how many logins may be under way.
// Here both connections are read and written by it; and a client that is not let in is counted, logged and told why
// (told.go). No name of an account is logged, as people type passwords in its place.
//
// An Entry knows no statement. It goes by what all clients have in common (a Door) and by settings that may change
// (Rules). What it has in the end is what a session begins with: the client's connection and capabilities, its
// account, and the connection to the server that has let it in. If the session is to end meanwhile, its
// parting.Ending says so.
package admission
