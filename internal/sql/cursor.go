package sql

// A cursor reads a statement token by token. Executable comments that are code
// and hints are passed over as if they were not there. A cursor is a value: a
// copy is a place to come back to.
type cursor struct {
	lx lexer
	t  token
}

func newCursor(text []byte, m Modes) cursor {
	var c cursor
	c.lx.reset(text, m)
	c.next()
	return c
}

// newCursorAt reads text from index start on. Positions are those of the whole text.
func newCursorAt(text []byte, start int, m Modes) cursor {
	var c cursor
	c.lx.reset(text, m)
	c.lx.pos = start
	c.next()
	return c
}

// setModes makes the cursor read what follows in modes m.
func (c *cursor) setModes(m Modes) {
	c.lx.modes, c.lx.cs = m, m.charset()
	c.lx.unclean = c.lx.unclean || c.lx.cs == charsetSwe7
}

// until is the cursor for a text that ends at end.
func (c cursor) until(end int) cursor {
	c.lx.text = c.lx.text[:end]
	return c
}

// next moves to the next token.
func (c *cursor) next() {
	for {
		c.t = c.lx.next()
		if c.t < tokenCode {
			return
		}
	}
}

func (c *cursor) ended() bool { return c.t <= tokenError }

// finished says that the statement has been read to its end, with certainty.
func (c *cursor) finished() bool { return c.ended() && !c.lx.unclean }

// text is the current token as written.
func (c *cursor) text() []byte { return c.lx.value() }

// is says whether the current token is one of the keywords, in upper case.
func (c *cursor) is(words ...string) bool {
	if c.t != tokenWord {
		return false
	}
	for _, w := range words {
		if is(c.text(), w) {
			return true
		}
	}
	return false
}

// op says whether the current token is the operator of one byte b.
func (c *cursor) op(b byte) bool { return c.t == tokenOp && c.text()[0] == b }

// accept moves past the current token if it is one of the keywords.
func (c *cursor) accept(words ...string) bool {
	if c.is(words...) {
		c.next()
		return true
	}
	return false
}

// acceptEquals moves past a =.
func (c *cursor) acceptEquals() bool {
	if c.op('=') {
		c.next()
		return true
	}
	return false
}

// accepts moves past the keywords in their order, or not at all.
func (c *cursor) accepts(words ...string) bool {
	at := *c
	for _, w := range words {
		if !at.accept(w) {
			return false
		}
	}
	*c = at
	return true
}

// name reads an identifier, with or without quotes, and moves past it.
func (c *cursor) name() (string, bool) {
	if c.t != tokenWord && c.t != tokenQuoted {
		return "", false
	}
	s := c.identifier()
	c.next()
	return s, true
}

// identifier is the current token's name, without its quotes.
func (c *cursor) identifier() string {
	text := c.text()
	if c.t != tokenQuoted {
		return string(text)
	}
	closing := text[len(text)-1]
	return string(unquote(text[1:len(text)-1], closing, false, c.lx.cs))
}

// TableName is a table as a statement names it. Schema is "" for the
// session's.
type TableName struct{ Schema, Name string }

// tableName reads t or s.t.
func (c *cursor) tableName() (TableName, bool) {
	first, ok := c.name()
	if !ok {
		return TableName{}, false
	}
	if c.t != tokenDot {
		return TableName{Name: first}, true
	}
	c.next()
	second, ok := c.name()
	return TableName{Schema: first, Name: second}, ok
}

// skipParens moves past a parenthesis and what it holds, if one is here; not
// past the semicolon that ends the statement before the parenthesis.
func (c *cursor) skipParens() {
	if c.t != tokenOpen {
		return
	}
	depth := 0
	for !c.ended() && c.t != tokenSemi {
		switch c.t {
		case tokenOpen:
			depth++
		case tokenClose:
			depth--
		}
		c.next()
		if depth == 0 {
			return
		}
	}
}

// escapes says whether a backslash escapes in the session's strings.
func (c *cursor) escapes() bool { return c.lx.modes&NoBackslashEscapes == 0 }

// stringValue is the value of the current token, a string.
func (c *cursor) stringValue() string {
	text := c.text()
	if c.t == tokenNString {
		text = text[1:]
	}
	return string(unquote(text[1:len(text)-1], text[0], c.escapes(), c.lx.cs))
}

// unquote undoes the escapes of the text between two quotes.
func unquote(text []byte, quote byte, escapes bool, cs charset) []byte {
	return appendUnquoted(make([]byte, 0, len(text)), text, quote, escapes, cs)
}

func appendUnquoted(out, text []byte, quote byte, escapes bool, cs charset) []byte {
	for i := 0; i < len(text); {
		n := cs.multibyte(text, i)
		c := text[i]
		switch {
		case n > 1:
			out = append(out, text[i:i+n]...)
			i += n
		case escapes && c == '\\' && i+1 < len(text):
			out = appendEscaped(out, text[i+1])
			i += 2
		case c == quote:
			out = append(out, c)
			i += 2
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// appendEscaped appends what the byte after a backslash stands for
// (dev.mysql.com/doc/refman/en/string-literals.html). \% and \_ keep their
// backslash, for LIKE.
func appendEscaped(out []byte, c byte) []byte {
	switch c {
	case '0':
		return append(out, 0)
	case 'b':
		return append(out, '\b')
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'Z':
		return append(out, 0x1a)
	case '%', '_':
		return append(out, '\\', c)
	}
	return append(out, c)
}
