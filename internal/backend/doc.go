// Package backend holds tunic's connections to the database server.
//
// A Target is the server as configured: its address and how far its TLS is
// trusted. Target.Dial opens one Conn, which belongs to one client session; the
// client itself logs in over it, so a Conn knows no account. A Service is
// tunic's own account, used for what tunic itself must ask the server.
package backend
