package sql

import "bytes"

// Assigned is a statement that assigns user variables and does nothing else to the
// session: SET with user variables only, and SELECT … INTO of user variables.
type Assigned struct {
	// Targets are the variables, without their @ and in lower case, in the order of
	// the columns of Query. SET may have one twice.
	Targets []string
	// Query is a SELECT that has, in its one row, the values that they are assigned.
	Query []byte
	// Set says that the statement is a SET: of a query without FROM. Late says that INTO
	// is behind FROM, of which MariaDB warns.
	Set, Late bool
}

// Assigned reads such a statement; false for any other, and for one that assigns a
// variable inside of an expression as well.
func (s *Statement) Assigned() (a Assigned, ok bool) {
	c := newCursor(s.text[s.Start:s.End], s.modes)
	switch s.Kind {
	case Set:
		a.Set = true
		ok = a.readSet(&c)
	case Select, SetOperation:
		ok = a.readInto(&c)
	default:
		return a, false
	}
	return a, ok && c.finished() && len(a.Targets) > 0 && len(a.Targets) <= effectsMax
}

// readSet reads SET @a = …, @b := … into SELECT …, ….
func (a *Assigned) readSet(c *cursor) bool {
	a.Query = append(a.Query, "SELECT"...)
	c.next()
	for {
		if c.t != tokenVar {
			return false
		}
		name := variableName(c)
		c.next()
		if c.t != tokenAssign && !c.op('=') {
			return false
		}
		c.next()
		from := c.lx.from
		if !passExpression(c) || c.lx.gap <= from {
			return false
		}
		if len(a.Targets) > 0 {
			a.Query = append(a.Query, ',')
		}
		a.Targets = append(a.Targets, name)
		a.Query = append(append(a.Query, ' '), c.lx.text[from:c.lx.gap]...)
		if c.t != tokenComma {
			return c.ended()
		}
		c.next()
	}
}

// passExpression moves to the comma after an expression, or to the end of the
// statement; false if it assigns a variable.
func passExpression(c *cursor) bool {
	depth := 0
	for !c.ended() && (depth > 0 || c.t != tokenComma) {
		switch c.t {
		case tokenOpen:
			depth++
		case tokenClose:
			depth--
		case tokenAssign, tokenSemi:
			return false
		}
		c.next()
	}
	return depth == 0
}

// readInto reads a query with INTO @a, @b, which becomes spaces.
func (a *Assigned) readInto(c *cursor) bool {
	depth, from, to := 0, 0, 0
	for !c.ended() {
		switch {
		case c.t == tokenOpen:
			depth++
		case c.t == tokenClose:
			depth--
		case c.t == tokenAssign:
			return false
		case c.is("FROM") && depth == 0:
			a.Late = to == 0
		case c.is("INTO") && depth == 0 && to == 0:
			from = c.lx.from
			if !a.targets(c) {
				return false
			}
			to = c.lx.gap
			continue
		case c.is("INTO"):
			return false
		}
		c.next()
	}
	a.Query = bytes.Clone(c.lx.text)
	copy(a.Query[from:], bytes.Repeat([]byte{' '}, to-from))
	return to > 0
}

// targets reads the variables after INTO.
func (a *Assigned) targets(c *cursor) bool {
	for {
		c.next()
		if c.t != tokenVar {
			return false
		}
		a.Targets = append(a.Targets, variableName(c))
		c.next()
		if c.t != tokenComma {
			return true
		}
	}
}

// UserVariables are the user variables that a text names, in lower case, each once.
// more says that there may be others: in what cannot be read with certainty.
func UserVariables(text []byte, m Modes) (names []string, more bool) {
	if bytes.IndexByte(text, '@') < 0 {
		return nil, false
	}
	var e Effects
	c := newCursor(text, m)
	for ; !c.ended(); c.next() {
		if c.t == tokenVar {
			e.userVariable(variableName(&c))
		}
	}
	return e.UserVariables, e.Stale || c.lx.unclean
}
