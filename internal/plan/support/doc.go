// Package support says which statements there are and what tunic does with each: the statement table has one
// row for every kind of statement that package sql knows, with an example and a reason. docs/sql-support.md is
// printed from it.
//
// A row speaks of a statement that names something protected. Whether one does, and what is done with this one
// in particular, is package plan's to decide: of a kind whose class is Plan it may still refuse a statement. What is
// forwarded without a plan is only what has the class Forward here.
//
// The package knows kinds of statements. It knows no text of a statement, no catalog and no plan.
package support
