// Package notation writes bytes and numbers as other text, and reads them from it: hexadecimal digits and those of
// other bases, base 64, addresses of the internet, quoted literals, the number of a character, SOUNDEX, groups of three
// digits.
//
// What is written is appended to dst. What is read comes with false where the servers would warn or differ; whether
// that is NULL or a refusal is the caller's to say. The package knows bytes and, of characters, package charset. It
// knows no types and no sessions.
package notation
