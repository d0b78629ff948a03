// Package charset knows the character sets and collations of the servers.
//
// A protected string is ciphertext at the server, so what the server would do
// with its characters is done here: check that they are well formed, count and
// cut them, convert them, compare them, and make the weight strings that the
// equality and order layers are computed from. All of it must come out as the
// server's own collation has it, or a UNIQUE key accepts what a plain server
// rejects.
//
// # A collation belongs to a flavor
//
// The same name, and even the same number, need not be the same order on two
// servers: utf8mb4_croatian_ci is one collation in MySQL and another in MariaDB,
// and unicode_ci weighs U+FFFF differently. So everything is looked up for a
// Flavor, and a *Collation of one flavor is never used for another.
//
// # Exact or not
//
// Which collations are exact is measured, not believed. The test compares every
// collation of each server with this package: the weights of every character,
// comparisons of strings with contractions, expansions, ignorable characters and
// trailing spaces. What came out is collations.tsv, and the code reads that file:
// a collation that is not listed as exact answers false from Exact, with the
// reason, and refuses to weigh (AppendWeights panics). A column with such a
// collation can be sealed; it cannot have a layer. What is well formed in a
// character set, and how it converts, is measured likewise: charsets.tsv, and
// Convertible. The servers of the tables are MariaDB 10.11 and MySQL 9.7.
//
// Other versions of a server can have other tables. Sample and Verify let tunic
// ask the server it stands before about a few hundred comparisons at start.
//
// # Weight strings
//
// A weight string is canonical: two strings are equal in the collation if and
// only if their weight strings are the same bytes. It is not always what the
// server's WEIGHT_STRING() shows, it only has the same order:
//
//	family              one character becomes                        space
//	binary, _bin        itself; its number in the form of UTF-8      20
//	                    if it has two bytes or more at least
//	8 bit               one byte                                     20
//	general_ci          its sort code, in the form of UTF-8          20
//	UCA 4.0.0           0 to 8 weights of 2 bytes                    0209
//	UCA 5.2.0           the same                                     020a
//	UCA 14.0.0, _ai_ci  the same                                     0209
//	UCA 9.0.0           0 to 8 weights of 2 bytes in each level;     0209
//	                    between two levels stands 0000
//
// The forms are stored, as input of tokens and keys, and never change.
//
// The tables are the library's, with what it leaves out added here, except for
// UCA 14.0.0 of MariaDB and the character sets of East Asia, which it does not have
// or has otherwise: uca1400.txt.gz and eastern.txt.gz are read from the servers by tests.
//
// In a NO PAD collation weight strings order as bytes do. In a PAD SPACE
// collation a string stands for itself with endless spaces behind it: trailing
// weights of the space are cut off, and the order is that of CompareWeights,
// which fills up with them. Bytewise order is wrong there in one case, a
// character below the space: "a\t" < "a". AppendPrefix fills up to a fixed
// length, so that its results order as bytes do in every collation, up to ties.
package charset
