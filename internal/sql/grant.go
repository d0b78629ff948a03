package sql

import "tunic/internal/sql/lex"

// Granted is what a GRANT or REVOKE is on: a table, a view or a schema.
type Granted struct {
	// Table is what it is on; without a name a schema, or all of them.
	Table TableName
	// Lists are the columns behind each privilege that has some.
	Lists [][]Span
}

// Granted reads a GRANT or REVOKE as far as what it is on. ok is false for those of roles
// and proxies, and for programs.
func (s *Statement) Granted() (g Granted, ok bool) {
	c := s.cursor()
	if !c.Accept("GRANT", "REVOKE") {
		return g, false
	}
	for !c.Ended() && !c.Is("ON", "TO", "FROM") {
		if c.Token != lex.Open {
			c.Next()
			continue
		}
		list, ok := columnList(&c)
		if !ok {
			return g, false
		}
		g.Lists = append(g.Lists, list)
	}
	if !c.Accept("ON") || c.Is("FUNCTION", "PROCEDURE", "PACKAGE", "LIBRARY") {
		return g, false
	}
	c.Accept("TABLE")
	return g, g.on(&c)
}

// columnList reads the columns between two parentheses.
func columnList(c *lex.Cursor) (list []Span, ok bool) {
	for c.Next(); c.Token != lex.Close; {
		from, to := c.Lexer.From, c.Lexer.Pos
		name, ok := c.Name()
		if !ok {
			return nil, false
		}
		list = append(list, Span{Name: name, From: from, To: to})
		if c.Token == lex.Comma {
			c.Next()
		}
	}
	c.Next()
	return list, true
}

// on reads t, s.t, s.*, * or *.*.
func (g *Granted) on(c *lex.Cursor) (ok bool) {
	if c.Op('*') {
		c.Next()
		return true
	}
	if g.Table.Name, ok = c.Name(); !ok {
		return false
	}
	if c.Token != lex.Dot {
		return true
	}
	g.Table.Schema, g.Table.Name = g.Table.Name, ""
	c.Next()
	if c.Op('*') {
		return true
	}
	g.Table.Name, ok = c.Name()
	return ok
}
