// Package supported has the list of what is computed: which operation, on operands of
// which classes, on which flavor.
//
// The list is measured, not believed. The differential test of package eval evaluates
// every operation with columns and constants of all classes on the servers and here,
// and writes down what came out the same in all of its cases, as supported.tsv. What
// the list does not have is refused when an expression is compiled, so that an
// operation that is new in the code is not computed for anyone before it has been
// measured on both servers. docs/functions.md is printed from the same list.
//
// To add an operation, write a case in an operations test of package eval and run its
// TestSupported with -rewrite.
//
// # The file
//
// A line has an operation, the classes of its operands but the last, and then the
// classes of last operands with which it is exact: on both flavors, on MariaDB alone,
// on MySQL alone. A class with an apostrophe is that of a constant, which servers
// treat otherwise than a column: they read it once, and may read it as another type.
// The file is read once for a process, when the first expression is compiled.
//
// TiDB is not measured. What it computes is what MySQL does.
package supported
