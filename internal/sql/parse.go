package sql

import (
	"bytes"
	"errors"

	"tunic/internal/sql/lex"
)

// Statement is one statement of a text.
type Statement struct {
	Kind    Kind
	Effects Effects

	// Start and End bound the statement's bytes in the text, without the
	// semicolon after it.
	Start, End int

	text  []byte
	modes Modes
}

// maxStatements bounds the statements of one text. The server has no limit; a
// dump sent in one packet has a few thousand.
const maxStatements = 10_000

// Errors of [Parse].
var (
	// ErrUnclean says that the text cannot be lexed, or that the server may read
	// it otherwise than we do.
	ErrUnclean = errors.New("sql: the text cannot be read with certainty")
	// ErrTooMany says that the text has more statements than are looked at.
	ErrTooMany = errors.New("sql: too many statements in one text")
)

// Parse splits text into its statements and says what each is and does. Empty
// statements are left out at the end of the text, where the server drops them,
// and are of kind [Empty] elsewhere.
//
// A statement may change how those after it are read: SET sql_mode and SET
// NAMES. Where it cannot be told how, they are one of kind [Unknown].
//
// The statements refer to text and are valid as long as it is. With an error
// Parse still returns what was read; the last statement is then of kind
// [Unknown] and reaches to the end of the text.
func Parse(text []byte, m Modes) ([]Statement, error) {
	c := lex.NewCursor(text, m)
	var all []Statement
	from := 0
	for !c.Ended() {
		if len(all) == maxStatements {
			return unknownFrom(all, text, from, m), ErrTooMany
		}
		s := Statement{Kind: recognize(c), Start: lex.SkipSpace(text, from), text: text, modes: m}
		start := c
		endStatement(&c, s.Kind)
		if c.Lexer.Unclean || (c.Lexer.Code && c.Token == lex.Semi) {
			// Servers differ in what a semicolon in an executable comment ends.
			return unknownFrom(all, text, from, m), ErrUnclean
		}
		s.End = max(s.Start, c.Lexer.Gap)
		s.Effects = effects(s.Kind, start.Until(s.End))
		if m&Oracle != 0 && kinds[s.Kind].flags&program != 0 {
			s.Effects.Stale = true // there may be more statements in it
		}
		all = append(all, s)
		if c.Token != lex.Semi {
			continue
		}
		from = c.Lexer.Pos
		after, known := s.Effects.Modes(m)
		if !known && !blank(text[from:]) {
			return unknownFrom(all, text, from, m), ErrUnclean
		}
		m = after
		c.SetModes(m)
		c.Next()
	}
	if c.Lexer.Unclean {
		return unknownFrom(all, text, from, m), ErrUnclean
	}
	for len(all) > 0 && all[len(all)-1].Kind == Empty {
		all = all[:len(all)-1]
	}
	return all, nil
}

// First cuts a text behind its first statement: rest is what follows the semicolon,
// without the white space that servers skip, and without the semicolons at its end, which they drop
// before they read a text; empty if nothing does, or if it cannot be told
// with certainty where the statement ends.
func First(text []byte, m Modes) (first, rest []byte) {
	c := lex.NewCursor(text, m)
	if !c.Ended() {
		endStatement(&c, recognize(c))
	}
	if c.Lexer.Unclean || c.Lexer.Code || c.Token != lex.Semi {
		return text, nil
	}
	rest = bytes.TrimRight(text[c.Lexer.Pos:], "; \t\n\v\f\r")
	return text[:c.Lexer.Gap], rest[lex.SkipSpace(rest, 0):]
}

// cursor reads the statement. Positions are those of the whole text.
func (s *Statement) cursor() lex.Cursor { return lex.NewCursorAt(s.text[:s.End], s.Start, s.modes) }

// SecondBegins is where in a text that has several statements the second one begins, which
// is where a server that reads one statement does not read on. ok is false if it might not
// read the first.
func SecondBegins(text []byte, m Modes) (at int, ok bool) {
	first, rest := First(text, m)
	if len(rest) == 0 {
		return 0, false
	}
	all, err := Parse(first, m)
	if err != nil || len(all) != 1 {
		return 0, false
	}
	if _, err := all[0].Tree(); err != nil {
		return 0, false
	}
	c := lex.NewCursor(rest, m)
	return len(text) - len(rest) + c.Lexer.From, c.Token != lex.End && !c.Lexer.Unclean
}

// unknownFrom adds the text from index from on as one statement of kind Unknown.
func unknownFrom(all []Statement, text []byte, from int, m Modes) []Statement {
	return append(all, Statement{
		Kind: Unknown, Start: from, End: len(text), Effects: Effects{Stale: true}, text: text, modes: m,
	})
}

// blank says that nothing but white space and semicolons is left, which is no
// statement whatever the modes.
func blank(text []byte) bool {
	for _, b := range text {
		if b != ';' && !lex.IsSpace(b) {
			return false
		}
	}
	return true
}

// endStatement moves to the semicolon that ends a statement of that kind, or
// to the end of the text.
func endStatement(c *lex.Cursor, k Kind) {
	if kinds[k].flags&program != 0 {
		endProgram(c, k)
		return
	}
	for !c.Ended() && c.Token != lex.Semi {
		c.Next()
	}
}
