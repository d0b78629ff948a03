// Package environment has what of a session changes the meaning of values: how a literal, a parameter or a
// stored value is read, and how one has to be written so that this session reads the same again.
//
//	backend.Environment ── Learn ──► Environment ──► value.Env, eval.Session, sql.Modes, character sets
//	                          ▲
//	                        Zones: what the server's names of time zones mean here
//
// The same statement means another value in another session: by sql_mode, time zone, character sets, the
// precision of a division, the time that it is. A server that holds sealed forms cannot apply any of it any more,
// so tunic does, and has to know it as the server does. One query asks the server for all of it
// (backend.Conn.Environment); Learn makes of the answer the forms that other packages compute with. A session of
// which something is not known here is refused, and not served by what is likely: a character set or a mode that
// would change an answer. A time zone is refused later, by Serves, since most statements have no TIMESTAMP.
//
// # Time zones
//
// A name of a time zone is one of the server's own tables, which need not be those of this machine. Zones asks the
// server what its clocks show around every change that is known here, once for each name, and takes a location
// only if all of it is the same.
//
// # What is written
//
// What is sent to the server of plain columns and of stored forms is text in the end, and is read by the
// session's rules. Literals are written so that they read alike in every sql_mode, character set and time zone:
// bytes as hexadecimal digits or behind _binary, text behind its character set, numbers with all of their digits,
// labels and bits by their number (AppendKept, AppendForm). What no form is known of is refused. AppendShown is
// for people: a value as the server has it in its messages.
//
// # What it is not
//
// An Environment is what values depend on. What else a client has set, and whether the server knows it, is in
// package state. It belongs to one session and is for one goroutine; Zones are for all sessions of a process.
package environment
