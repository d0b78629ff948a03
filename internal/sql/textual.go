package sql

import "tunic/internal/sql/lex"

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
	c := lex.NewCursor(s.text[s.Start:s.End], s.modes)
	switch s.Kind {
	case Prepare:
		c.Next()
		if t.Name, ok = c.Name(); ok {
			ok = c.Accept("FROM") && t.from(&c)
		}
	case Execute:
		c.Next()
		if t.Name, ok = c.Name(); ok {
			ok = t.using(&c)
		}
	case ExecuteImmediate:
		c.Accepts("EXECUTE", "IMMEDIATE")
		ok = t.from(&c) && t.using(&c)
	case Deallocate:
		c.Next()
		c.Accept("PREPARE")
		t.Name, ok = c.Name()
	default:
		return t, false
	}
	if s.modes&MariaDB == 0 && (s.Kind == ExecuteImmediate || !t.usesVariables(s.modes)) {
		return t, false // others know neither it nor expressions behind USING
	}
	return t, ok && c.Finished()
}

// usesVariables reports whether what is behind USING is user variables.
func (t *Textual) usesVariables(m Modes) bool {
	for _, e := range t.Using {
		c := lex.NewCursor(e, m)
		first := c.Token
		if c.Next(); first != lex.Var || !c.Ended() {
			return false
		}
	}
	return true
}

// CountParams is how many parameters a text has.
func CountParams(text []byte, m Modes) (n int) {
	for c := lex.NewCursor(text, m); !c.Ended(); c.Next() {
		if c.Token == lex.Param {
			n++
		}
	}
	return n
}

// LimitParams are the parameters of a text that are numbers of rows, by their numbers: those behind LIMIT, OFFSET
// and, on MariaDB, FETCH FIRST and FETCH NEXT.
func LimitParams(text []byte, m Modes) (all []int) {
	if !ContainsFold(text, "limit") && !ContainsFold(text, "offset") && !ContainsFold(text, "fetch") {
		return nil
	}
	n := 0
	counts, counted := false, false // what comes next is a number of rows; what was last is one
	for c := lex.NewCursor(text, m); !c.Ended(); c.Next() {
		param := c.Token == lex.Param
		if param && counts {
			all = append(all, n)
		}
		if param {
			n++
		}
		isCount := counts && (param || c.Token == lex.Number)
		counts = c.Is("LIMIT") || c.Is("OFFSET") || c.Is("FIRST") || c.Is("NEXT") || counted && c.Token == lex.Comma
		counted = isCount
	}
	return all
}

// from reads the text, or the variable that has it.
func (t *Textual) from(c *lex.Cursor) bool {
	switch c.Token {
	case lex.String:
		t.Text = []byte(c.StringValue())
	case lex.Var:
		t.Variable = variableName(c)
	default:
		return false
	}
	c.Next()
	return c.Ended() || c.Is("USING")
}

// using reads what follows USING, if it does.
func (t *Textual) using(c *lex.Cursor) bool {
	if !c.Accept("USING") {
		return c.Ended()
	}
	for {
		from := c.Lexer.From
		if !passExpression(c) || c.Lexer.Gap <= from {
			return false
		}
		t.Using = append(t.Using, c.Lexer.Text[from:c.Lexer.Gap])
		if c.Token != lex.Comma {
			return c.Ended()
		}
		c.Next()
	}
}
