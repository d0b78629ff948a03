// Package document reads JSON documents, finds and changes what is in them, and
// writes them anew.
//
//	text ── Parse ──► Value ── Path ──► the values in it
//	                    └──── Append ──► text
//
// A Value keeps every number and string as it was written. That is what MariaDB
// does, whose JSON is text; and MySQL's documents are in a normal form already when
// they come here (package value makes it), so that what is written says all that
// there is of them. Both write ", " between values and ": " behind names.
//
// What the two servers and RFC 8259 do not read alike is not read.
package document
