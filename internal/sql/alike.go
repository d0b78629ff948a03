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
