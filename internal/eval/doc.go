// Package eval computes SQL expressions on opened values.
//
// What the server can no longer compute, because it holds only ciphertext, is
// computed here, and the answer has to be the server's own: value, NULL, type,
// warnings and errors, for its flavor and version. What is not known to come out
// the same is refused.
//
//	ast.Expr ── Compile ──► Expression      once for a plan; shared
//	                            │ Start
//	binds, now ────────────────► Run        one execution, one goroutine
//	row of canonical forms ──► Eval ──► Result ──► canonical form, value.Source
//	                           Truth        for WHERE, ON and HAVING
//	                           Accumulator  for COUNT, SUM, AVG, MIN, MAX
//
// # Types
//
// Compile gives every node a static type by the rules of the flavor, and chooses
// the code that computes it. A Result has a [value.Type] and a canonical form, as
// a column has, so what package value does with columns it does with results:
// text and binary rows, equality, order, and Assign of a [value.Source].
//
// # What is computed
//
// A closed list says which operation is computed on operands of which classes
// on which flavor: supported.tsv. It is measured, not believed: the differential
// test evaluates every operation with columns and literals of all classes, on
// the servers and here, and writes down what came out the same in all of its
// cases. Compile refuses what the list does not have. Beyond that a Run refuses
// values that lie outside of what is known: text that is no date, a decimal with
// more digits than the servers compute exactly. A refusal is an error of package
// sqlerr that names the operation and no value.
//
// # Warnings
//
// A Run collects the conditions that the server would put into SHOW WARNINGS for
// every evaluation it makes. In a select list the server evaluates once a row. In
// a filter it may evaluate more often, or less, as its optimizer likes: whoever
// filters must refuse a statement whose filter raised a condition.
//
// An operand that is not needed because the one before it is NULL is computed by
// some servers, which warn. A run refuses where it would have warned; of nested
// operations on text that is no number a server may still warn where nothing is
// said here. The values are the same.
//
// # Memory
//
// An Expression is a tree of closures over numbered slots; a Run owns the slots
// and an arena for text. Numbers, dates, comparisons and logic allocate nothing.
package eval
