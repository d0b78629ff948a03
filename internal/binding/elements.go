package binding

import (
	"bytes"
)

// appendElements appends a format of TO_CHAR that becomes as long as one of the client's: its elements and what stands
// between them. Other letters and digits, in quotes or not, become a letter: outside of quotes the server knows none of
// them either.
func (b *Binder) appendElements(dst, s []byte, which int) []byte {
	if bytes.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		return b.appendLetters(dst, s, which)
	}
	quoted := false
	for len(s) > 0 {
		c, size := s[0], 1
		switch element := elementOf(s); {
		case !quoted && element > 0:
			size = element
			dst = append(dst, s[:size]...)
		case c == '\'' || c == '\\' || c < ' ':
			dst = append(dst, '-')
		case c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z':
			dst = b.appendLetters(dst, s[:size], which)
		default:
			quoted = quoted != (c == '"')
			dst = append(dst, c)
		}
		s = s[size:]
	}
	return dst
}
