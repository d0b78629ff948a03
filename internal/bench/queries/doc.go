// Package queries is sets of tables and of questions about them that one client asks
// one after the other: what a question takes through a proxy, beside what it takes at
// the server itself.
//
// A Set has definitions, rows that are made of a number and a seed, and questions with
// a name each. Two servers that were loaded with the same number hold the same rows, and
// answer alike: Ask returns the answer beside the time, so that whoever measures can
// tell.
package queries
