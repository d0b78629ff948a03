// Package infile reads the file of a LOAD DATA as servers do: lines and fields, by the marks that the statement
// names.
//
//	parts of a file, as they come ── Reader ──► field, field, … end of a line
//
// A server reads byte by byte, since what looks like a mark may be escaped, or enclosed, or only the beginning of
// one; a mark may have any number of bytes, and a field is NULL by how it is written: \N, or the word NULL where
// fields are enclosed. Nobody else's reader of such files does the same, and a row that was taken apart otherwise
// would be a wrong answer that nobody sees.
//
// A Reader keeps one field at a time, of a size that its maker bounds, so that a file of any length costs no more
// memory than its longest field. It knows no column: what a field becomes is the business of who inserts it.
package infile
