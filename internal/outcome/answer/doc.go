// Package answer answers questions about the statement before, where the server does not know all that there is to
// say: SHOW WARNINGS and SHOW ERRORS, ROW_COUNT() and the like where a query asks for nothing else, GET DIAGNOSTICS.
//
//	                 ┌─► outcome.Last     the error by which tunic has refused it, what it has counted itself
//	question ─► Teller ─► Carried         the notices of what tunic has carried out
//	                 └─► Server           the same question: its columns, and what it has to say itself
//	Teller ─► Answer, Diagnosis           rows for the client, or variables that the session sets
//
// A server that has not got a statement cannot say how it went: its list of
// warnings is that of an older one. So questions are answered in the forms that clients use, and ErrUnknown refuses
// the others. The server is always asked the same, for the columns, whose names, character set and sizes are its own.
//
// A Teller tells nobody: it is made for one question, and the session writes what comes of it. What it has asked
// and answered it notes in the outcome.Last.
package answer
