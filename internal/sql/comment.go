package sql

import "bytes"

// lineEnd returns the index of the newline that ends the comment at text[i]. A
// zero byte in it ends it as well, and no server reads on from there.
func (lx *lexer) lineEnd(i int) int {
	end := len(lx.text)
	if n := bytes.IndexByte(lx.text[i:], '\n'); n >= 0 {
		end = i + n
	}
	lx.unclean = lx.unclean || bytes.IndexByte(lx.text[i:end], 0) >= 0
	return end
}

// dashComment says whether the two dashes before text[i] begin a comment: the
// server wants white space or a control character after them, so that 5--1 is
// 6.
func (lx *lexer) dashComment(i int) bool {
	if i >= len(lx.text) {
		return true
	}
	c := lx.text[i]
	if c >= 0x80 && lx.cs != charsetUTF8 {
		lx.unclean = true // in latin1, 0xa0 is white space
	}
	return c <= ' ' || c == 0x7f
}

// comment reads what begins with /* at text[i] and has a meaning, or no end.
func (lx *lexer) comment(i int) (token, int) {
	switch {
	case lx.marked(i):
		return lx.executable(i)
	case lx.hinted(i):
		return lx.hint(i)
	}
	return tokenError, len(lx.text)
}

// hinted says that the comment at text[i] may be an optimizer hint.
func (lx *lexer) hinted(i int) bool {
	return !lx.code && i+2 < len(lx.text) && lx.text[i+2] == '+'
}

// marked says that the comment at text[i] is one that some server executes.
func (lx *lexer) marked(i int) bool {
	rest := lx.text[i+2:]
	switch {
	case len(rest) >= 1 && rest[0] == '!':
		return true
	case len(rest) >= 2 && rest[0] == 'M' && rest[1] == '!':
		return lx.modes&MariaDB != 0 || lx.modes.Version() == 0
	case len(rest) >= 2 && rest[0] == 'T' && rest[1] == '!':
		return lx.modes&TiDB != 0 || lx.modes.Version() == 0
	}
	return false
}

// executable reads the start of an executable comment. What follows is code
// when this server says so; else the comment is kept whole.
func (lx *lexer) executable(i int) (token, int) {
	start := i + bytes.IndexByte(lx.text[i:], '!') + 1
	if lx.code || (lx.text[i+2] == 'T' && start < len(lx.text) && lx.text[start] == '[') {
		// One executable comment in another, or code for a TiDB with certain
		// features: what runs cannot be told from here.
		return tokenError, len(lx.text)
	}
	version, end := lx.commentVersion(start)
	if lx.runs(version, lx.text[i+2] == 'M') {
		lx.code = true
		return tokenCode, end
	}
	return lx.passedOver(end)
}

// commentVersion reads the version of an executable comment, five or six
// digits, at text[i]; 0 without one. MySQL reads six since 8.0, MariaDB always.
func (lx *lexer) commentVersion(i int) (version, end int) {
	end = min(digits(lx.text, i), i+6)
	if end-i < 5 {
		return 0, i
	}
	if v := lx.modes.Version(); end-i == 6 && lx.modes&(MariaDB|TiDB) == 0 && v != 0 && v < 80000 {
		end--
	}
	for _, c := range lx.text[i:end] {
		version = version*10 + int(c-'0')
	}
	return version, end
}

// runs says whether this server executes a comment of that version. When the
// server is not known only versions that every server of interest has passed
// are certain.
func (lx *lexer) runs(version int, mariadbOnly bool) bool {
	server := lx.modes.Version()
	switch {
	case lx.modes&TiDB != 0 || version == 0 && !mariadbOnly:
		return true
	case server == 0:
		lx.unclean = lx.unclean || mariadbOnly || version > 50500
		return true
	case version > server:
		return false
	case lx.modes&MariaDB != 0 && !mariadbOnly:
		return version < 50700 || version > 99999
	}
	return true
}

// passedOver reads to the end of an executable comment that is none for this
// server, given where its text begins: one level of comments may be nested.
func (lx *lexer) passedOver(i int) (token, int) {
	nested := false
	for ; i+1 < len(lx.text); i++ {
		switch {
		case !nested && lx.text[i] == '/' && lx.text[i+1] == '*':
			nested = true
			i++
		case lx.text[i] == '*' && lx.text[i+1] == '/':
			if !nested {
				return tokenNote, i + 2
			}
			nested = false
			i++
		}
	}
	return tokenError, len(lx.text)
}

// hint reads an optimizer hint. Where it is one, names in it may be quoted;
// where it is a comment like others it ends at the first */. If the two
// readings end at different places the text is unclean.
func (lx *lexer) hint(i int) (token, int) {
	body := lx.text[i+2:]
	n := bytes.Index(body, []byte("*/"))
	if n < 0 {
		return tokenError, len(lx.text)
	}
	quote := byte(0)
	for _, c := range body[:n] {
		switch {
		case quote == 0 && (c == '\'' || c == '"' || c == '`'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	lx.unclean = lx.unclean || quote != 0
	return tokenNote, i + 2 + n + 2
}
