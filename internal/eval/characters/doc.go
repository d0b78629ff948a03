// Package characters does with text what SQL's functions and LIKE do with it, character by character, in a character
// set and a collation of a server: it matches patterns of LIKE, finds text in text, changes letters to the other case,
// and takes, fills, reverses and replaces parts.
//
// A Matcher matches LIKE: single characters are equal or not, so spaces at the end count and no character stands for
// two. A Finder finds as INSTR, LOCATE and FIND_IN_SET do: MariaDB compares bytes of one length, MySQL weights. A
// CaseTable is what LOWER and UPPER of a collation do, as measured: case.tsv is written by a test of package eval from
// the servers themselves.
//
// The package knows bytes, and package charset for sets and collations. It knows no values, no types and no runs. What
// is found takes memory from a Scratch, which also says where servers differ; what makes text appends it to dst and
// says false where a server may lose a character. To refuse is its caller's.
package characters
