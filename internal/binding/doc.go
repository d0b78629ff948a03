// Package binding makes bytes of a stored statement: it converts each value as its column would, and fills the
// statement's slots with the value's forms.
//
//	recipe.Run ── Statement ──► columns with keys, slots, operands      once a plan, for all sessions
//	literals of a text  ─┐
//	parameters          ─┤
//	user variables      ─┼─► Binder ──► canonical value ──► form ──► stored statement
//	rows of elsewhere   ─┤      │
//	defaults, sequences ─┘      └──► Notices: what a server would have said of the value
//
// A value has one operand and perhaps several slots: what is stored sealed has a token in each layer too. The
// operand is converted once (Bind), to the value of its column's type; each slot takes a form of that (FillSlot,
// AppendExecute). A value that is compared is converted otherwise than one that is stored: it stands for a place
// among the column's values, which may be between two of them, above all or below all (compare.go), and the token
// of such a place is one that no value has.
//
// # Why here
//
// The server stores bytes and cannot convert, check or default them any more. All that it would have done with a
// value on its way into a column is done here, and all that it would have said of it is among the Notices, in its
// words: an overflow, a text that is cut, a CHECK that is not true (guards.go), a document that is none
// (document.go). What no rule here is known to do as the server does is refused.
//
// # Where values come from
//
// A text has literals, an execution of a prepared statement has parameters and what was kept of its text
// (Execution). A user variable is a Variable, which knows whether it may be a value of a protected column: then
// the server gets it in slots only. Rows of a query or a file are Added, in canonical form already. An expression
// without columns is computed once, before the statement is sent (computed.go).
//
// # What is described
//
// The server describes a result, asked over twins, and is told no value then: every literal has another in its
// place that is as long, of the same kind, and the same for all clients that write the same kind (shape.go).
//
// # What it is not
//
// The package sends nothing and reads no answer: it knows no connection. It plans nothing: what is sealed and what
// is a token the recipe says. It does not open rows; but it knows which values a statement's rows were found by,
// so that who opens them can look whether each is one of those, and of the row whose key has its token (Sought).
//
// # Memory
//
// A Binder belongs to one session and is used for one statement after the other. Its buffers stay: in steady state
// a value costs no allocation. A Statement is never changed once it is ready, and serves any number of Binders.
package binding
