// Package statements keeps what a client has prepared: by the numbers that the server has told ([Numbered]), and by the
// names that PREPARE has given ([Named]).
//
//	COM_STMT_PREPARE ──► number ──► Numbered: whatever the session has of it
//	PREPARE          ──► name   ──► Named: its text, if the server does not have it
//	                                       else what is to be known before the server executes it
//
// A statement that the server has may speak of a table that has been protected since: each has the version of the
// catalog by which it was forwarded last, [Outdated] where another policy has come since.
//
// The package plans nothing and sends nothing.
package statements
