// Package predicate compiles what is true, false or unknown: comparisons, IN, BETWEEN,
// LIKE, IS and logic.
//
// # How two values are compared
//
// ComparisonOf decides it, for = and for all that is made of it: IN, BETWEEN, CASE and
// NULLIF. Both sides are compared as one class (class.ComparedAs), and each side is
// coerced to it. What remains is where servers do not keep to their own rule:
//
//   - a constant that stands beside a column may be read as the column's type, and
//     compared as that instead of as a double: guards refuse the constants for which it
//     makes a difference;
//   - numbers with a fixed number of decimals are equal if they are less than half a
//     digit apart (Tolerant), and decimals may be rounded first (RoundSides);
//   - a constant that is finer than a column of times is found beside it through a key;
//   - a constant's weight string is made once a run.
//
// Text is compared in the collation that counts, if it is one whose order is known to be
// the servers'. Documents are compared as MySQL compares documents, or as MariaDB
// compares what they stand for (document.go).
//
// # IN
//
// The items of IN are read once a run and put into a set, if all are constant. A list
// that a statement repeats has a member for each form that its items have. IN with one
// item is = to the servers, and here.
//
// # NULL
//
// IS NULL of a date column that is NOT NULL is true of the zero date, at some places in
// a statement; Not tells a compilation that there is a negation around what it compiles,
// because that is one of those places.
package predicate
