package sql

import "unicode/utf8"

// redactedBytesMax is the length of a redacted statement.
const redactedBytesMax = 256

// Redact is text for a log: its tokens with every literal replaced by ?, cut
// at 256 bytes. It takes no chances: comments and hints are left out, names in
// double quotes are replaced like strings whatever the mode, and of a text that
// cannot be lexed with certainty only the kinds of its statements are told.
func Redact(text []byte, m Modes) string {
	var lx lexer
	lx.reset(text, m)
	out := make([]byte, 0, redactedBytesMax+16)
	cut := false
	last := tokenEnd
	for t := lx.next(); t > tokenError; t = lx.next() {
		if len(out) >= redactedBytesMax {
			cut = true
			continue // the rest decides whether the text is clean
		}
		if t.literal() && last.literal() {
			continue // adjacent strings are one
		}
		if lx.gap < lx.from && len(out) > 0 && t < tokenCode {
			out = append(out, ' ')
		}
		out = lx.appendRedacted(out, t)
		last = t
	}
	if lx.unclean {
		return redactedKinds(text, m)
	}
	return shorten(out, cut)
}

// appendRedacted appends what may be shown of the current token.
func (lx *lexer) appendRedacted(out []byte, t token) []byte {
	value := lx.value()
	switch {
	case t.literal(), t == tokenParam:
		return append(out, '?')
	case t >= tokenCode:
		return out
	case t == tokenQuoted && value[0] == '"':
		return append(out, `"?"`...)
	case t == tokenVar && (value[1] == '\'' || value[1] == '"'):
		return append(out, "@?"...)
	}
	return append(out, value...)
}

// redactedKinds is what can be said of a text that cannot be lexed.
func redactedKinds(text []byte, m Modes) string {
	all, _ := Parse(text, m)
	out := make([]byte, 0, redactedBytesMax)
	for i, s := range all {
		if len(out) >= redactedBytesMax {
			break
		}
		if i > 0 {
			out = append(out, "; "...)
		}
		out = append(out, s.Kind.String()...)
	}
	return string(append(out, " …"...))
}

// shorten cuts text at a character and makes it fit one line of a log.
func shorten(text []byte, cut bool) string {
	if len(text) > redactedBytesMax {
		text, cut = text[:redactedBytesMax], true
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
		if len(text) > 0 && text[len(text)-1] >= utf8.RuneSelf {
			text = text[:len(text)-1]
		}
	}
	clean := make([]rune, 0, len(text))
	for _, r := range string(text) {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			r = '.'
		}
		clean = append(clean, r)
	}
	if cut {
		clean = append(clean, '…')
	}
	return string(clean)
}
