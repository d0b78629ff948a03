package sql

import (
	"strings"

	"tunic/internal/sql/lex"
)

// runsUnseen reports whether a statement or program runs another from a text that does not stand in
// it as one string: a number in hexadecimal, an expression, a parameter, or strings one behind
// the other, which have no word in common with what comes of them.
func runsUnseen(text []byte, m Modes) bool {
	for c := lex.NewCursor(text, m); !c.Ended(); {
		if toText(&c) && !standsAlone(&c) {
			return true
		}
	}
	return false
}

// executesOthers reports whether a program executes, by its name, a statement that it may not have prepared before itself: that may be
// one of the client's, or of another program. What is prepared in a branch, a loop or a handler counts within it only, as far as
// the words tell.
func executesOthers(text []byte, m Modes) bool {
	prepared := map[string]bool{}
	handler := false
	for c := lex.NewCursor(text, m); !c.Ended(); {
		column := c.Token == lex.Dot
		if column {
			c.Next()
		}
		switch {
		case c.Is("END", "ELSE", "ELSEIF", "ELSIF", "WHEN"):
			clear(prepared)
		case c.Is("HANDLER"), c.Token == lex.Semi:
			handler = c.Token != lex.Semi
		}
		prepares, executes := c.Accept("PREPARE"), c.Accept("EXECUTE")
		if !prepares && !executes {
			c.Next()
			continue
		}
		if column || executes && (c.Is("IMMEDIATE") || c.Is(behindColumn...)) {
			continue
		}
		name, named := c.Name()
		name = strings.ToLower(name)
		switch {
		case !named:
		case prepares:
			prepared[name] = !handler
		case !prepared[name]:
			return true
		}
	}
	return false
}

// behindColumn are reserved words that stand behind a column, or a privilege, of the name EXECUTE.
var behindColumn = []string{"AND", "AS", "ASC", "BETWEEN", "DESC", "FROM", "IN", "IS", "LIKE", "ON", "OR", "THEN", "WHERE", "XOR"}

// toText moves on by a word, or to the text that is to be run; it reports which.
func toText(c *lex.Cursor) bool {
	word, ok := c.Name()
	switch {
	case !ok:
		c.Next()
		return false
	case lex.Is([]byte(word), "PREPARE"):
		at := *c
		if _, named := at.Name(); !named || !at.Accept("FROM") {
			return false
		}
		*c = at
		return true
	case lex.Is([]byte(word), "EXECUTE_PREPARED_STMT"):
		if c.Token != lex.Open {
			return false
		}
		c.Next()
		return true
	default:
		return lex.Is([]byte(word), "IMMEDIATE")
	}
}

// standsAlone reads the text and reports whether it is one string, or a variable, which is
// unread wherever it stands.
func standsAlone(c *lex.Cursor) bool {
	if c.Token != lex.String && c.Token != lex.Var {
		return false
	}
	c.Next()
	return c.Ended() || c.Token == lex.Semi || c.Token == lex.Close || c.Is("USING")
}
