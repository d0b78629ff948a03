// Package generate makes random workloads from a seed: the definitions of tables, and
// statements over them. A [Shape] says whether it is one table or several.
//
// The same seed makes the same workload. A workload says nothing of what its
// statements should answer: two servers are to agree about them. So every statement
// is one whose answer depends on nothing but the rows: where a server may choose
// (which row of equal ones stands for a group, which rows a LIMIT without an order
// takes, in which order sums of inexact numbers are added up) there is no choice.
//
//	kind      a column type: how it is declared, and values that are apt to collide
//	table     columns of kinds, keys over them, names that a policy can tell apart
//	writer    builds one statement, with literals or with parameters
//	source    a table under the name that a query gives it; its operands are columns
//	share     a form of statement, and how often it is drawn
//
// Statements about one table are in write.go and read.go; those about several in
// join.go, subquery.go, set.go, window.go and manage.go, definitions in define.go. What
// is compared there is of one class (integers with decimals, text of one collation),
// because servers warn of other conversions as often as they like.
package generate
