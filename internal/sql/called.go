package sql

import (
	"strings"

	"tunic/internal/sql/lex"
)

// Called is a CALL of a stored procedure whose arguments are values, not expressions.
type Called struct {
	Name TableName
	Args []Arg
}

// Arg is an argument of a CALL.
type Arg struct {
	Kind ArgKind
	Text []byte // of a string, what it says; of a number, as it is written
}

// ArgKind is what an argument of a CALL is.
type ArgKind uint8

// The kinds of arguments.
const (
	ArgString ArgKind = iota
	ArgNumber
	ArgNull
	ArgParam // of a statement that is prepared; they are counted in the order of the text
)

// CalledName is the procedure of a CALL; false for any other statement.
func (s *Statement) CalledName() (TableName, bool) {
	if s.Kind != Call {
		return TableName{}, false
	}
	c := lex.NewCursor(s.text[s.Start:s.End], s.modes)
	c.Next()
	return c.TableName()
}

// Called reads a CALL; false for one with an argument that is no value, and for one that
// cannot be read with certainty.
func (s *Statement) Called() (call Called, ok bool) {
	if s.Kind != Call {
		return call, false
	}
	c := lex.NewCursor(s.text[s.Start:s.End], s.modes)
	c.Next()
	if call.Name, ok = c.TableName(); !ok {
		return call, false
	}
	if c.Ended() { // parentheses may be left out where there is nothing in them
		return call, c.Finished()
	}
	if c.Token != lex.Open {
		return call, false
	}
	for c.Next(); c.Token != lex.Close; {
		if len(call.Args) > 0 {
			if c.Token != lex.Comma {
				return call, false
			}
			c.Next()
		}
		arg, ok := readArg(&c)
		if !ok {
			return call, false
		}
		call.Args = append(call.Args, arg)
		c.Next()
	}
	c.Next()
	return call, c.Finished()
}

// readArg is the current token as an argument.
func readArg(c *lex.Cursor) (a Arg, ok bool) {
	switch {
	case c.Token == lex.String:
		return Arg{Kind: ArgString, Text: []byte(c.StringValue())}, true
	case c.Token == lex.Number:
		return Arg{Kind: ArgNumber, Text: append([]byte(nil), c.Text()...)}, true
	case c.Is("NULL"):
		return Arg{Kind: ArgNull}, true
	case c.Token == lex.Param:
		return Arg{Kind: ArgParam}, true
	}
	return a, false
}

// SplitName reads the name of a table out of a value: t or s.t, each part as it is or between
// backquotes. Without any, the first dot is the one between the parts.
func SplitName(name string) (parts []string, ok bool) {
	if !strings.Contains(name, "`") {
		schema, table, two := strings.Cut(name, ".")
		if !two {
			return []string{name}, name != ""
		}
		return []string{schema, table}, schema != "" && table != ""
	}
	c := lex.NewCursor([]byte(name), 0)
	n, ok := c.TableName()
	switch {
	case !ok || !c.Finished() || n.Name == "":
		return nil, false
	case n.Schema == "":
		return []string{n.Name}, true
	}
	return []string{n.Schema, n.Name}, true
}
