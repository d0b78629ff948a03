package sql

import "tunic/internal/sql/lex"

// Made is what a CREATE TABLE … SELECT makes its table of (MySQL manual, "CREATE TABLE …
// SELECT Statement").
type Made struct {
	// Query is what the rows come from.
	Query []byte
	// Ignore and Replace say what becomes of a row whose key is there already.
	Ignore, Replace bool
}

// Made reads where a CREATE TABLE has its query. ok is false for one without, for any
// other statement, and where an executable comment begins or ends in it.
func (s *Statement) Made() (m Made, ok bool) {
	if s.Kind != CreateTable {
		return m, false
	}
	c := s.cursor()
	c.Accept("CREATE")
	for !c.Accept("TABLE") {
		if c.Ended() {
			return m, false
		}
		c.Next()
	}
	c.Accepts("IF", "NOT", "EXISTS")
	if _, ok := c.TableName(); !ok {
		return m, false
	}
	for !m.begins(&c) {
		if c.Ended() {
			return m, false
		}
		c.Next()
	}
	from := c.Lexer.From
	to := from
	for !c.Ended() {
		to = c.Lexer.Pos
		c.Next()
	}
	m.Query = s.text[from:to]
	return m, c.Finished() && !marked(m.Query, s.modes)
}

// begins reports whether the query begins here, and passes over what does not belong to
// it: a list of columns and keys, options, and the words before a query.
func (m *Made) begins(c *lex.Cursor) bool {
	switch {
	case c.Is("SELECT", "WITH", "VALUES"):
		at := *c
		at.Next()
		return !c.Is("WITH") || !at.Is("SYSTEM")
	case c.Token == lex.Open && isQuery(*c):
		return true
	case c.Is("IGNORE", "REPLACE"):
		m.Ignore, m.Replace = c.Is("IGNORE"), c.Is("REPLACE")
	case c.Token == lex.Open:
		c.SkipParens()
		return m.begins(c)
	}
	return false
}

// isQuery reports whether a query begins behind the parentheses that are here.
func isQuery(c lex.Cursor) bool {
	for c.Token == lex.Open {
		c.Next()
	}
	return c.Is("SELECT", "WITH", "VALUES", "TABLE")
}
