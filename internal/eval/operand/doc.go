// Package operand compiles what has no operands itself: columns, literals, parameters
// and defaults.
//
// Everything that an expression computes begins here, with a node and an evaluator that
// puts a value's canonical form into a datum. A column is read from the row by its
// index, in the form that its class has: eight bytes are a word, a decimal keeps the
// digits of its type, or more if the Scope says so, text is pointed at and not copied.
//
// A literal is a constant of the run and not of the expression. A statement's literals
// are taken out of its text, so an expression is compiled for the first values that
// were met and is run with others; what of a value decides the type is its form. A
// constant is made into a datum when a run starts. Package literal says what type the
// servers give to it.
package operand
