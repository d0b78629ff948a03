// Package takeover has a new tunic go on listening where another one listens, so that no client
// finds nobody there while tunic is started anew.
//
//	new                                     old
//	everything is checked                   serves
//	connects to the takeover socket  ───►   is it a process of the same user?
//	makes listeners of the sockets   ◄───   its listening sockets
//	"ready"                          ───►   accepts no more
//	accepts                          ◄───   "done"
//	serves                                  drains, ends
//
// Both processes have the same sockets in between, with one queue of connections: one that comes
// waits there until somebody accepts it. A new tunic that ends before it is ready leaves the old one
// as it was. The takeover socket is handed over like the others, for the next one that asks.
//
// Sockets that systemd has made for tunic (socket activation) are taken in the same way; nobody has
// to be asked for them.
package takeover
