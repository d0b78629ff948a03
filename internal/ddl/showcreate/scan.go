package showcreate

import (
	"strings"

	"tunic/internal/identifier"
)

// The text of SHOW CREATE TABLE is the server's own, in one form for all: names in
// backquotes, strings in single quotes with backslashes, no comments but those
// that servers execute. This file reads its tokens.

// TokenKind is the kind of a token.
type TokenKind uint8

const (
	tokenEnd    TokenKind = iota
	TokenWord             // a keyword, a name without quotes, a number, 0xFF
	TokenName             // `name`
	TokenString           // 'text', b'101', _utf8mb4'text'
	TokenMark             // one of the characters ( ) , = and operators
)

// Token is text[from:to].
type Token struct {
	Kind     TokenKind
	From, To int
}

// scanner reads the tokens of a text.
type scanner struct {
	text string
	pos  int
	open bool // a quote has no end
}

// next reads one token. What opens or closes an executable comment is passed
// over: its text is code to the server that wrote it.
func (s *scanner) next() Token {
	for s.pos < len(s.text) {
		from := s.pos
		switch c := s.text[from]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			s.pos++
		case strings.HasPrefix(s.text[from:], "/*"):
			s.pos += 2
			for s.pos < len(s.text) && strings.IndexByte("!MT[]_,0123456789", s.text[s.pos]) >= 0 || s.inFeature(from) {
				s.pos++
			}
		case strings.HasPrefix(s.text[from:], "*/"):
			s.pos += 2
		case c == '`':
			s.quoted('`', false)
			return Token{TokenName, from, s.pos}
		case c == '\'':
			s.quoted('\'', true)
			return Token{TokenString, from, s.pos}
		case isWordByte(c):
			return s.word(from)
		default:
			s.pos++
			return Token{TokenMark, from, s.pos}
		}
	}
	return Token{tokenEnd, s.pos, s.pos}
}

// inFeature says that the position is in the name of a feature: /*T![ttl] … */.
func (s *scanner) inFeature(from int) bool {
	open := strings.IndexByte(s.text[from:s.pos], '[')
	return open >= 0 && s.pos < len(s.text) && !strings.Contains(s.text[from+open:s.pos], "]")
}

// word reads a word, and the string that is glued to it if there is one.
func (s *scanner) word(from int) Token {
	for s.pos < len(s.text) && (isWordByte(s.text[s.pos]) || s.text[s.pos] == '.') {
		s.pos++
	}
	if s.pos < len(s.text) && s.text[s.pos] == '\'' {
		s.quoted('\'', true)
		return Token{TokenString, from, s.pos}
	}
	return Token{TokenWord, from, s.pos}
}

// quoted moves past a quoted text: a doubled quote stands for one.
func (s *scanner) quoted(quote byte, escapes bool) {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case escapes && c == '\\':
			s.pos++
		case c != quote:
		case s.pos+1 < len(s.text) && s.text[s.pos+1] == quote:
			s.pos++
		default:
			s.pos++
			return
		}
	}
	s.pos, s.open = len(s.text), true
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// Tokens reads all of a text.
func Tokens(text string) []Token {
	s := scanner{text: text}
	var all []Token
	for {
		t := s.next()
		if t.Kind == tokenEnd {
			return all
		}
		all = append(all, t)
	}
}

// whole says that every quote of a text ends.
func whole(text string) bool {
	s := scanner{text: text}
	for s.next().Kind != tokenEnd {
	}
	return !s.open
}

// Of is the token's text.
func (t Token) Of(text string) string { return text[t.From:t.To] }

// Is says that the token is one of these words, in upper case, or marks.
func (t Token) Is(text string, words ...string) bool {
	if t.Kind != TokenWord && t.Kind != TokenMark {
		return false
	}
	for _, w := range words {
		if strings.EqualFold(t.Of(text), w) {
			return true
		}
	}
	return false
}

// GroupEnd is the index behind the parenthesis that closes the one at all[i], or i
// if none opens there.
func GroupEnd(text string, all []Token, i int) int {
	if i >= len(all) || !all[i].Is(text, "(") {
		return i
	}
	depth := 0
	for ; i < len(all); i++ {
		switch {
		case all[i].Is(text, "("):
			depth++
		case all[i].Is(text, ")"):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(all)
}

// QuoteNames lists names as a key does.
func QuoteNames(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = identifier.Quoted(n)
	}
	return strings.Join(out, ",")
}

// QuoteString writes a string as SHOW CREATE TABLE does.
func QuoteString(value string) string {
	return "'" + stringEscapes.Replace(value) + "'"
}

// stringEscapes are those of append_unescaped in the servers' sources.
var stringEscapes = strings.NewReplacer("\\", "\\\\", "\x00", "\\0", "'", "''", "\n", "\\n", "\r", "\\r")

// UnquoteString is the value of a string of SHOW CREATE TABLE, or of a label in a
// tree.
func UnquoteString(text string) string {
	if len(text) < 2 || text[0] != '\'' {
		return text
	}
	var b strings.Builder
	for i := 1; i < len(text)-1; i++ {
		switch c := text[i]; {
		case c == '\\' && i+2 < len(text):
			i++
			b.WriteByte(unescape(text[i]))
		case c == '\'':
			i++
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unescape(c byte) byte {
	if i := strings.IndexByte("0nrbtZ", c); i >= 0 {
		return "\x00\n\r\b\t\x1a"[i]
	}
	return c
}
