package sql

// Textual is a statement of SQL's own interface to prepared statements: PREPARE,
// EXECUTE, DEALLOCATE PREPARE and EXECUTE IMMEDIATE (MySQL manual, "Prepared
// Statements"; MariaDB knowledge base, "EXECUTE IMMEDIATE").
type Textual struct {
	// Name is the statement's, as written; "" of EXECUTE IMMEDIATE.
	Name string
	// Text is what is prepared, if it is a string. Otherwise it is in the user variable
	// Variable, in lower case.
	Text     []byte
	Variable string
	// Using are the expressions behind USING, as written.
	Using [][]byte
}

// Textual reads such a statement; false for any other, and for one whose text is
// computed, or a string with a character set before it.
func (s *Statement) Textual() (t Textual, ok bool) {
	c := newCursor(s.text[s.Start:s.End], s.modes)
	switch s.Kind {
	case Prepare:
		c.next()
		if t.Name, ok = c.name(); ok {
			ok = c.accept("FROM") && t.from(&c)
		}
	case Execute:
		c.next()
		if t.Name, ok = c.name(); ok {
			ok = t.using(&c)
		}
	case ExecuteImmediate:
		c.accepts("EXECUTE", "IMMEDIATE")
		ok = t.from(&c) && t.using(&c)
	case Deallocate:
		c.next()
		c.accept("PREPARE")
		t.Name, ok = c.name()
	default:
		return t, false
	}
	if s.modes&MariaDB == 0 && (s.Kind == ExecuteImmediate || !t.usesVariables(s.modes)) {
		return t, false // others know neither it nor expressions behind USING
	}
	return t, ok && c.finished()
}

// usesVariables reports whether what is behind USING is user variables.
func (t *Textual) usesVariables(m Modes) bool {
	for _, e := range t.Using {
		c := newCursor(e, m)
		first := c.t
		if c.next(); first != tokenVar || !c.ended() {
			return false
		}
	}
	return true
}

// CountParams is how many parameters a text has.
func CountParams(text []byte, m Modes) (n int) {
	for c := newCursor(text, m); !c.ended(); c.next() {
		if c.t == tokenParam {
			n++
		}
	}
	return n
}

// from reads the text, or the variable that has it.
func (t *Textual) from(c *cursor) bool {
	switch c.t {
	case tokenString:
		t.Text = []byte(c.stringValue())
	case tokenVar:
		t.Variable = variableName(c)
	default:
		return false
	}
	c.next()
	return c.ended() || c.is("USING")
}

// using reads what follows USING, if it does.
func (t *Textual) using(c *cursor) bool {
	if !c.accept("USING") {
		return c.ended()
	}
	for {
		from := c.lx.from
		if !passExpression(c) || c.lx.gap <= from {
			return false
		}
		t.Using = append(t.Using, c.lx.text[from:c.lx.gap])
		if c.t != tokenComma {
			return c.ended()
		}
		c.next()
	}
}
