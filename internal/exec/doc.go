// Package exec carries out a recipe.Run over a session's connection to the server.
//
//	recipe.Run ── Engine.Statement ──► Statement      once a plan: columns, slots, keys
//	literals, parameters ── binding.Binder ──► stored forms
//	stored statement ── dialogue.Dialogue ──► rows     text.go, prepare.go, execute.go
//	rows ── opening.Opener ──► client                  rows.go, answer.go
//	rows ── opening.Fetcher ──► package local ──► client   local.go, result.go
//	rows ── opening.Fetcher ──► change.Computer ──► server    write.go, insert_upsert.go
//	errors ── translation.Translator ──► client         answer.go
//
// # What is sent
//
// The server gets the stored statement with a form in every slot: the sealed form
// of a value that is stored, or the token of a layer. A value that is stored is
// converted to its column's type first, as the server would have: the server holds
// bytes and can no longer do it. What it would have said of the value (package
// value) is an error in its words, or a warning that is added to its own
// (binding.Notices). A value that is compared becomes the canonical value that it stands
// for. Values of plain columns stay as the client wrote them.
//
// # What comes back
//
// The columns of a result are those of the logical statement: the server describes
// them, asked over the table's empty twin ([description.Describer]). Rows are opened one after
// the other on their way from the server's buffer into the client's; nothing is
// kept of them. A value that does not open ends the result with an error and is
// never shown, and never NULL.
//
// # What is finished here
//
// Where the plan has local steps the rows are not passed on but taken apart: a
// fetcher makes canonical forms of them, and they go one by one through the steps,
// which are compiled once for sessions of one kind and values of one form (package
// eval). What comes out is computed and written as the server describes it; where
// the two do not agree, the statement is refused. A budget.Budget bounds what is read and
// kept. docs/local.md says which statements these are.
//
// Of several tables the rows are gathered first, those of each table by themselves;
// joins, subqueries and sets are relations that pass rows on to the same steps.
//
// # What is written here
//
// Where the plan has a second half, the rows that come back are what a statement
// writes: they are computed and sent to the server again, one statement a row, in the
// client's transaction or in one of tunic's own. Answers that the client does not get
// are followed by a Response of the writer's. docs/writing.md says when and how.
//
// # What is known of the session
//
// How values are read and written depends on the session: sql_mode, time zone,
// character sets, the time. [Session.Learn] asks the server for all of it in one
// query (package environment); a session asks again whenever something may have changed it.
//
// # Where it differs from a plain server
//
// Values are converted before the statement is sent. A statement with two things
// wrong in it, a value of a later row and a duplicate key in an earlier one, is
// answered with the error of the value; an UPDATE with a value that no row could
// take fails though it finds no row; and a statement that fails so uses up no
// number of AUTO_INCREMENT. In SHOW WARNINGS what values have raised comes before
// what the server says.
//
// # Memory
//
// A Session keeps its buffers from one statement to the next. In steady state a
// value costs no allocation, and neither does a row.
package exec
