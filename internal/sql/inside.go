package sql

// Inside is the statement that a SET STATEMENT … FOR sets variables for (MariaDB manual, "SET
// STATEMENT"); ok is false if it cannot be told with certainty where that begins.
func (s *Statement) Inside() (of Statement, ok bool) {
	c := s.cursor()
	if !c.accepts("SET", "STATEMENT") {
		return Statement{}, false
	}
	for depth := 0; !c.ended(); c.next() {
		switch {
		case c.t == tokenOpen:
			depth++
		case c.t == tokenClose:
			depth--
		case c.is("SELECT"):
			return Statement{}, false
		case depth == 0 && !afterDot(&c) && c.is("FOR"):
			return s.behind(c)
		}
	}
	return Statement{}, false
}

// behind is the statement behind the word that a cursor is at.
func (s *Statement) behind(c cursor) (of Statement, ok bool) {
	c.next()
	if c.ended() {
		return Statement{}, false
	}
	of = Statement{Kind: recognize(c), Start: c.lx.from, End: s.End, text: s.text, modes: s.modes}
	of.Effects = effects(of.Kind, c)
	return of, true
}
