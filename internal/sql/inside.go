package sql

import "tunic/internal/sql/lex"

// Inside is the statement that a SET STATEMENT … FOR sets variables for (MariaDB manual, "SET
// STATEMENT"); ok is false if it cannot be told with certainty where that begins.
func (s *Statement) Inside() (of Statement, ok bool) {
	c := s.cursor()
	if !c.Accepts("SET", "STATEMENT") {
		return Statement{}, false
	}
	for depth := 0; !c.Ended(); c.Next() {
		switch {
		case c.Token == lex.Open:
			depth++
		case c.Token == lex.Close:
			depth--
		case c.Is("SELECT"):
			return Statement{}, false
		case depth == 0 && !afterDot(&c) && c.Is("FOR"):
			return s.behind(c)
		}
	}
	return Statement{}, false
}

// behind is the statement behind the word that a cursor is at.
func (s *Statement) behind(c lex.Cursor) (of Statement, ok bool) {
	c.Next()
	if c.Ended() {
		return Statement{}, false
	}
	of = Statement{Kind: recognize(c), Start: c.Lexer.From, End: s.End, text: s.text, modes: s.modes}
	of.Effects = effects(of.Kind, c)
	return of, true
}
