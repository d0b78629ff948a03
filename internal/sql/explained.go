package sql

// Explained is what an EXPLAIN says before the statement that it is about.
type Explained struct {
	// Prefix are its words up to the statement, in capital letters: EXPLAIN, what
	// MySQL, MariaDB and TiDB let stand behind it, and a space.
	Prefix string
	// Runs says that the server carries the statement out to tell what it took:
	// EXPLAIN ANALYZE, and MariaDB's ANALYZE.
	Runs bool
	// Of is the statement. Its effects are not read: those of the EXPLAIN have them.
	Of Statement
}

// Explained reads an EXPLAIN or ANALYZE of a statement. ok is false for other
// statements, for what is explained without being written out (FOR CONNECTION), and
// for words that are not known here.
func (s *Statement) Explained() (e Explained, ok bool) {
	if s.Kind != Explain {
		return e, false
	}
	c := s.cursor()
	switch {
	case c.accept("EXPLAIN", "DESCRIBE", "DESC"):
		e.Prefix = "EXPLAIN "
	case c.accept("ANALYZE"):
		e.Prefix, e.Runs = "ANALYZE ", true
	default:
		return e, false
	}
	for e.word(&c) {
	}
	if !c.is("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "VALUES", "TABLE") && c.t != tokenOpen {
		return e, false
	}
	e.Of = Statement{Kind: recognize(c), Start: c.lx.from, End: s.End, text: s.text, modes: s.modes}
	return e, !c.lx.unclean
}

// word reads a word or a format between EXPLAIN and the statement. The name of a
// format is a word: a string would be a literal, which a template does not tell.
func (e *Explained) word(c *cursor) bool {
	switch {
	case c.is("EXTENDED", "PARTITIONS"):
		e.Prefix += string(upperInto(nil, c.text())) + " "
	case c.is("ANALYZE"):
		e.Prefix, e.Runs = e.Prefix+"ANALYZE ", true
	case c.is("FORMAT"):
		at := *c
		at.next()
		if !at.acceptEquals() || !at.is("TRADITIONAL", "TRADITIONAL_STRICT", "JSON", "TREE") {
			return false
		}
		e.Prefix += "FORMAT=" + string(upperInto(nil, at.text())) + " "
		*c = at
	default:
		return false
	}
	c.next()
	return true
}
