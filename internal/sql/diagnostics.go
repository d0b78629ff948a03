package sql

import (
	"strconv"
	"strings"
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
	if s.Kind != GetDiagnostics || !c.accept("GET") {
		return d, false
	}
	c.accept("CURRENT")
	if !c.accept("DIAGNOSTICS") {
		return d, false
	}
	if c.accept("CONDITION") {
		n, err := strconv.Atoi(string(c.text()))
		if c.t != tokenNumber || err != nil || n < 1 {
			return d, false
		}
		d.Condition = n
		c.next()
	}
	for {
		if c.t != tokenVar {
			return d, false
		}
		it := DiagnosticItem{Variable: strings.ToLower(variableName(&c))}
		c.next()
		if !c.acceptEquals() || c.t != tokenWord {
			return d, false
		}
		it.Item = strings.ToUpper(string(c.text()))
		d.Items = append(d.Items, it)
		c.next()
		if c.t != tokenComma {
			return d, c.finished()
		}
		c.next()
	}
}
