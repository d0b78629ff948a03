// Package plain is what tunic knows of plain tables. It keeps no definitions of them, which anybody may change: the
// server is asked, on the client's connection, and this package reads what it says.
//
//	names in a statement ──► Known? ──► SHOW COLUMNS ──► IsGuarded, Columns ──► forward, or refuse
//	words of a text that cannot be read ──► Question ──► GuardedIn
//
// Known are tables that were found, for all sessions; a version of the catalog and a policy later they are looked
// for again. A table that the client may not see, or that is not there, Denied and Unpreparable say in the words
// that the server would have for the statement.
//
// The package asks nothing itself, and decides nothing: a session asks, and package policy has the rules.
package plain
