// Package repeat knows which statements of tunic's own a session sends again and again, so that the server has them
// prepared.
//
// What writes a row back is one text for all rows of a plan: only the forms in its slots differ. So is a change that is
// done as a whole, where all of its values are in slots. Sent as text they are twice as long, and the server reads them anew
// each time, which takes it 10 to 15 µs of about 70.
//
//	first time   sql.Printed ── filled ──► COM_QUERY
//	second time  sql.Printed ── with ? ──► COM_STMT_PREPARE ──► number
//	from then    number, parameters ──► COM_STMT_EXECUTE
//
// [Statements] are those of one session, by the plan's text. They are few: the one that was not sent for the longest time
// makes room, and is to be closed at the server. Nothing is kept of values.
//
// A statement is here only if each of its slots is a form of a protected column, or the integer of a row's key: their
// parameters are to the server what their literals are. Any other is sent as text (docs/writing.md).
package repeat
