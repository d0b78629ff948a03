package sql

import (
	"bytes"
	"strings"
)

// Mentions says whether match is true of any name in the statement. Every
// identifier and keyword is a name here; in a statement that may run other
// statements from text, so are the words of its strings. The empty name stands
// for what cannot be read: the rest of a text that cannot be lexed, an optimizer hint,
// a statement in a variable. The words of a comment that only other servers execute
// are names as well.
func (s *Statement) Mentions(match func(name []byte) bool) bool {
	return mentions(s.text[s.Start:s.End], s.modes, s.runsText(), match)
}

// runsText reports whether a statement may run others from text: a program does by PREPARE
// or EXECUTE IMMEDIATE, and MySQL has a procedure for it in its schema sys.
func (s *Statement) runsText() bool {
	switch {
	case s.Kind == Prepare, s.Kind == ExecuteImmediate, s.Kind == Unknown, s.Kind == TiDBStatement, s.Kind == VitessStatement:
		return true
	case s.Kind != Call && kinds[s.Kind].flags&program == 0:
		return false
	}
	return preparesText(s.text[s.Start:s.End], s.modes)
}

func preparesText(program []byte, m Modes) bool {
	return mentions(program, m, false, func(name []byte) bool {
		return len(name) == 0 || is(name, "PREPARE") || is(name, "IMMEDIATE") || is(name, "EXECUTE_PREPARED_STMT")
	})
}

// ProgramMentions is Mentions for the body of a stored program, as the server shows it.
func ProgramMentions(body []byte, m Modes, match func(name []byte) bool) bool {
	return mentions(body, m, preparesText(body, m), match)
}

func mentions(text []byte, m Modes, runsText bool, match func(name []byte) bool) bool {
	var lx lexer
	lx.reset(text, m)
	for t := lx.next(); t > tokenError; t = lx.next() {
		found := false
		switch c := (&cursor{lx: lx, t: t}); t {
		case tokenWord:
			found = match(lx.value())
		case tokenQuoted:
			found = match([]byte(c.identifier()))
		case tokenString, tokenNString:
			found = runsText && mentions([]byte(c.stringValue()), m, true, match)
		case tokenVar:
			found = runsText && match(nil)
		case tokenNote:
			found = noted(lx.value(), m, match)
		}
		if found {
			return true
		}
	}
	return lx.unclean && match(nil)
}

// EachString calls do with the value of each string in the statement, and in the texts that it
// may run. It reports false if there is something that cannot be read with certainty.
func (s *Statement) EachString(do func(value string)) (read bool) {
	return eachString(s.text[s.Start:s.End], s.modes, s.runsText(), do)
}

func eachString(text []byte, m Modes, runsText bool, do func(value string)) (read bool) {
	read = true
	var lx lexer
	lx.reset(text, m)
	t := lx.next()
	for ; t > tokenError; t = lx.next() {
		switch t {
		case tokenString, tokenNString:
			value := (&cursor{lx: lx, t: t}).stringValue()
			do(value)
			read = read && (!runsText || eachString([]byte(value), m, true, do))
		case tokenNote:
			read = false
		}
	}
	return read && t != tokenError && !lx.unclean
}

// Noted reports whether a comment that only other servers execute has a name in it.
func Noted(text []byte, m Modes, match func(name []byte) bool) bool {
	if !bytes.Contains(text, []byte("/*")) {
		return false
	}
	named := func(name []byte) bool { return len(name) > 0 && match(name) }
	var lx lexer
	lx.reset(text, m)
	for t := lx.next(); t > tokenError; t = lx.next() {
		if t == tokenNote && noted(lx.value(), m, named) {
			return true
		}
	}
	return false
}

// noted is mentions for a hint, or for a comment that only other servers execute.
func noted(note []byte, m Modes, match func(name []byte) bool) bool {
	_, body, executable := bytes.Cut(note[:len(note)-len("*/")], []byte("!"))
	if note[2] == '+' || !executable {
		return match(nil)
	}
	return mentions(body, m, true, match)
}

