package sql

import (
	"bytes"
	"strings"

	"tunic/internal/sql/lex"
)

// Mentions says whether match is true of any name in the statement. Every
// identifier and keyword is a name here; in a statement that may run other
// statements from text, so are the words of its strings. The empty name stands
// for what cannot be read: the rest of a text that cannot be lexed, an optimizer hint,
// a statement in a variable or an expression, one that a program executes and has not prepared, the rows of a BINLOG. The words of a comment that only other servers execute
// are names as well.
func (s *Statement) Mentions(match func(name []byte) bool) bool {
	text := s.text[s.Start:s.End]
	isProgram := kinds[s.Kind].flags&program != 0
	if (s.Kind == Binlog || isProgram && (executesOthers(text, s.modes) || inOtherLanguage(text, s.modes))) && match(nil) {
		return true
	}
	return mentions(text, s.modes, s.runsText(), match)
}

// inOtherLanguage reports whether a program is not written in SQL (MySQL manual, "CREATE PROCEDURE and CREATE FUNCTION
// Statements"): its body is a string, which is read in another way.
func inOtherLanguage(program []byte, m Modes) bool {
	for c := lex.NewCursor(program, m); !c.Ended(); c.Next() {
		if c.Accept("LANGUAGE") && c.Is("JAVASCRIPT", "WASM") {
			return true
		}
	}
	return false
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
		return len(name) == 0 || lex.Is(name, "PREPARE") || lex.Is(name, "IMMEDIATE") || lex.Is(name, "EXECUTE_PREPARED_STMT")
	})
}

// ProgramMentions is Mentions for the body of a stored program, as the server shows it.
func ProgramMentions(body []byte, m Modes, match func(name []byte) bool) bool {
	return executesOthers(body, m) && match(nil) || mentions(body, m, preparesText(body, m), match)
}

func mentions(text []byte, m Modes, runsText bool, match func(name []byte) bool) bool {
	if runsText && runsUnseen(text, m) && match(nil) {
		return true
	}
	var lx lex.Lexer
	lx.Reset(text, m)
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		found := false
		switch c := (&lex.Cursor{Lexer: lx, Token: t}); t {
		case lex.Word:
			found = match(lx.Value())
		case lex.Quoted:
			found = match([]byte(c.Identifier()))
		case lex.String, lex.NString:
			inner := []byte(c.StringValue())
			found = runsText && (executesOthers(inner, m) && match(nil) || mentions(inner, m, true, match))
		case lex.Var:
			found = runsText && match(nil)
		case lex.Note:
			found = noted(lx.Value(), m, match)
		}
		if found {
			return true
		}
	}
	return lx.Unclean && match(nil)
}

// EachString calls do with the value of each string in the statement, and in the texts that it
// may run. It reports false if there is something that cannot be read with certainty.
func (s *Statement) EachString(do func(value string)) (read bool) {
	return eachString(s.text[s.Start:s.End], s.modes, s.runsText(), do)
}

func eachString(text []byte, m Modes, runsText bool, do func(value string)) (read bool) {
	read = true
	var lx lex.Lexer
	lx.Reset(text, m)
	t := lx.Next()
	for ; t > lex.Error; t = lx.Next() {
		switch t {
		case lex.String, lex.NString:
			value := (&lex.Cursor{Lexer: lx, Token: t}).StringValue()
			do(value)
			read = read && (!runsText || eachString([]byte(value), m, true, do))
		case lex.Note:
			read = false
		}
	}
	return read && t != lex.Error && !lx.Unclean
}

// Noted reports whether a comment that only other servers execute has a name in it.
func Noted(text []byte, m Modes, match func(name []byte) bool) bool {
	if !bytes.Contains(text, []byte("/*")) {
		return false
	}
	named := func(name []byte) bool { return len(name) > 0 && match(name) }
	var lx lex.Lexer
	lx.Reset(text, m)
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		if t == lex.Note && noted(lx.Value(), m, named) {
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
	for c := s.cursor(); !c.Ended(); {
		first, ok := c.Name()
		if !ok {
			c.Next()
			continue
		}
		if c.Token != lex.Dot {
			continue
		}
		c.Next()
		second, ok := c.Name()
		switch {
		case c.Token == lex.Dot:
			for c.Token == lex.Dot { // s.t.c
				c.Next()
				c.Next()
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
	c := lex.NewCursor(s.text[s.Start:s.End], s.modes)
	for ; !c.Ended(); c.Next() {
		if c.Token == lex.String || c.Token == lex.NString {
			return true
		}
	}
	return c.Lexer.Unclean
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
	c := lex.Cursor{}
	c.Lexer.Reset(text, m)
	for c.Token = c.Lexer.Next(); c.Token > lex.Error; c.Token = c.Lexer.Next() {
		switch c.Token {
		case lex.Open:
			f.depth++
			f.open++
			continue
		case lex.Close:
			f.depth--
		case lex.Word:
			if f.begins(&c) {
				f.found = !f.made || f.depth > f.open || f.depth > 1 && !f.as
				return false
			}
		case lex.Note:
			if _, body, ok := bytes.Cut(c.Text()[:len(c.Text())-len("*/")], []byte("!")); ok && c.Text()[2] != '+' && !f.look(body, m) {
				return false
			}
		}
		if c.Token < lex.Code {
			f.open, f.as = 0, c.Is("AS")
		}
	}
	return true
}

// begins reports whether a query begins with a word.
func (f *queryFinder) begins(c *lex.Cursor) bool {
	behind := f.open > 0
	switch {
	case c.Is("SELECT"):
		return behind || !f.named
	case c.Is("TABLE"):
		return behind || !f.tables
	case c.Is("VALUES"):
		return behind || f.made && f.depth == 0
	case c.Is("WITH"):
		after := *c
		after.Next()
		return behind || f.made && f.depth == 0 && !after.Is("SYSTEM")
	}
	return false
}

// NamesByString reports whether match is true of a string that stands where a table's name would:
// with "x" in place of `x`, where ANSI_QUOTES is not set. Servers do not read such a statement, and
// write it to their logs as it came.
func (s *Statement) NamesByString(match func(name []byte) bool) bool {
	var lx lex.Lexer
	lx.Reset(s.text[s.Start:s.End], s.modes)
	depth, due := 0, false
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		switch t {
		case lex.Open:
			depth++
		case lex.Close:
			depth--
		case lex.String:
			if due && match([]byte((&lex.Cursor{Lexer: lx, Token: t}).StringValue())) {
				return true
			}
		}
		due = t == lex.Word && depth == 0 && beforeTable.Has(lx.Value())
	}
	return false
}

// beforeTable are the words that a table's name may follow, in statements that read and write rows.
var beforeTable = lex.NewWordSet("INSERT", "REPLACE", "INTO", "UPDATE", "IGNORE", "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "DELETE", "FROM", "JOIN", "TABLE")
