package sql

import "strings"

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
	c := newCursor(s.text[s.Start:s.End], s.modes)
	c.next()
	return c.tableName()
}

// Called reads a CALL; false for one with an argument that is no value, and for one that
// cannot be read with certainty.
func (s *Statement) Called() (call Called, ok bool) {
	if s.Kind != Call {
		return call, false
	}
	c := newCursor(s.text[s.Start:s.End], s.modes)
	c.next()
	if call.Name, ok = c.tableName(); !ok {
		return call, false
	}
	if c.ended() { // parentheses may be left out where there is nothing in them
		return call, c.finished()
	}
	if c.t != tokenOpen {
		return call, false
	}
	for c.next(); c.t != tokenClose; {
		if len(call.Args) > 0 {
			if c.t != tokenComma {
				return call, false
			}
			c.next()
		}
		arg, ok := readArg(&c)
		if !ok {
			return call, false
		}
		call.Args = append(call.Args, arg)
		c.next()
	}
	c.next()
	return call, c.finished()
}

// readArg is the current token as an argument.
func readArg(c *cursor) (a Arg, ok bool) {
	switch {
	case c.t == tokenString:
		return Arg{Kind: ArgString, Text: []byte(c.stringValue())}, true
	case c.t == tokenNumber:
		return Arg{Kind: ArgNumber, Text: append([]byte(nil), c.text()...)}, true
	case c.is("NULL"):
		return Arg{Kind: ArgNull}, true
	case c.t == tokenParam:
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
	c := newCursor([]byte(name), 0)
	n, ok := c.tableName()
	switch {
	case !ok || !c.finished() || n.Name == "":
		return nil, false
	case n.Schema == "":
		return []string{n.Name}, true
	}
	return []string{n.Schema, n.Name}, true
}
