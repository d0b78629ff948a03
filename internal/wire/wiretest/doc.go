// Package wiretest has the two ends of a MySQL connection as scripts, and a
// connection that misbehaves between them. Tests of the rooms above wire use it
// to be the server that dies in the middle of a row or the client that sends one
// byte at a time: things a real database or driver does once a year, and never
// on request.
//
// A Peer is one end of a connection. What it does is a list of Steps, played in
// order: Expect and Send the messages of package wire, or SendRaw, Truncate,
// Close, Reset and Hold for what no honest peer does. A Step that meets something
// else than it expects returns an error that says so.
//
//	server := wiretest.Server{Script: wiretest.EveryConnection(
//		wiretest.Accept,
//		wiretest.Expect(wire.ComQuery),
//		wiretest.Truncate(7, wiretest.OK(wire.OK{})), // dies inside the answer
//		wiretest.Close,
//	)}
//	server.Start(t)
//
// Client logs in as a driver does, Database answers as a small server does, and
// ReadAnswer reads an answer packet by packet. ReadAnswer is written apart from
// wire.Response on purpose: tests hold one against the other.
//
// Nothing here waits for a time to pass. A peer that must stand still holds until
// the test lets it go.
package wiretest
