// Package arch holds the repository to its own documents.
//
// ARCHITECTURE.md draws the rooms of the house, which room may import which,
// and which outside libraries have a place in it. The other documents name
// commands, files and identifiers. All of that is true on the day it is
// written and rots from then on, unless something reads it. This package reads
// it: a rule is a function from a repository to a list of findings, every
// finding states a fact and says what to do instead, and the test of this
// package fails if there is one.
//
// Rules read files and parse Go source; they neither compile nor run anything,
// so the whole set takes about a second. The rules are listed, in order, in
// rules.go, one file per rule. Each has small repositories under testdata/
// that break it, so no rule can quietly stop finding things.
//
// Only tests use this package. It is not part of the tunic binary.
package arch
