// Package drawing compiles functions that draw another value with each evaluation: UUID,
// RAND and RANDOM_BYTES.
//
// No server's value can be foretold, so any value is as good as the server's, if it is
// drawn as often as the server would draw it and used where the server uses it. Only
// whoever evaluates can promise that: for a row that is written, once, and where the
// value is used twice it has to be the same. A Scope that does is a Drawer; for all
// others these functions are refused.
//
// RAND with a seed is not computed: it is a sequence of the server's.
package drawing
