package sql

import (
	"unicode"
	"unicode/utf8"

	"tunic/internal/sql/lex"
)

// redactedBytesMax is the length of a redacted statement.
const redactedBytesMax = 256

// Redact is text for a log: its tokens with every literal replaced by ?, cut
// at 256 bytes. It takes no chances: comments and hints are left out, names in
// double quotes are replaced like strings whatever the mode, and of what cannot
// be lexed with certainty nothing is told but that it is there.
func Redact(text []byte, m Modes) string {
	all, err := Parse(text, m)
	out := make([]byte, 0, redactedBytesMax+16)
	for i := range all {
		if len(out) > redactedBytesMax {
			break
		}
		if i > 0 {
			out = append(out, "; "...)
		}
		if s := &all[i]; err != nil && i == len(all)-1 {
			out = append(out, "…"...)
		} else {
			out = redactStatement(out, text[s.Start:s.End], s.modes)
		}
	}
	return shorten(out)
}

// redactStatement appends one statement, and no more than is looked at.
func redactStatement(out, text []byte, m Modes) []byte {
	var lx lex.Lexer
	lx.Reset(text, m)
	start := len(out)
	last := lex.End
	for t := lx.Next(); t > lex.Error && len(out) <= redactedBytesMax; t = lx.Next() {
		if t.IsLiteral() && last.IsLiteral() {
			continue // adjacent strings are one
		}
		if lx.Gap < lx.From && len(out) > start && t < lex.Code {
			out = append(out, ' ')
		}
		out = appendRedacted(&lx, out, t)
		last = t
	}
	return out
}

// appendRedacted appends what may be shown of the current token.
func appendRedacted(lx *lex.Lexer, out []byte, t lex.Token) []byte {
	value := lx.Value()
	switch {
	case t.IsLiteral(), t == lex.Param:
		return append(out, '?')
	case t >= lex.Code:
		return out
	case t == lex.Quoted && value[0] == '"':
		return append(out, `"?"`...)
	case t == lex.Var && (value[1] == '\'' || value[1] == '"'):
		return append(out, "@?"...)
	}
	return append(out, value...)
}

// shorten cuts text at a character and makes it fit one line of a log.
func shorten(text []byte) string {
	cut := len(text) > redactedBytesMax
	if cut {
		text = text[:redactedBytesMax]
		for i := 0; i < utf8.UTFMax && !utf8.Valid(text[len(text)-utf8.UTFMax:]); i++ {
			text = text[:len(text)-1]
		}
	}
	clean := make([]rune, 0, len(text)+1)
	for _, r := range string(text) {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			r = '.'
		}
		clean = append(clean, r)
	}
	if cut {
		clean = append(clean, '…')
	}
	return string(clean)
}
