package sql

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
	c.accept("CREATE")
	for !c.accept("TABLE") {
		if c.ended() {
			return m, false
		}
		c.next()
	}
	c.accepts("IF", "NOT", "EXISTS")
	if _, ok := c.tableName(); !ok {
		return m, false
	}
	for !m.begins(&c) {
		if c.ended() {
			return m, false
		}
		c.next()
	}
	from := c.lx.from
	to := from
	for !c.ended() {
		to = c.lx.pos
		c.next()
	}
	m.Query = s.text[from:to]
	return m, c.finished() && !marked(m.Query, s.modes)
}

// begins reports whether the query begins here, and passes over what does not belong to
// it: a list of columns and keys, options, and the words before a query.
func (m *Made) begins(c *cursor) bool {
	switch {
	case c.is("SELECT", "WITH", "VALUES"):
		at := *c
		at.next()
		return !c.is("WITH") || !at.is("SYSTEM")
	case c.t == tokenOpen && isQuery(*c):
		return true
	case c.is("IGNORE", "REPLACE"):
		m.Ignore, m.Replace = c.is("IGNORE"), c.is("REPLACE")
	case c.t == tokenOpen:
		c.skipParens()
		return m.begins(c)
	}
	return false
}

// isQuery reports whether a query begins behind the parentheses that are here.
func isQuery(c cursor) bool {
	for c.t == tokenOpen {
		c.next()
	}
	return c.is("SELECT", "WITH", "VALUES", "TABLE")
}