// NamesTable reports whether match is true of a name in the statement that has a schema's before
// it, where no third name follows. It reads tokens, so a function of a schema and a column behind
// the alias of its table look like one, too.
func (s *Statement) NamesTable(match func(TableName) bool) bool {
	for c := s.cursor(); !c.ended(); {
		first, ok := c.name()
		if !ok {
			c.next()
			continue
		}
		if c.t != tokenDot {
			continue
		}
		c.next()
		second, ok := c.name()
		switch {
		case c.t == tokenDot:
			for c.t == tokenDot { // s.t.c
				c.next()
				c.next()
			}
		case ok && match(TableName{Schema: first, Name: second}):
			return true
		}
	}
	return false
}

// HasQuery reports whether there is a query in the statement that is not the statement
// itself, nor what CREATE TABLE … SELECT makes a table of: SELECT, or what begins a query
// behind a parenthesis. The words of a comment that only other servers execute count.
func (s *Statement) HasQuery() bool {
	f := queryFinder{named: s.Kind == Grant || s.Kind == Revoke, made: s.Kind == CreateTable}
	f.tables = f.named || s.Kind == Flush || strings.Contains(s.Kind.String(), "TABLE")
	f.look(s.text[s.Start:s.End], s.modes)
	return f.found
}

// HasString reports whether a statement has a string in it, of bytes as well.
func (s *Statement) HasString() bool {
	c := newCursor(s.text[s.Start:s.End], s.modes)
	for ; !c.ended(); c.next() {
		if c.t == tokenString || c.t == tokenNString {
			return true
		}
	}
	return c.lx.unclean
}

// queryFinder looks for a query.
type queryFinder struct {
	// named says that SELECT is the name of something else, tables that TABLE is, both
	// but behind a parenthesis; made that what begins outside of parentheses is the
	// statement's own.
	named, tables, made bool

	depth int
	// open is how many parentheses in a row the last tokens are; as, that AS is before them.
	open  int
	as    bool
	found bool
}

// look looks at a text up to where it is decided, and reports whether it is not.
func (f *queryFinder) look(text []byte, m Modes) bool {
	c := cursor{}
	c.lx.reset(text, m)
	for c.t = c.lx.next(); c.t > tokenError; c.t = c.lx.next() {
		switch c.t {
		case tokenOpen:
			f.depth++
			f.open++
			continue
		case tokenClose:
			f.depth--
		case tokenWord:
			if f.begins(&c) {
				f.found = !f.made || f.depth > f.open || f.depth > 1 && !f.as
				return false
			}
		case tokenNote:
			if _, body, ok := bytes.Cut(c.text()[:len(c.text())-len("*/")], []byte("!")); ok && c.text()[2] != '+' && !f.look(body, m) {
				return false
			}
		}
		if c.t < tokenCode {
			f.open, f.as = 0, c.is("AS")
		}
	}
	return true
}

// begins reports whether a query begins with a word.
func (f *queryFinder) begins(c *cursor) bool {
	behind := f.open > 0
	switch {
	case c.is("SELECT"):
		return behind || !f.named
	case c.is("TABLE"):
		return behind || !f.tables
	case c.is("VALUES"):
		return behind || f.made && f.depth == 0
	case c.is("WITH"):
		after := *c
		after.next()
		return behind || f.made && f.depth == 0 && !after.is("SYSTEM")
	}
	return false
}

// NamesByString reports whether match is true of a string that stands where a table's name would:
// with "x" in place of `x`, where ANSI_QUOTES is not set. Servers do not read such a statement, and
// write it to their logs as it came.
func (s *Statement) NamesByString(match func(name []byte) bool) bool {
	var lx lexer
	lx.reset(s.text[s.Start:s.End], s.modes)
	depth, due := 0, false
	for t := lx.next(); t > tokenError; t = lx.next() {
		switch t {
		case tokenOpen:
			depth++
		case tokenClose:
			depth--
		case tokenString:
			if due && match([]byte((&cursor{lx: lx, t: t}).stringValue())) {
				return true
			}
		}
		due = t == tokenWord && depth == 0 && beforeTable.has(lx.value())
	}
	return false
}

// beforeTable are the words that a table's name may follow, in statements that read and write rows.
var beforeTable = newWordSet("INSERT", "REPLACE", "INTO", "UPDATE", "IGNORE", "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "DELETE", "FROM", "JOIN", "TABLE")
