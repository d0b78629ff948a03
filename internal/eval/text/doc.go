// Package text compiles functions that make text of text, look for something in it, or
// measure or compare it: CONCAT, SUBSTRING, TRIM, UPPER, LPAD, REPLACE, LOCATE, LENGTH,
// STRCMP and their kin.
//
// All work in the character set of the collation that their arguments have in common, or
// on bytes if one of them is bytes. What is done with the characters is in package
// characters; here is which argument is text and which a count, what is NULL, and how
// long the result may be. A result that would grow beyond what a run may make is
// refused.
//
// A count is evaluated quietly: when servers evaluate it depends on the other arguments,
// so one that would warn is refused. Counts beyond 32 bits are refused where MariaDB
// takes the last bits of them.
//
// LOCATE, INSTR and FIND_IN_SET search in a collation, which servers do by weights, by
// characters or by bytes, as their version has it. FIND_IN_SET of a constant and a SET
// column is looked up among the column's labels, and has a truth of its own.
package text
