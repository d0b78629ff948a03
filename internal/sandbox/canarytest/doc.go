// Package canarytest looks for values in what a database server has written.
//
// A test writes canaries, which are recognised wherever they turn up and in whatever
// form: in tables, logs, the history of statements, files as a crash leaves them. Run
// against a server of Start's, which writes down everything, a client of tunic's leaves
// none; a client without tunic leaves them in every place that a server has (PlacesOf),
// or the search proves nothing.
package canarytest
