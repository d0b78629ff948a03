// Package first decides how many rows of a query are asked for, and when those that have come are enough.
//
// A query with a LIMIT over an inexact order layer is asked for the first rows in the order of their tokens
// (docs/decisions/0039). Which rows the client is to get is known when so many have come that no later one can be
// before them: their tokens tell, and nothing that is computed of them.
//
//	Level ── how many ──► stored statement ──► rows ── Portion.Takes ──► steps ── held ──► the client
//	  ▲                                                   │ too few
//	  └───────────────────────────────────────────────────┘
//
// A [Level] is kept with the statement: the next execution begins where the last one ended. A [Portion] is of one answer;
// its memory is that of a session. Neither knows the session, or the server.
package first
