// Package eval computes SQL expressions on opened values.
//
// What the server can no longer compute, because it holds only ciphertext, is
// computed here, and the answer has to be the server's own: value, NULL, type,
// warnings and errors, for its flavor (MySQL or MariaDB) and version. What is not known to come out
// the same is refused.
//
//	ast.Expr ── Compile ──► Expression      once for a plan; shared
//	                            │ Start
//	binds, now ────────────────► Run        one execution, one goroutine
//	row of canonical forms ──► Eval ──► Result ──► canonical form, value.Source
//	                           Truth        for WHERE, ON and HAVING
//	                           Accumulation for COUNT, SUM, GROUP_CONCAT and their kin
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
// on which flavor: that of package supported. It is measured, not believed: the differential
// test evaluates every operation with columns and literals of all classes, on
// the servers and here, and writes down what came out the same in all of its
// cases. Compile refuses what the list does not have, as every operation asks for
// its operands before it computes (compilation.Compilation.Allow). Beyond that a Run refuses
// values that lie outside of what is known: text that is no date, a decimal with
// more digits than the servers compute exactly. A refusal is an error of package
// sqlerr that names the operation and no value.
//
// # Families
//
// This package only says which family compiles which node of the tree, and joins the
// families' tables of functions that are called by a name. Each family of operations is a package below: predicate, choice, arithmetic, text,
// encoding, documents, pattern, date, cast, drawing, and grouping for aggregates. They
// know no other family but for a few that need one: choice compares, cast and grouping
// make documents.
//
//	eval                       what is compiled by whom
//	├─ families                what is computed, as what, and what is refused
//	├─ coercion, operand       one type as another; columns and literals
//	├─ compilation             slots, constants, operands, what is allowed
//	├─ supported, refusal      the list; how a refusal is worded
//	└─ program, comparison, aggregate, class, literal    what runs, and its types
//
// What functions do with values knows no run either: decimal and number compute,
// calendar has dates and times, characters has text in a collation, regexp patterns,
// json documents; notation, uuid and aes have bytes.
//
// # Documents
//
// MySQL computes with JSON documents, MariaDB with their text. Here both are read by
// package document, which keeps numbers and strings as they are written; a node of
// the class json is a document's text. What is in a document that was made of SQL's
// values may have types that the text does not show: it is opaque, and whatever asks
// for types refuses it.
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
