// Package description knows how a server describes the answer of a logical statement: the names, types and flags of its
// columns, and of its parameters.
//
//	logical statement over twins ── Describer ──► Description ── Namer ──► definitions for a client
//
// The server cannot describe what it is not sent. It is asked for the logical statement over the empty twins of its tables,
// with other literals in the place of the client's ([Known]), once for all sessions with the same settings and
// literals of one shape. What it answers names twins, and columns that nobody has named by those literals. Both are
// put right here: the first once, the second for each text (Namer), without memory for each.
//
// Servers describe some answers otherwise when they execute them than when they prepare them: sets ([Set]). Of what they
// say of parameters nothing may be known ([Params]).
//
// The package knows no session: what of it changes a description is in backend.DescribeAs.
package description
