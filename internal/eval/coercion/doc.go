// Package coercion makes evaluators of another representation of nodes: of text as a
// number, of a number as text, of either as a condition.
//
// Every family of functions asks for it. A function of numbers asks for Real, Decimal
// or Integer of an argument and does not care what the argument is; one of text asks
// for Texts of all its arguments and is told the collation they have in common. What
// the servers do where types meet is decided here, once.
//
//	number.go     Real, Decimal, Integer   text has to be a number from end to end
//	moment.go     Temporal                 and what of dates with zeros, and of hours that are there twice
//	text.go       Text, InCharset          numbers and dates as the server writes them
//	collation.go  CollationOf, Texts       whose collation counts, and in which character set
//	truth.go      Truth, Expression        conditions, and the root of an expression
//
// # What is refused
//
// A coercion is where servers warn: of text that is no number they make what they can.
// How often they warn depends on what is around it, so here such text is refused, while
// rows are evaluated, under the name of the operation that wanted the number. Text that
// is not constant is never converted to another character set: a character that the
// other set has not would be lost. Where a coercion depends on the type alone it is
// refused when the expression is compiled.
//
// # Constants
//
// A constant is read once a run, when the run starts, as the servers do it. What is read
// is kept in the run's own memory; the nodes and evaluators are shared by all runs.
package coercion
