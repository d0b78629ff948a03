// Package shape tells of what a statement is made, by its syntax tree alone: whether a query, a
// column, an aggregate function or a user variable is in it, which names its common table
// expressions have, which query its rows come from. It also makes the few clauses that stored
// statements are put together from.
//
// It knows no catalog: which of the names are those of protected tables, package plan finds out.
package shape
