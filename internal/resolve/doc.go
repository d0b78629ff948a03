// Package resolve finds out what the names of a statement mean: which table of
// the catalog it is about, and which column of it each name is.
//
// It answers with what it has found or with [Beyond]: that the statement goes
// further than this version follows. It does not say what is wrong with a
// statement. A name that is no column is left to the server, which is asked about
// every statement before it runs (over a twin, which has the logical columns) and
// knows best how to say it.
package resolve
