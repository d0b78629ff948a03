// Package service has the service account's connections on which definitions are read as a client's session reads
// them.
//
// What a definition comes to depends on the session that sends it: the SQL mode, the default engine, the time zone, and
// more that [ShowSettings] asks for. A [Connection] takes over these settings of a client's session, makes the twin of
// a table by them, and says what the server then says of it: its facts, its warnings, its errors, with the name that
// the client knows in the place of the twin's.
//
// To log in costs both sides more than most definitions, so that connections that are done wait in [Idle] for the next
// one. One whose statement ended with anything else than an answer of the server's is closed for good: nobody knows
// what its session is in.
//
// [Error] and [Said] are how errors of the server are read in all of package ddl.
package service
