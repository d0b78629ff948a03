package lex

// A Cursor reads a statement token by token. Executable comments that are code
// and hints are passed over as if they were not there. A cursor is a value: a
// copy is a place to come back to.
type Cursor struct {
	Lexer Lexer
	Token Token
}

// NewCursor reads text from its start.
func NewCursor(text []byte, m Modes) Cursor {
	var c Cursor
	c.Lexer.Reset(text, m)
	c.Next()
	return c
}

// NewCursorAt reads text from index start on. Positions are those of the whole text.
func NewCursorAt(text []byte, start int, m Modes) Cursor {
	var c Cursor
	c.Lexer.Reset(text, m)
	c.Lexer.Pos = start
	c.Next()
	return c
}

// SetModes makes the cursor read what follows in modes m.
func (c *Cursor) SetModes(m Modes) {
	c.Lexer.Modes, c.Lexer.Charset = m, m.Charset()
	c.Lexer.Unclean = c.Lexer.Unclean || c.Lexer.Charset == CharsetSwe7
}

// Until is the cursor for a text that ends at end.
func (c Cursor) Until(end int) Cursor {
	c.Lexer.Text = c.Lexer.Text[:end]
	return c
}

// Next moves to the next token.
func (c *Cursor) Next() {
	for {
		c.Token = c.Lexer.Next()
		if c.Token < Code {
			return
		}
	}
}

// Ended says that there is no token any more that can be read.
func (c *Cursor) Ended() bool { return c.Token <= Error }

// Finished says that the statement has been read to its end, with certainty.
func (c *Cursor) Finished() bool { return c.Ended() && !c.Lexer.Unclean }

// Text is the current token as written.
func (c *Cursor) Text() []byte { return c.Lexer.Value() }

// Is says whether the current token is one of the keywords, in upper case.
func (c *Cursor) Is(words ...string) bool {
	if c.Token != Word {
		return false
	}
	for _, w := range words {
		if Is(c.Text(), w) {
			return true
		}
	}
	return false
}

// Op says whether the current token is the operator of one byte b.
func (c *Cursor) Op(b byte) bool { return c.Token == Op && c.Text()[0] == b }

// Accept moves past the current token if it is one of the keywords.
func (c *Cursor) Accept(words ...string) bool {
	if c.Is(words...) {
		c.Next()
		return true
	}
	return false
}

// AcceptEquals moves past a =.
func (c *Cursor) AcceptEquals() bool {
	if c.Op('=') {
		c.Next()
		return true
	}
	return false
}

// Accepts moves past the keywords in their order, or not at all.
func (c *Cursor) Accepts(words ...string) bool {
	at := *c
	for _, w := range words {
		if !at.Accept(w) {
			return false
		}
	}
	*c = at
	return true
}

// Name reads an identifier, with or without quotes, and moves past it.
func (c *Cursor) Name() (string, bool) {
	if c.Token != Word && c.Token != Quoted {
		return "", false
	}
	s := c.Identifier()
	c.Next()
	return s, true
}

// Identifier is the current token's name, without its quotes.
func (c *Cursor) Identifier() string {
	text := c.Text()
	if c.Token != Quoted {
		return string(text)
	}
	closing := text[len(text)-1]
	return string(Unquote(text[1:len(text)-1], closing, false, c.Lexer.Charset))
}

// TableName is a table as a statement names it. Schema is "" for the
// session's.
type TableName struct{ Schema, Name string }

// TableName reads t or s.t.
func (c *Cursor) TableName() (TableName, bool) {
	first, ok := c.Name()
	if !ok {
		return TableName{}, false
	}
	if c.Token != Dot {
		return TableName{Name: first}, true
	}
	c.Next()
	second, ok := c.Name()
	return TableName{Schema: first, Name: second}, ok
}

// SkipParens moves past a parenthesis and what it holds, if one is here; not
// past the semicolon that ends the statement before the parenthesis.
func (c *Cursor) SkipParens() {
	if c.Token != Open {
		return
	}
	depth := 0
	for !c.Ended() && c.Token != Semi {
		switch c.Token {
		case Open:
			depth++
		case Close:
			depth--
		}
		c.Next()
		if depth == 0 {
			return
		}
	}
}

// Escapes says whether a backslash escapes in the session's strings.
func (c *Cursor) Escapes() bool { return c.Lexer.Modes&NoBackslashEscapes == 0 }

// StringValue is the value of the current token, a string.
func (c *Cursor) StringValue() string {
	text := c.Text()
	if c.Token == NString {
		text = text[1:]
	}
	return string(Unquote(text[1:len(text)-1], text[0], c.Escapes(), c.Lexer.Charset))
}

// Unquote undoes the escapes of the text between two quotes.
func Unquote(text []byte, quote byte, escapes bool, cs Charset) []byte {
	return AppendUnquoted(make([]byte, 0, len(text)), text, quote, escapes, cs)
}

// AppendUnquoted appends the text between two quotes without its escapes.
func AppendUnquoted(out, text []byte, quote byte, escapes bool, cs Charset) []byte {
	for i := 0; i < len(text); {
		n := cs.CharLen(text, i)
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
