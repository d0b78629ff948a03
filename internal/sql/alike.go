package sql

import (
	"bytes"

	"tunic/internal/sql/lex"
)

// ReadAlike reports whether a text is read the same in two modes of one server, by the bytes that
// are in it: false where in doubt.
func ReadAlike(text []byte, a, b Modes) bool {
	if a == b {
		return true
	}
	differs := a ^ b
	if differs&lex.CharsetMask != 0 && (!lex.ASCII(text) || a.Charset() == lex.CharsetSwe7 || b.Charset() == lex.CharsetSwe7) {
		return false
	}
	for _, of := range []struct {
		mode  Modes
		bytes string
	}{{ANSIQuotes, `"`}, {NoBackslashEscapes, `\`}, {PipesAsConcat, "|"}, {IgnoreSpace, "("}} {
		if differs&of.mode != 0 && bytes.ContainsAny(text, of.bytes) {
			return false
		}
	}
	if differs&HighNotPrecedence != 0 && ContainsFold(text, "not") {
		return false
	}
	return differs&^(lex.CharsetMask|ANSIQuotes|NoBackslashEscapes|PipesAsConcat|IgnoreSpace|HighNotPrecedence) == 0
}

// IsRead reports whether a text is one statement of which there is a tree.
func IsRead(text []byte, modes Modes) bool {
	read, err := Parse(text, modes)
	if err != nil || len(read) != 1 {
		return false
	}
	_, err = read[0].Tree()
	return err == nil
}
