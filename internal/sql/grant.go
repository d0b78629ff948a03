package sql

// Granted is what a GRANT or REVOKE is on: a table, a view or a schema.
type Granted struct {
	// Table is what it is on; without a name a schema, or all of them.
	Table TableName
	// Columns are the columns in the lists behind privileges.
	Columns []Span
}

// Granted reads a GRANT or REVOKE as far as what it is on. ok is false for those of roles
// and proxies, and for programs.
func (s *Statement) Granted() (g Granted, ok bool) {
	c := s.cursor()
	if !c.accept("GRANT", "REVOKE") {
		return g, false
	}
	for !c.ended() && !c.is("ON", "TO", "FROM") {
		if c.t != tokenOpen {
			c.next()
			continue
		}
		for c.next(); c.t != tokenClose; {
			from, to := c.lx.from, c.lx.pos
			name, ok := c.name()
			if !ok {
				return g, false
			}
			g.Columns = append(g.Columns, Span{Name: name, From: from, To: to})
			if c.t == tokenComma {
				c.next()
			}
		}
		c.next()
	}
	if !c.accept("ON") || c.is("FUNCTION", "PROCEDURE", "PACKAGE", "LIBRARY") {
		return g, false
	}
	c.accept("TABLE")
	return g, g.on(&c)
}

// on reads t, s.t, s.*, * or *.*.
func (g *Granted) on(c *cursor) (ok bool) {
	if c.op('*') {
		c.next()
		return true
	}
	if g.Table.Name, ok = c.name(); !ok {
		return false
	}
	if c.t != tokenDot {
		return true
	}
	g.Table.Schema, g.Table.Name = g.Table.Name, ""
	c.next()
	if c.op('*') {
		return true
	}
	g.Table.Name, ok = c.name()
	return ok
}
