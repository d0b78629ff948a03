// Package made has the rows that are to be written and do not come as they are from the client:
//
//	values of a query or a file ──► Maker: converted to the types of their columns ──► Rows ──► written
//	values of sequences         ──► DrawSequences: the server is asked for them, row by row, before slots are filled
//
// It knows values, columns and the conditions that a conversion raises, and neither the statement that writes the
// rows nor, but for sequences, a server.
package made
