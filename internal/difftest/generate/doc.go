// Package generate makes random workloads: the definition of a table, and
// statements over it, from a seed.
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
//	statements of writes (write.go) and queries (read.go)
package generate
