package sql

import (
	"tunic/internal/identifier"
	"tunic/internal/sql/lex"
)

// MariaDB has two spellings of what a sequence gives: the standard's, which the parser
// library does not know, and calls of functions (MariaDB manual, "Sequence Functions").

// rewriteSequence writes NEXT VALUE FOR s and PREVIOUS VALUE FOR s as the calls that say the
// same. w is the first word.
func (r *respeller) rewriteSequence(w []byte) bool {
	if r.lx.Modes&MariaDB == 0 || (r.kind != Insert && r.kind != Replace) {
		return false
	}
	call := "nextval"
	if lex.Is(w, "PREVIOUS") {
		call = "lastval"
	}
	at := lex.Cursor{Lexer: r.lx, Token: lex.Word}
	for _, word := range [...]string{"VALUE", "FOR"} {
		if at.Next(); !at.Is(word) {
			return false
		}
	}
	if at.Next(); !isNamed(&at) {
		return false
	}
	name, behind := []string{at.Identifier()}, at
	if at.Next(); at.Token == lex.Dot {
		if at.Next(); !isNamed(&at) {
			return false
		}
		name, behind = append(name, at.Identifier()), at
	}
	r.instead(call + "(")
	for i, part := range name {
		if i > 0 {
			r.out = append(r.out, '.')
		}
		r.out = identifier.Append(r.out, part)
	}
	r.out = append(r.out, ") "...)
	r.lx, r.prev = behind.Lexer, lex.Close
	return true
}

// isNamed says that the current token can be a name.
func isNamed(c *lex.Cursor) bool { return c.Token == lex.Word || c.Token == lex.Quoted }
