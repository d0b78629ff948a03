// Package pattern compiles REGEXP and the functions of regular expressions.
//
// MySQL's are those of ICU, MariaDB's those of PCRE. A pattern is read by package
// regexp, which knows the forms that mean the same to both and finds the same matches;
// what it does not know is refused, and so is text in which the two would see different
// characters. A pattern is read once for as long as it stays the same, whether it is a
// constant or a column.
//
// Whether case counts follows from the collation, or from a match type that is a
// literal. Positions and occurrences are MySQL's; a search that begins behind the start
// is refused, because some patterns see what stands before it. MariaDB's REGEXP BINARY
// matches bytes: each is taken for a character.
package pattern
