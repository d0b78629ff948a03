package sql

// Mentions says whether match is true of any name in the statement. Every
// identifier and keyword is a name here, and so is every string: it may be an
// alias, or the text of a statement to prepare, which is then searched as well.
// A text that cannot be lexed mentions everything, if match is true of anything
// in it or of the empty name, which stands for what cannot be read.
func (s *Statement) Mentions(match func(name []byte) bool) bool {
	return mentions(s.text[s.Start:s.End], s.modes, match)
}

func mentions(text []byte, m Modes, match func(name []byte) bool) bool {
	var lx lexer
	lx.reset(text, m)
	for {
		switch t := lx.next(); t {
		case tokenEnd, tokenError:
			return lx.unclean && match(nil)
		case tokenWord:
			if match(lx.value()) {
				return true
			}
		case tokenQuoted:
			c := cursor{lx: lx, t: t}
			if match([]byte(c.identifier())) {
				return true
			}
		case tokenString, tokenNString:
			c := cursor{lx: lx, t: t}
			if mentions([]byte(c.stringValue()), m, match) {
				return true
			}
		case tokenNote:
			if match(nil) {
				return true
			}
		}
	}
}
