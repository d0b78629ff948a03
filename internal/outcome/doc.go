// Package outcome knows what there is to say of the statement before, where the server does not: SHOW WARNINGS,
// GET DIAGNOSTICS, ROW_COUNT() and FOUND_ROWS() ask for it.
//
// A server that has not got a statement cannot say how it went: its list of warnings is that of an older one. So
// a Last says who knows:
//
//	tunic has answered with an error ──► IsRefused: that error, and nothing of the server's
//	it was carried out by tunic      ──► IsNoted: the notices of package exec, and behind them the server's
//	the server has got it            ──► the server
//	the one before that              ──► HasPast, as long as statements without tables leave the list
//
// ROW_COUNT() and FOUND_ROWS() are the server's, of the statements that it has got. Of a query that tunic has
// finished itself the server has counted other rows than the client got, and tunic answers what it has counted
// itself. What tunic asks the server meanwhile makes the server's counts those of the question: then Counts knows
// the number, or that nobody does.
//
// The package writes rows and items of answers. It asks no server and knows no session: who asks the server in
// between says so. The questions themselves are answered by the folder answer, which asks the server what it has to
// say besides.
package outcome
