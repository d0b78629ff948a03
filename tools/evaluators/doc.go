// Package evaluators compares the evaluator of tunic with that of vitess, by what a MySQL server
// answers: which expressions does each compute, refuse, or compute to something else? It is a module
// of its own, so that tunic does not depend on vitess's evaluator and on what that needs.
//
// Docs/decisions/0008 has the figures. An expression on which tunic differs from the server fails the
// test, whatever vitess says of it.
package evaluators
