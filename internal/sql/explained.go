package sql

import "tunic/internal/sql/lex"

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
	case c.Accept("EXPLAIN", "DESCRIBE", "DESC"):
		e.Prefix = "EXPLAIN "
	case c.Accept("ANALYZE"):
		e.Prefix, e.Runs = "ANALYZE ", true
	default:
		return e, false
	}
	for e.word(&c) {
	}
	if !c.Is("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "VALUES", "TABLE") && c.Token != lex.Open {
		return e, false
	}
	e.Of = Statement{Kind: recognize(c), Start: c.Lexer.From, End: s.End, text: s.text, modes: s.modes}
	return e, !c.Lexer.Unclean
}

// word reads a word or a format between EXPLAIN and the statement. The name of a
// format is a word: a string would be a literal, which a template does not tell.
func (e *Explained) word(c *lex.Cursor) bool {
	switch {
	case c.Is("EXTENDED", "PARTITIONS"):
		e.Prefix += string(lex.UpperInto(nil, c.Text())) + " "
	case c.Is("ANALYZE"):
		e.Prefix, e.Runs = e.Prefix+"ANALYZE ", true
	case c.Is("FORMAT"):
		at := *c
		at.Next()
		if !at.AcceptEquals() || !at.Is("TRADITIONAL", "TRADITIONAL_STRICT", "JSON", "TREE") {
			return false
		}
		e.Prefix += "FORMAT=" + string(lex.UpperInto(nil, at.Text())) + " "
		*c = at
	default:
		return false
	}
	c.Next()
	return true
}
