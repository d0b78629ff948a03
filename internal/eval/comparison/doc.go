// Package comparison compares data while an expression runs: two of them, one with the items of IN, and rows with rows;
// and it computes with what comes of it, the truths of AND, OR, XOR and IS NULL.
//
// A Comparison is how two nodes are compared, both as what they have in common. Which that is has been decided when it
// gets here. Items of IN that are constants are read once a run into an ItemSet: those that are compared in one way
// stand together, and many of them are looked up in a map.
//
//	Comparison ── Evaluator(operator) ──► true, false or NULL
//	Members    ── ReadItems(Run) ───────► ItemSet ── Find
//	RowMembers ── RowsOf(Run) ──────────► rows    ── FindRow
//
// The package stands on package program for runs and data, on class for shapes and on charset for collations. It knows
// no trees and no compiler, and refuses only what a value itself makes unknown.
package comparison
