// Package grouping compiles aggregate functions: COUNT, SUM, AVG, MIN, MAX, bits,
// variances, GROUP_CONCAT and the aggregates of JSON.
//
// An aggregate is compiled to the expressions that are its arguments, a family that says
// what is done with their values, and the type of what comes out; package aggregate
// accumulates. Each argument is an expression with slots of its own, because DISTINCT
// compares arguments one by one; what an aggregate coerces them to goes on in the
// numbering of the argument.
//
//	SUM(a + b)  ──►  argument: a + b    family: Sum, by the class of the argument
//	                 coerced: as a decimal or a double, in the argument's slots
//
// DISTINCT, MIN and MAX compare what the servers have put into a table first: dates with
// zeros are refused in the modes in which a table does not take them, and text in a
// collation of which it is not known which strings are equal.
//
// A windowed aggregate is compiled as any other. Which rows are in its frame is decided
// by whoever adds them.
package grouping
