// Package plain is what tunic knows of plain tables. It keeps no definitions of them, which anybody may change: the
// server is asked, on the client's connection, and this package reads what it says.
//
//	names in a statement to be forwarded ──► Known? ──► Asker.Missing ──► forward, or refuse
//	names beside protected ones          ──► Asker.Tables             ──► plan with what they are now
//	words of a text that cannot be read  ──► Asker.Guarded            ──► refuse, if one may be guarded
//
// Known are tables that were found, for all sessions; a version of the catalog and a policy later they are looked
// for again. A table that the client may not see, or that is not there, Denied and Unpreparable say in the words
// that the server would have for the statement.
//
// An Asker knows which questions answer that, and not how the server is reached: a session asks them for it. It
// decides nothing, as package policy has the rules.
package plain
