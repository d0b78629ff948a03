package lex

import "bytes"

// lineEnd returns the index of the newline that ends the comment at text[i]. A
// zero byte in it ends it as well, and no server reads on from there.
func (lx *Lexer) lineEnd(i int) int {
	end := len(lx.Text)
	if n := bytes.IndexByte(lx.Text[i:], '\n'); n >= 0 {
		end = i + n
	}
	lx.Unclean = lx.Unclean || bytes.IndexByte(lx.Text[i:end], 0) >= 0
	return end
}

// dashComment says whether the two dashes before text[i] begin a comment: the
// server wants white space or a control character after them, so that 5--1 is
// 6.
func (lx *Lexer) dashComment(i int) bool {
	if i >= len(lx.Text) {
		return true
	}
	c := lx.Text[i]
	if c >= 0x80 && lx.Charset != CharsetUTF8 {
		lx.Unclean = true // in latin1, 0xa0 is white space
	}
	return c <= ' ' || c == 0x7f
}

// comment reads what begins with /* at text[i] and has a meaning, or no end.
func (lx *Lexer) comment(i int) (Token, int) {
	switch {
	case lx.marked(i):
		return lx.executable(i)
	case lx.hinted(i):
		return lx.hint(i)
	}
	return Error, len(lx.Text)
}

// hinted says that the comment at text[i] may be an optimizer hint.
func (lx *Lexer) hinted(i int) bool {
	return !lx.Code && i+2 < len(lx.Text) && lx.Text[i+2] == '+'
}

// marked says that the comment at text[i] is one that some server executes.
func (lx *Lexer) marked(i int) bool {
	rest := lx.Text[i+2:]
	switch {
	case len(rest) >= 1 && rest[0] == '!':
		return true
	case len(rest) >= 2 && rest[0] == 'M' && rest[1] == '!':
		return lx.Modes&MariaDB != 0 || lx.Modes.Version() == 0
	case len(rest) >= 2 && rest[0] == 'T' && rest[1] == '!':
		return lx.Modes&TiDB != 0 || lx.Modes.Version() == 0
	}
	return false
}

// executable reads the start of an executable comment. What follows is code
// when this server says so; else the comment is kept whole.
func (lx *Lexer) executable(i int) (Token, int) {
	start := i + bytes.IndexByte(lx.Text[i:], '!') + 1
	if lx.Code || (lx.Text[i+2] == 'T' && start < len(lx.Text) && lx.Text[start] == '[') {
		// One executable comment in another, or code for a TiDB with certain
		// features: what runs cannot be told from here.
		return Error, len(lx.Text)
	}
	version, end := lx.commentVersion(start)
	if lx.runs(version, lx.Text[i+2] == 'M') {
		lx.Code = true
		return Code, end
	}
	return lx.passedOver(end)
}

// commentVersion reads the version of an executable comment, five or six
// digits, at text[i]; 0 without one.
func (lx *Lexer) commentVersion(i int) (version, end int) {
	end = min(digits(lx.Text, i), i+6)
	if end-i < 5 {
		return 0, i
	}
	if end-i == 6 {
		reads, certain := lx.Modes.readsSixth(lx.Text[end:])
		if lx.Unclean = lx.Unclean || !certain; !reads {
			end--
		}
	}
	for _, c := range lx.Text[i:end] {
		version = version*10 + int(c-'0')
	}
	return version, end
}

// runs says whether this server executes a comment of that version. When the
// server is not known only versions that every server of interest has passed
// are certain.
func (lx *Lexer) runs(version int, mariadbOnly bool) bool {
	server := lx.Modes.Version()
	switch {
	case lx.Modes&TiDB != 0 || version == 0 && !mariadbOnly:
		return true
	case server == 0:
		lx.Unclean = lx.Unclean || mariadbOnly || version > 50500
		return true
	case version > server:
		return false
	case lx.Modes&MariaDB != 0 && !mariadbOnly:
		return version < 50700 || version > 99999
	}
	return true
}

// passedOver reads to the end of an executable comment that is none for this
// server, given where its text begins: one level of comments may be nested.
func (lx *Lexer) passedOver(i int) (Token, int) {
	nested := false
	for ; i+1 < len(lx.Text); i++ {
		switch {
		case !nested && lx.Text[i] == '/' && lx.Text[i+1] == '*':
			nested = true
			i++
		case lx.Text[i] == '*' && lx.Text[i+1] == '/':
			if !nested {
				return Note, i + 2
			}
			nested = false
			i++
		}
	}
	return Error, len(lx.Text)
}

// hint reads an optimizer hint. Where it is one, names in it may be quoted;
// where it is a comment like others it ends at the first */. If the two
// readings end at different places the text is unclean.
func (lx *Lexer) hint(i int) (Token, int) {
	body := lx.Text[i+2:]
	n := bytes.Index(body, []byte("*/"))
	if n < 0 {
		return Error, len(lx.Text)
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
	lx.Unclean = lx.Unclean || quote != 0
	return Note, i + 2 + n + 2
}
