// Package class has the static types of expressions: what the servers decide about a value before there is one.
//
// A Class is how a value computes: as an integer, a decimal, text, a date. A Shape is the class with what the servers
// count beside it: digits and scale, characters, the collation and whose collation goes first where two strings meet.
// From the shapes of operands the rules of the servers make that of a result:
//
//	Shape, Shape ── Merge ───────────► what CASE, IF and COALESCE have in common
//	             ── ComparedAs ──────► the class in which = compares
//	             ── Rules ───────────► digits and scale of sums, products, quotients, averages
//	Shape ── Result ─────────────────► the value.Type that a client sees
//
// Rules are the two settings of a session that decide digits. Nothing here has a value or computes with one, and
// nothing is refused: false says that there is no common type. The package stands on package value for the types of
// columns, on package charset for collations and on package decimal for the limits of digits. It knows no nodes, no
// trees and no compiler.
package class
