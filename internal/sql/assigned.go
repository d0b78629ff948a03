package sql

import (
	"bytes"

	"tunic/internal/sql/lex"
)

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
	c := lex.NewCursor(s.text[s.Start:s.End], s.modes)
	switch s.Kind {
	case Set:
		a.Set = true
		ok = a.readSet(&c)
	case Select, SetOperation:
		ok = a.readInto(&c)
	default:
		return a, false
	}
	return a, ok && c.Finished() && len(a.Targets) > 0 && len(a.Targets) <= effectsMax
}

// readSet reads SET @a = …, @b := … into SELECT …, ….
func (a *Assigned) readSet(c *lex.Cursor) bool {
	a.Query = append(a.Query, "SELECT"...)
	c.Next()
	for {
		if c.Token != lex.Var {
			return false
		}
		name := variableName(c)
		c.Next()
		if c.Token != lex.Assign && !c.Op('=') {
			return false
		}
		c.Next()
		from := c.Lexer.From
		if !passExpression(c) || c.Lexer.Gap <= from {
			return false
		}
		if len(a.Targets) > 0 {
			a.Query = append(a.Query, ',')
		}
		a.Targets = append(a.Targets, name)
		a.Query = append(append(a.Query, ' '), c.Lexer.Text[from:c.Lexer.Gap]...)
		if c.Token != lex.Comma {
			return c.Ended()
		}
		c.Next()
	}
}

// passExpression moves to the comma after an expression, or to the end of the
// statement; false if it assigns a variable.
func passExpression(c *lex.Cursor) bool {
	depth := 0
	for !c.Ended() && (depth > 0 || c.Token != lex.Comma) {
		switch c.Token {
		case lex.Open:
			depth++
		case lex.Close:
			depth--
		case lex.Assign, lex.Semi:
			return false
		}
		c.Next()
	}
	return depth == 0
}

// readInto reads a query with INTO @a, @b, which becomes spaces.
func (a *Assigned) readInto(c *lex.Cursor) bool {
	depth, from, to := 0, 0, 0
	for !c.Ended() {
		switch {
		case c.Token == lex.Open:
			depth++
		case c.Token == lex.Close:
			depth--
		case c.Token == lex.Assign:
			return false
		case c.Is("FROM") && depth == 0:
			a.Late = to == 0
		case c.Is("INTO") && depth == 0 && to == 0:
			from = c.Lexer.From
			if !a.targets(c) {
				return false
			}
			to = c.Lexer.Gap
			continue
		case c.Is("INTO"):
			return false
		}
		c.Next()
	}
	a.Query = bytes.Clone(c.Lexer.Text)
	copy(a.Query[from:], bytes.Repeat([]byte{' '}, to-from))
	return to > 0
}

// targets reads the variables after INTO.
func (a *Assigned) targets(c *lex.Cursor) bool {
	for {
		c.Next()
		if c.Token != lex.Var {
			return false
		}
		a.Targets = append(a.Targets, variableName(c))
		c.Next()
		if c.Token != lex.Comma {
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
	c := lex.NewCursor(text, m)
	for ; !c.Ended(); c.Next() {
		if c.Token == lex.Var {
			e.userVariable(variableName(&c))
		}
	}
	return e.UserVariables, e.Stale || c.Lexer.Unclean
}
