package sql

import (
	"strconv"
	"strings"

	"tunic/internal/sql/lex"
)

// Diagnostics is what GET DIAGNOSTICS asks about the statement before it.
type Diagnostics struct {
	// Condition is the number of the condition that is asked about, from 1 on; 0 for the
	// statement.
	Condition int
	// Items are what is asked for, in capital letters, and the user variables that get it,
	// in lower case.
	Items []DiagnosticItem
}

// DiagnosticItem is one assignment of GET DIAGNOSTICS.
type DiagnosticItem struct{ Variable, Item string }

// Diagnostics reads a GET DIAGNOSTICS that sets user variables, and whose condition is
// written out. ok is false for any other.
func (s *Statement) Diagnostics() (d Diagnostics, ok bool) {
	c := s.cursor()
	if s.Kind != GetDiagnostics || !c.Accept("GET") {
		return d, false
	}
	c.Accept("CURRENT")
	if !c.Accept("DIAGNOSTICS") {
		return d, false
	}
	if c.Accept("CONDITION") {
		n, err := strconv.Atoi(string(c.Text()))
		if c.Token != lex.Number || err != nil || n < 1 {
			return d, false
		}
		d.Condition = n
		c.Next()
	}
	for {
		if c.Token != lex.Var {
			return d, false
		}
		it := DiagnosticItem{Variable: strings.ToLower(variableName(&c))}
		c.Next()
		if !c.AcceptEquals() || c.Token != lex.Word {
			return d, false
		}
		it.Item = strings.ToUpper(string(c.Text()))
		d.Items = append(d.Items, it)
		c.Next()
		if c.Token != lex.Comma {
			return d, c.Finished()
		}
		c.Next()
	}
}
